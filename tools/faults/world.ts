import { createJudgeClient, encodeSecret, type JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import type { Secrets } from '../local-servers/service.ts'

const ADMIN_EMAIL = 'admin@example.org'

export const LOAD_VARIABLES = {
  ...{ ADMIN_EMAILS: ADMIN_EMAIL, RATE_LIMIT_SUBMISSIONS: '1000000/1000000' },
  ...{ RATE_LIMIT_WRITES: '1000000/1000000', RATE_LIMIT_FEEDS: '1000000/1000000' },
}

export type World = Awaited<ReturnType<typeof createWorld>>

const PEOPLE = 20
const PROBLEMS_OF_EVENT = 4
const OTHER_PROBLEMS = 2

/** Creates people, public problems and a running event with most of the problems. */
export async function createWorld(baseUrl: string, secrets: Omit<Secrets, 'JWT_SIGNING_SECRET'>) {
  const client = createJudgeClient({ baseUrl })
  const logIn = (name: string, email: string) => logInByBridge(client, secrets.WEB_BRIDGE_SECRET, name, email)
  const admin = await logIn('Admin', ADMIN_EMAIL)
  // One after another: a server that has just started is slow.
  const people: Awaited<ReturnType<typeof logIn>>[] = []
  for (let n = 0; n < PEOPLE; n += 1) people.push(await logIn(`Person ${n}`, `person-${n}@example.org`))
  client.setToken(admin.token)
  const create = (n: number) => orThrow(client.POST('/v1/problems', { body: makeProblem(n) }))
  const problems: Awaited<ReturnType<typeof create>>[] = []
  for (let n = 0; n < PROBLEMS_OF_EVENT + OTHER_PROBLEMS; n += 1) problems.push(await create(n))
  const problemIds = problems.slice(0, PROBLEMS_OF_EVENT).map(({ id }) => id)
  const event = {
    title: 'Under faults',
    description: '',
    start_time: new Date(Date.now() - 60_000).toISOString(),
    end_time: new Date(Date.now() + 86_400_000).toISOString(),
    problems: problemIds.map((problem_id) => ({ problem_id })),
  }
  const { id: eventId } = await orThrow(client.POST('/v1/events', { body: event }))
  const scoreboard = await orThrow(
    client.POST('/v1/events/{event_id}/scoreboard_tokens', { params: { path: { event_id: eventId } } }),
  )
  const languages = await orThrow(client.GET('/v1/languages'))
  const judge = await orThrow(
    client.POST('/v1/login_judge', { headers: { authorization: encodeSecret(secrets.JUDGE_PASSWORD) } }),
  )
  /** Problems of the event and others. */
  const targets = problems.map(({ id }) => ({
    problem_id: id,
    ...(problemIds.includes(id) && { event_id: eventId }),
  }))
  const languageId = languages.find(({ name }) => name === 'JavaScript')?.id ?? ''
  const tokens = { adminToken: admin.token, judgeToken: judge.token, scoreboardToken: scoreboard.token }
  return { people, targets, languageId, eventId, problemIds, ...tokens }
}

export const logInByBridge = (client: JudgeClient, secret: string, name: string, email: string) =>
  orThrow(
    client.POST('/v1/create_or_login_user', {
      body: { id: `faults:${email}`, name, email, image: '' },
      headers: { authorization: encodeSecret(secret) },
    }),
  )

const makeProblem = (number: number) => ({
  title: `Echo ${number}`,
  identifier: `echo-${number}`,
  prompt: 'Print the input.',
  difficulty: 'EASY' as const,
  public: true,
  test_cases: ['1', '2'].map((text) => ({ input: text, expected_output: text })),
})

export type Standings = Awaited<ReturnType<typeof readStandings>>

/** Reads the standings, the statistics and the submissions of the event. */
export async function readStandings(baseUrl: string, { judgeToken, scoreboardToken, eventId }: World) {
  const client = createJudgeClient({ baseUrl, token: judgeToken })
  const params = { path: { event_id: eventId } }
  const attempts = await orThrow(client.GET('/v1/events/{event_id}/attempts', { params }))
  const problems = await orThrow(client.GET('/v1/events/{event_id}/problems_stats', { params }))
  const submissions = await orThrow(client.GET('/v1/events/{event_id}/submissions', { params }))
  client.setToken(scoreboardToken)
  const { rows } = await orThrow(client.GET('/v1/scoreboard/{event_id}/standings', { params }))
  return { attempts, problems, rows, listedIds: submissions.map(({ id }) => id) }
}

/** Checks that an instance is ready and returns the verdict of a submission. */
export async function findUnready(baseUrl: string, { judgeToken }: World, id: string | undefined) {
  const ready = await fetch(`${baseUrl}/ready`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
  const found = ready?.status === 200 ? [] : [`GET /ready of ${baseUrl}: ${ready?.status ?? 'no response'}`]
  if (id === undefined) return [...found, 'no submission was acknowledged']
  const client = createJudgeClient({ baseUrl, token: judgeToken })
  const params = { path: { submission_id: id } }
  const { data } = await client.GET('/v1/submissions/{submission_id}/status', { params })
  if (data === undefined || data.status === 'PENDING')
    found.push(`the status of ${id}: ${data?.status ?? 'no response'}`)
  return found
}
