import type { Static } from 'typebox'
import type { NotificationResponse } from '../../features/contests/notifications/schemas.ts'
import type { QuestionResponse } from '../../features/shared/records/questions.ts'
import { ada, sumOfTwo, ulla, viktor } from './example-world.ts'
import { practiceLeague } from './example-world-contest.ts'

type Question = Static<typeof QuestionResponse>
type Notification = Static<typeof NotificationResponse>

const { id, title, identifier, difficulty, updated_at } = sumOfTwo
const problem = { id, title, identifier, difficulty, updated_at }

/** Ulla's question as she asked it. */
export const askedQuestion: Question = {
  id: '019ba72f-17c0-7251-b6b3-6bb77e4064d5',
  event_id: practiceLeague.id,
  user_id: ulla.id,
  problem_id: id,
  question: 'May the integers be negative?',
  is_answered: false,
  created_at: '2026-01-10T09:14:00Z',
  updated_at: '2026-01-10T09:14:00Z',
  user: ulla,
  problem,
}

/** The same with Ada's answer. */
export const answeredQuestion: Question = {
  ...askedQuestion,
  is_answered: true,
  updated_at: '2026-01-10T09:18:30Z',
  answer: 'Yes, down to -1000.',
  answered_at: '2026-01-10T09:18:30Z',
  answered_by: ada.id,
  answerer: ada,
}

/** Viktor's open question, about no problem. */
export const openQuestion: Question = {
  id: '019ba739-29e0-73e9-b1b8-8fd015797522',
  event_id: practiceLeague.id,
  user_id: viktor.id,
  question: 'Is there a break at noon?',
  is_answered: false,
  created_at: '2026-01-10T09:25:00Z',
  updated_at: '2026-01-10T09:25:00Z',
  user: viktor,
}

/** Ada's announcement. */
export const announcement: Question = {
  id: '019ba73b-0e80-7c11-a5d2-90c3b7e1f24a',
  event_id: practiceLeague.id,
  user_id: ada.id,
  question: 'Announcement',
  is_answered: true,
  created_at: '2026-01-10T09:27:04Z',
  updated_at: '2026-01-10T09:27:04Z',
  answer: 'The contest goes on for ten more minutes.',
  answered_at: '2026-01-10T09:27:04Z',
  answered_by: ada.id,
  user: ada,
  answerer: ada,
  is_announcement: true,
}

const notificationOf = (
  id: string,
  notification_type: Notification['notification_type'],
  question: Question,
): Notification => ({
  id,
  user_id: ulla.id,
  event_id: practiceLeague.id,
  question_id: question.id,
  notification_type,
  is_read: false,
  created_at: question.updated_at,
  updated_at: question.updated_at,
  question,
})

/** Ulla's unread notifications, the newest first. */
export const notifications = [
  notificationOf('019ba739-29e0-77d3-8c62-7c4bc475750b', 'question', openQuestion),
  notificationOf('019ba733-3670-7636-951e-a9c6d9d7e33e', 'answer', answeredQuestion),
]
