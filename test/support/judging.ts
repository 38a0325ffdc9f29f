import { expect } from 'vitest'
import type { Pools } from '../../src/db/pools.ts'
import { unprepared } from '../../src/db/statement.ts'
import { requeueRuns, requeueShadows, requeueSubmissions } from '../../src/queue/recovery.ts'
import { openTestApp, PATIENT, type Person, type TestApp, type TestResponse } from './app.ts'
import type { Caller, Expected } from './caller.ts'
import { emptyOutbox } from './queue.ts'

export interface Problem {
  readonly id: number
  readonly title: string
  /** The ids of its test cases, in their order. */
  readonly cases: readonly string[]
}

export interface Language {
  readonly id: string
  readonly name: string
  readonly extension: string
  readonly version: string
}

/** An application with an admin, two users, a public problem and a language. */
export async function serviceWithProblem(
  variables: Record<string, string> = {},
  timeoutMs: Pools['timeoutMs'] = PATIENT,
) {
  const service = await openTestApp(variables, timeoutMs)
  const { judge } = service
  const admin = await service.createPerson({ admin: true })
  const createProblem = (fields?: Record<string, unknown>): Promise<Problem> => makeProblem(admin, fields)
  const problem = await createProblem()
  const [language]: [Language] = await service.anonymous.get('/v1/languages')
  /** Submits as `person`, to the first problem by default; resolves to the id. */
  async function submit(person: Person, fields?: object): Promise<string> {
    const body = { ...submissionBody(person, problem, language), ...fields }
    return (await service.as(person.token).post('/v1/submissions', body, 201)).id
  }
  /** Sends a verdict, or only its status, as a judge; the service must accept it (204). */
  const giveVerdict = (id: string, verdict: string | object): Promise<void> =>
    judge.patch(`/v1/submissions/${id}`, typeof verdict === 'string' ? { status: verdict } : verdict, 204)
  return {
    ...{ service, admin, problem, language, createProblem, submit, giveVerdict },
    user: await service.createPerson(),
    stranger: await service.createPerson(),
    async submitJudged(person: Person, fields?: object, status = 'WRONG_ANSWER'): Promise<string> {
      const id = await submit(person, fields)
      await giveVerdict(id, status)
      return id
    },
    readRecord: (id: string) => judge.get(`/v1/submissions/${id}`, 200),
    patch: (id: string, body: unknown) => judge.send('PATCH', `/v1/submissions/${id}`, body),
  }
}

export type ProblemService = Awaited<ReturnType<typeof serviceWithProblem>>

export function submissionBody(person: Pick<Person, 'id'>, problem: Problem, language: Language) {
  return { user_id: person.id, problem_id: problem.id, language_id: language.id, source_code: 'print(42)' }
}

/** Counts the submissions, runs, unsent messages and wake-ups of the relay. */
export async function countRows(service: TestApp) {
  const [row] = await service.database.query(
    unprepared<
      Record<'submissions' | 'runs' | 'messages', number>
    >(`select (select count(*)::integer from submissions) as submissions,
              (select count(*)::integer from runs) as runs,
              (select count(*)::integer from outbox) as messages`),
  )
  return { ...row, wakes: service.wakes() }
}

const countParticipants = unprepared('select count(*)::integer as participants from event_participants')

/** A submission that the service refuses; judges submit for the user of the service by default. */
export type Refused = readonly [caller: Person | Caller, fields: Record<string, unknown>, expected: Expected]

/** Expects refusals that store no submission, participant or message, and do not wake the relay. */
export async function expectRefused(judging: ProblemService, ...refused: Refused[]) {
  const { service, user, problem, language } = judging
  const count = async () => [await countRows(service), await service.database.query(countParticipants)]
  const before = await count()
  const responses: TestResponse['body'][] = []
  for (const [caller, fields, expected] of refused) {
    const body = { ...submissionBody('id' in caller ? caller : user, problem, language), ...fields }
    responses.push(await caller.post('/v1/submissions', body, expected))
    expect(await count()).toEqual(before)
  }
  return responses
}

export async function messagesFor(service: TestApp, subjectId: string) {
  return service.database.query(
    unprepared<{ kind: string; judging: number }>(
      'select outbox.kind, outbox.attempt as judging from outbox where outbox.subject_id = $1',
    ),
    [subjectId],
  )
}

/** Loses all messages, and queues pending work again with the statements of the recovery. */
export async function queueAgain({ database }: TestApp): Promise<void> {
  await emptyOutbox(database)
  for (const requeue of [requeueSubmissions, requeueRuns, requeueShadows])
    await database.query(requeue, { first_search: 'infinity', second_search: 'infinity' })
}

async function makeProblem(admin: Person, fields: Record<string, unknown> = {}): Promise<Problem> {
  const body = {
    title: 'Answer',
    identifier: 'answer',
    prompt: 'Print 42.',
    difficulty: 'EASY',
    public: true,
    accept_timeout: 3,
    execution_timeout: 1.5,
    memory_limit: 64,
    test_cases: [
      { input: '1', expected_output: '42' },
      { input: '2', expected_output: '42', hidden: true },
    ],
    ...fields,
  }
  const { id } = await admin.post('/v1/problems', body, 201)
  const { test_cases } = await admin.get(`/v1/problem_description/${id}/tests`)
  return { id, title: body.title, cases: test_cases.map((one: { id: string }) => one.id) }
}
