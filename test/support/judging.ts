import { expect, vi } from 'vitest'
import type { Pools } from '../../src/db/pools.ts'
import { unprepared } from '../../src/db/statement.ts'
import { createInProcessBroker } from '../../src/queue/in-process.ts'
import { startRecovery } from '../../src/queue/recovery.ts'
import { openTestApp, PATIENT, type Person, type TestApp, type TestResponse } from './app.ts'
import { emptyOutbox, keepLog, WITHIN } from './queue.ts'

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

/** What a test of submissions or runs needs: the application, people, a public problem and a language. */
export interface ProblemService {
  readonly service: TestApp
  readonly admin: Person
  readonly user: Person
  readonly stranger: Person
  readonly problem: Problem
  readonly language: Language
  createProblem(fields?: Record<string, unknown>): Promise<Problem>
  /** Submits as `person`; answers the id. */
  submit(person: Person, fields?: Record<string, unknown>): Promise<string>
  /** Reads a submission as a judge. */
  readRecord(id: string): Promise<TestResponse['body']>
  /** Sends a verdict as a judge. */
  patch(id: string, body: unknown): Promise<TestResponse>
}

/** Opens an application with an admin, a user, a stranger, a public problem of two test cases, and a language. */
export async function serviceWithProblem(
  variables: Record<string, string> = {},
  timeoutMs: Pools['timeoutMs'] = PATIENT,
): Promise<ProblemService> {
  const service = await openTestApp(variables, timeoutMs)
  const admin = await service.createPerson({ admin: true })
  const createProblem = (fields = {}) => makeProblem(service, admin, fields)
  const problem = await createProblem()
  const languages = await service.send({ method: 'GET', url: '/v1/languages' })
  const language: Language = languages.body[0]
  const submit = async (person: Person, fields = {}): Promise<string> => {
    const body = { ...submissionBody(person, problem, language), ...fields }
    const answer = await service.send({ method: 'POST', url: '/v1/submissions', token: person.token, body })
    expect(answer.status, answer.text).toBe(201)
    return answer.body.id
  }
  return {
    service,
    admin,
    user: await service.createPerson(),
    stranger: await service.createPerson(),
    problem,
    language,
    createProblem,
    submit,
    async readRecord(id) {
      const answer = await service.send({
        method: 'GET',
        url: `/v1/submissions/${id}`,
        token: service.judgeToken,
      })
      expect(answer.status).toBe(200)
      return answer.body
    },
    patch: (id, body) =>
      service.send({ method: 'PATCH', url: `/v1/submissions/${id}`, token: service.judgeToken, body }),
  }
}

/** The body of a submission that is right in every field. */
export function submissionBody(person: Person, problem: Problem, language: Language) {
  return {
    user_id: person.id,
    problem_id: problem.id,
    language_id: language.id,
    source_code: 'console.log(42)',
  }
}

/** How many submissions, runs and waiting messages there are. */
export async function countRows(service: TestApp) {
  const [row] = await service.database.query(
    unprepared<{
      submissions: number
      runs: number
      messages: number
    }>(`select (select count(*)::integer from submissions) as submissions,
              (select count(*)::integer from runs) as runs,
              (select count(*)::integer from outbox) as messages`),
  )
  return { ...row, wakes: service.wakes() }
}

/** The messages that wait for one subject. */
export async function messagesFor(service: TestApp, subjectId: string) {
  return service.database.query(
    unprepared<{ kind: string; judging: number }>(
      'select outbox.kind, outbox.attempt as judging from outbox where outbox.subject_id = $1',
    ),
    [subjectId],
  )
}

/** Deletes all waiting messages; the recovery queues the submission or run again, as its next judging. */
export async function loseMessage({ database, ...service }: TestApp, subjectId: string): Promise<void> {
  await emptyOutbox(database)
  const options = { broker: createInProcessBroker(), logger: keepLog(), requeueAfterMs: 20, wakeRelay() {} }
  const recovery = startRecovery({ database, ...options })
  await vi
    .waitFor(
      async () => expect(await messagesFor({ database, ...service }, subjectId)).toHaveLength(1),
      WITHIN,
    )
    .finally(() => recovery.stop())
}

async function makeProblem(service: TestApp, admin: Person, fields: Record<string, unknown>) {
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
  const made = await service.send({ method: 'POST', url: '/v1/problems', token: admin.token, body })
  expect(made.status, made.text).toBe(201)
  const url = `/v1/problem_description/${made.body.id}/tests`
  const tests = await service.send({ method: 'GET', url, token: admin.token })
  const cases: string[] = tests.body.test_cases.map(({ id }: { id: string }) => id)
  return { id: Number(made.body.id), title: body.title, cases }
}
