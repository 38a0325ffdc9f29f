import type { Change } from '../../../changes/change.ts'
import { type Viewer, valuesOfViewers } from '../../../db/actor-batch.ts'
import type { Queryable } from '../../../db/database.ts'
import { type EventText, eventText } from './event-text.ts'
import { readQuestionsShown } from './sql.ts'

/** A viewer who may see questions of one event; a user's stream has questions of several. */
interface Asked {
  readonly viewer: Viewer
  readonly eventId: number
}

/**
 * The events of changes that need no look at the database: own submissions, notifications that were
 * read, and resets. Each is told once.
 */
export function textsFor(viewer: Viewer, changes: readonly Change[]): EventText[] {
  return [...new Set(changes.flatMap((change) => textOf(viewer, change) ?? []))]
}

function textOf(viewer: Viewer, change: Change): EventText | undefined {
  const { kind, eventId, objectId, status } = change
  const isOwn = names(change, viewer)
  const isOfStream = viewer.eventId === null || viewer.eventId === eventId
  if (isResetFor(viewer, change)) return eventText('reset', '{}')
  if (!isOwn || !isOfStream) return undefined
  if ((kind === 'submission' || kind === 'judging') && status !== null) {
    const submission = { submission_id: objectId, status, ...(eventId !== null && { event_id: eventId }) }
    return eventText('submission', JSON.stringify(submission))
  }
  return kind === 'notification' && objectId === null ? eventText('notification', '{}') : undefined
}

/**
 * The rules of a contest have changed, or a question has become private. Other objects that have
 * disappeared change an entity tag.
 */
function isResetFor(viewer: Viewer, { kind, eventId, isReset }: Change): boolean {
  if (!isReset || (kind !== 'contest' && kind !== 'question')) return false
  return eventId === null || viewer.eventId === eventId
}

/** The changes of questions, and of notifications about them. */
export function questionsIn(changes: readonly Change[]): readonly Change[] {
  return changes.filter(
    ({ kind, eventId, objectId }) =>
      (kind === 'question' || kind === 'notification') && eventId !== null && objectId !== null,
  )
}

/** Events of questions and notifications for each viewer who may see them (P20, P21). */
export async function readQuestionTexts(
  database: Queryable,
  viewers: readonly Viewer[],
  questions: readonly Change[],
): Promise<ReadonlyMap<Viewer, readonly EventText[]>> {
  const asked = viewers.flatMap((viewer) =>
    eventsFor(viewer, questions).map((eventId) => ({ viewer, eventId })),
  )
  const texts = new Map<Viewer, EventText[]>()
  if (asked.length === 0) return texts
  const rows = await database.query(readQuestionsShown, {
    ...valuesOfViewers(asked.map(({ viewer, eventId }) => ({ ...viewer, eventId }))),
    question_ids: [...new Set(questions.map(({ objectId }) => objectId))],
  })
  for (const row of rows) {
    const found = asked[row.place - 1]
    if (found === undefined || !row.is_found) continue
    const own = texts.get(found.viewer) ?? []
    texts.set(found.viewer, [...own, ...textsOf(found, row, questions)])
  }
  return texts
}

/** The events whose questions may be told to a viewer. */
function eventsFor(viewer: Viewer, questions: readonly Change[]): number[] {
  const { actor, eventId } = viewer
  if (actor === null) return []
  const told = questions.filter((change) =>
    eventId === null ? isNotificationOf(viewer, change) : change.eventId === eventId,
  )
  return [...new Set(told.flatMap(({ eventId: of }) => of ?? []))]
}

function textsOf(
  { viewer, eventId }: Asked,
  row: { readonly question_id: string; readonly is_announcement: boolean; readonly notifies: boolean },
  questions: readonly Change[],
): EventText[] {
  const { question_id } = row
  const named = JSON.stringify({ event_id: eventId, question_id })
  const changes = questions.filter(({ objectId }) => objectId === question_id)
  const isAsked = viewer.eventId !== null && changes.some(({ kind }) => kind === 'question')
  const isNotified = changes.some((change) => isNotificationOf(viewer, change))
  return [
    ...(isAsked ? [eventText(row.is_announcement ? 'announcement' : 'question', named)] : []),
    ...(isNotified && row.notifies ? [eventText('notification', named)] : []),
  ]
}

const isNotificationOf = (viewer: Viewer, change: Change) =>
  change.kind === 'notification' && names(change, viewer)

const names = ({ userIds }: Change, { actor }: Viewer) =>
  actor !== null && (userIds?.includes(actor) ?? false)
