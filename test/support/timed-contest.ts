import { expect } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Person, TestResponse } from './app.ts'
import { createContest, getOf } from './contests.ts'
import type { Problem, ProblemService } from './judging.ts'

const START = Date.parse('2026-01-01T10:00:00Z')

/** So many minutes after the start of a timed contest. */
export const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString()

const setSubmitTime = unprepared(`with moved as (
     update submissions set submit_time = $2::timestamptz where submissions.id = $1 returning submissions.*
   )
   update event_scores
   set outcomes = event_scores.outcomes || jsonb_build_object(
     moved.id::text, jsonb_build_array((extract(epoch from moved.submit_time) * 1000000)::bigint, moved.status))
   from moved
   where event_scores.event_id = moved.event_id and event_scores.user_id = moved.user_id
     and event_scores.problem_id = moved.problem_id`)

const setStart = unprepared('update events set start_time = $2::timestamptz where events.id = $1')

/** A contest with a start of its own, in which one person submits at whatever minute a test says. */
export interface TimedContest {
  readonly eventId: number
  readonly person: Person
  /** Submits so many minutes after the start, to the first problem unless `fields` say otherwise; judged at once unless PENDING. */
  submit(minutes: number, status?: string, fields?: Record<string, unknown>): Promise<string>
}

/** Opens a contest that began at 10:00 on 2026-01-01. */
export async function openTimedContest(
  judging: ProblemService,
  problems: readonly Problem[],
): Promise<TimedContest> {
  const { service } = judging
  const eventId = await createContest(
    judging,
    problems.map(({ id }) => ({ problem_id: id })),
  )
  await service.database.query(setStart, [eventId, at(0)])
  const person = await service.createPerson()
  return {
    eventId,
    person,
    async submit(minutes, status = 'PENDING', fields = {}) {
      const id = await judging.submit(person, { event_id: eventId, ...fields })
      await service.database.query(setSubmitTime, [id, at(minutes)])
      if (status !== 'PENDING') await giveVerdict(judging, id, status)
      return id
    },
  }
}

/** Sends a verdict of nothing but its status. */
export async function giveVerdict(judging: ProblemService, id: string, status: string): Promise<void> {
  expect((await judging.patch(id, { status })).status).toBe(204)
}

/** Reads one of the statistics of a contest; as a stranger unless another token is given. */
export async function readStatistics(
  judging: ProblemService,
  eventId: number,
  path: string,
  token = judging.stranger.token,
): Promise<TestResponse> {
  const answer = await getOf(judging, eventId, path, token)
  expect(answer.status, answer.text).toBe(200)
  return answer
}
