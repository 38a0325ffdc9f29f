import { expect } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { type Judging, submissionBody } from '../features/judging-support.ts'
import type { Person, TestResponse } from '../support/app.ts'

export const isoIn = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** Creates a contest as an admin does; it began an hour ago and ends in an hour unless `fields` say otherwise. Answers its id. */
export async function createContest(
  { service, admin }: Judging,
  problems: readonly { problem_id: number; [field: string]: unknown }[],
  fields: Record<string, unknown> = {},
): Promise<number> {
  const body = { title: 'Contest', start_time: isoIn(-60), end_time: isoIn(60), problems, ...fields }
  const made = await service.send({ method: 'POST', url: '/v1/events', token: admin.token, body })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

/** Sends a submission of `person` to the first problem of `judging`, unless `fields` say otherwise. */
export function trySubmit(
  judging: Judging,
  person: Person,
  fields: Record<string, unknown>,
  token = person.token,
): Promise<TestResponse> {
  const body = { ...submissionBody(person, judging.problem, judging.language), ...fields }
  return judging.service.send({ method: 'POST', url: '/v1/submissions', token, body })
}

/** Reads a route of a contest. */
export const getOf = (
  judging: Judging,
  eventId: number,
  path: string,
  token: string,
): Promise<TestResponse> =>
  judging.service.send({ method: 'GET', url: `/v1/events/${eventId}/${path}`, token })

/** Sends an admin's request without a body. */
export const asAdmin = (judging: Judging, method: 'POST' | 'DELETE', url: string): Promise<TestResponse> =>
  judging.service.send({ method, url, token: judging.admin.token })

/** Registers a person for a contest. */
export async function register({ service }: Judging, eventId: number, { token }: Person): Promise<void> {
  const url = `/v1/public/events/${eventId}/register`
  expect((await service.send({ method: 'POST', url, token })).status).toBe(201)
}

const moveContest = statement(
  '',
  `update events
   set start_time = now() + $2::float8 * interval '1 minute', end_time = now() + $3::float8 * interval '1 minute'
   where events.id = $1`,
)

/** Moves a contest in the database: it starts and ends so many minutes from now. */
export async function setTimes({ service }: Judging, eventId: number, startIn: number, endIn: number) {
  await service.database.query(moveContest, [eventId, startIn, endIn])
}

const selectParticipants = statement<{ user_id: string }>(
  '',
  `select event_participants.user_id::text from event_participants
   where event_participants.event_id = $1 order by event_participants.user_id`,
)

/** The ids of those who take part, as the database has them. */
export async function readParticipants({ service }: Judging, eventId: number): Promise<string[]> {
  const rows = await service.database.query(selectParticipants, [eventId])
  return rows.map(({ user_id }) => user_id)
}
