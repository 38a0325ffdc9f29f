import type { Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Actor, ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError, invalid } from '../../../http/routing/errors.ts'
import { found, notFound } from '../../../http/routing/responses.ts'
import { storeAnnouncement, storeAnswer, storeQuestion } from '../../contests/clarifications/write.ts'
import { notStaff } from '../../shared/access/refusals.ts'
import type { ObjectRow } from './collection.ts'
import type { Collections } from './collections.ts'
import { readWriter, type Writer } from './contest-sql.ts'
import type { ObjectOf } from './schemas.ts'
import { requireAccount } from './submit.ts'
import type { clarificationBody } from './write-schemas.ts'

type Body = Static<ReturnType<typeof clarificationBody>>

interface Writing {
  readonly tx: ActorDatabase
  readonly event_id: number
  readonly body: Body
  /** Whether an answer may replace an earlier one (D37). */
  readonly replace: boolean
  readonly collections: Collections
}

/**
 * Stores a question of a participant, or an answer or an announcement of staff, by the rules of our
 * own routes (D37, P20, P26). Returns the new object. Throws VALIDATION, FORBIDDEN, NOT_FOUND and
 * ALREADY_ANSWERED.
 */
export async function writeClarification(
  db: ActorDatabase,
  actor: Actor,
  writing: Omit<Writing, 'tx'>,
): Promise<ObjectRow> {
  requireAccount(actor)
  const writer = found(await db.query(readWriter, { event_id: writing.event_id }), 'contest')
  const write = chooseKind(writing.body, writer)
  return db.transaction((tx) => write({ tx, ...writing }))
}

/** Staff asks a question with `from_team_id`, like a participant. */
function chooseKind(body: Body, { is_staff, team_id }: Writer): (writing: Writing) => Promise<ObjectRow> {
  if (body.from_team_id != null && body.from_team_id !== team_id) {
    throw new AppError('FORBIDDEN', 'from_team_id must be the caller’s own team, or absent')
  }
  if (!is_staff || body.from_team_id != null) {
    if (body.reply_to_id != null && !is_staff) throw notStaff()
    refuseInQuestions(body)
    return ask
  }
  refuseOtherTimes(body)
  return body.reply_to_id == null ? announce : answer
}

const OF_STAFF = ['time', 'contest_time', 'to_team_ids', 'to_group_ids', 'reply_to_id'] as const

function refuseInQuestions(body: Body): void {
  const given = OF_STAFF.find((name) => body[name] != null)
  if (given !== undefined) throw invalid(`${given} must be absent in a question`)
}

/** Clocks differ, and a message may have waited. */
const MOST_DIFFERENCE_MS = 3_600_000

/** The service stores its own time, and refuses to pretend another. */
function refuseOtherTimes({ time }: Body): void {
  if (time != null && Math.abs(Date.parse(time) - Date.now()) > MOST_DIFFERENCE_MS) {
    throw invalid('time must be the present time, or absent: the service stores the present time')
  }
}

async function ask(writing: Writing): Promise<ObjectRow> {
  const { tx, event_id, body } = writing
  const id = uuidv7()
  await storeQuestion(tx, { event_id, id, problem_id: problemOf(writing), question: body.text })
  return readObject(writing, id, (row) => row.id === id)
}

async function announce(writing: Writing): Promise<ObjectRow> {
  const { tx, event_id, body } = writing
  if (body.to_team_ids != null || body.to_group_ids != null) {
    throw invalid('to_team_ids and to_group_ids must be absent: messages to some teams are not supported')
  }
  const id = uuidv7()
  await storeAnnouncement(tx, { event_id, id, problem_id: problemOf(writing), announcement: body.text })
  return readObject(writing, id, (row) => row.id === id)
}

async function answer(writing: Writing): Promise<ObjectRow> {
  const { tx, event_id, body, replace, collections } = writing
  const replied = body.reply_to_id ?? ''
  const question_id = collections.clarifications.keyOf(replied)
  if (question_id === undefined) throw notFound('question in the event')
  const { item } = await readObject(writing, question_id, (row) => row.id === replied)
  const asked: ObjectOf<'clarifications'> = JSON.parse(item)
  const askers = asked.from_team_id === undefined ? asked.to_team_ids : [asked.from_team_id]
  if (asked.reply_to_id !== undefined || askers === undefined) {
    throw invalid('reply_to_id must be a question: answers and announcements have no answers')
  }
  if (body.problem_id != null && body.problem_id !== asked.problem_id) {
    throw invalid('problem_id must be that of the question, or absent')
  }
  const is_public = isForAll(body, askers)
  await storeAnswer(tx, { event_id, question_id, answer: body.text, is_public, replace })
  return readObject(writing, question_id, (row) => row.id !== question_id)
}

/** Without recipients an answer is for everybody, otherwise for the team that asked alone. */
function isForAll({ to_team_ids, to_group_ids }: Body, askers: readonly string[]): boolean {
  if (to_team_ids == null && to_group_ids == null) return true
  const named = [...new Set(to_team_ids ?? [])]
  const isAskers = named.length === askers.length && named.every((id) => askers.includes(id))
  if (isAskers && !to_group_ids?.length) return false
  throw invalid('to_team_ids must be the team that asked alone, or absent with to_group_ids')
}

/** Throws NOT_FOUND for an id that no problem can have. */
function problemOf({ body, collections }: Writing): number | null {
  if (body.problem_id == null) return null
  const key = collections.problems.keyOf(body.problem_id)
  if (key === undefined) throw notFound('problem')
  return Number(key)
}

async function readObject(
  { tx, event_id, collections }: Writing,
  question_id: string,
  isWanted: (row: ObjectRow) => boolean,
): Promise<ObjectRow> {
  const rows = await tx.query(collections.clarifications.named, { event_id, keys: [question_id] })
  return found(rows.filter(isWanted), 'question in the event')
}
