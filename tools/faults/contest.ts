import { createJudgeClient, encodeSecret } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import type { Secrets } from '../local-servers/secrets.ts'

/** The one account that is an admin. */
export const ADMIN_EMAIL = 'admin@example.org'

export interface Person {
  readonly id: string
  readonly token: string
}

/** Where submissions go: a problem, in the contest or outside. */
export interface Target {
  readonly problem_id: number
  readonly event_id?: number
}

/** What the load submits to. */
export interface Contest {
  readonly people: readonly Person[]
  readonly targets: readonly Target[]
  readonly languageId: string
  readonly eventId: number
  /** Of the contest. */
  readonly problemIds: readonly number[]
  readonly judgeToken: string
}

const PEOPLE = 20
const IN_CONTEST = 4
const OUTSIDE = 2

/** Makes people, public problems and a running contest with most of them. */
export async function makeContest(baseUrl: string, secrets: Secrets): Promise<Contest> {
  const client = createJudgeClient({ baseUrl })
  const logIn = (name: string, email: string): Promise<Person> =>
    orThrow(
      client.POST('/v1/create_or_login_user', {
        body: { id: `faults:${email}`, name, email, image: '' },
        headers: { authorization: encodeSecret(secrets.webBridge) },
      }),
    )
  const admin = await logIn('Admin', ADMIN_EMAIL)
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, (_, n) => logIn(`Person ${n}`, `person-${n}@example.org`)),
  )
  client.setToken(admin.token)
  const problems = await Promise.all(
    Array.from({ length: IN_CONTEST + OUTSIDE }, (_, n) =>
      orThrow(client.POST('/v1/problems', { body: makeProblem(n) })),
    ),
  )
  const inContest = problems.slice(0, IN_CONTEST).map(({ id }) => ({ problem_id: id }))
  const event = {
    title: 'Under faults',
    description: '',
    start_time: new Date(Date.now() - 60_000).toISOString(),
    end_time: new Date(Date.now() + 86_400_000).toISOString(),
    problems: inContest,
  }
  const { id: eventId } = await orThrow(client.POST('/v1/events', { body: event }))
  const languages = await orThrow(client.GET('/v1/languages'))
  const judge = await orThrow(
    client.POST('/v1/login_judge', { headers: { authorization: encodeSecret(secrets.judgePassword) } }),
  )
  return {
    people,
    targets: [
      ...inContest.map((target) => ({ ...target, event_id: eventId })),
      ...problems.slice(IN_CONTEST).map(({ id }) => ({ problem_id: id })),
    ],
    languageId: languages.find(({ name }) => name === 'JavaScript')?.id ?? '',
    eventId,
    problemIds: inContest.map(({ problem_id }) => problem_id),
    judgeToken: judge.token,
  }
}

function makeProblem(number: number) {
  return {
    title: `Echo ${number}`,
    identifier: `echo-${number}`,
    prompt: 'Say it again.',
    difficulty: 'EASY' as const,
    public: true,
    test_cases: [
      { input: '1', expected_output: '1' },
      { input: '2', expected_output: '2' },
    ],
  }
}
