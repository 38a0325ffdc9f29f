import { SignJWT } from 'jose'
import type { Secrets } from '../local-servers/service.ts'
import type { Caller } from './plan.ts'

export type People = Awaited<ReturnType<typeof createPeople>>

/** The e-mail address of the n-th admin, for ADMIN_EMAILS. */
export const adminEmail = (number: number) => `admin-${number}@fuzz.example`
const userEmail = (number: number) => `person-${number}@fuzz.example`

/** Creates the accounts through the bridge, which has no rate limit. */
export async function createPeople(url: string, secrets: Secrets) {
  const credentials: Partial<Record<Caller, string>> = {
    'bridge secret': secrets.WEB_BRIDGE_SECRET,
    'judge password': secrets.JUDGE_PASSWORD,
    ...{ empty: '', garbage: 'a.b.c\u00e9' },
  }
  let created = 0
  const createAccount = (email: (number: number) => string) => {
    created += 1
    const person = { id: `fuzz:${created}`, name: `fuzz person ${created}`, email: email(created) }
    return send(url, 'POST', '/v1/create_or_login_user', secrets.WEB_BRIDGE_SECRET, person)
  }
  /** Only the Contest API takes its password; a wrong one is a credential for nothing. */
  const createAccountWithPassword = async () => {
    const { email, id } = await createAccount(userEmail)
    const password = crypto.randomUUID()
    await send(url, 'PUT', `/v1/users/${id}/password`, credentials.admin ?? '', { password })
    const basicOf = (secret: string) => `Basic ${Buffer.from(`${email}:${secret}`).toString('base64')}`
    credentials['e-mail and password'] = basicOf(password)
    credentials['wrong password'] = basicOf('another one')
  }
  /** Replaces accounts that were deleted or lost their role or password. */
  const recover = async () => {
    for (const caller of ['admin', 'user', 'other user'] as const) {
      const authorization = credentials[caller]
      // Only admins may list users; every account may list events.
      const path = caller === 'admin' ? '/v1/users?limit=1' : '/v1/public/events?limit=1'
      const response = authorization && (await fetch(url + path, { headers: { authorization } }))
      if (response && response.status === 200) continue
      credentials[caller] = String((await createAccount(caller === 'admin' ? adminEmail : userEmail)).token)
    }
    credentials.bearer = `Bearer ${credentials.admin}`
    const basic = credentials['e-mail and password']
    const contests = basic && (await fetch(`${url}/v1/clics/contests`, { headers: { authorization: basic } }))
    if (!contests || contests.status === 401) await createAccountWithPassword()
  }
  await recover()
  credentials.judge = String((await send(url, 'POST', '/v1/login_judge', secrets.JUDGE_PASSWORD)).token)
  const deleted = await createAccount(userEmail)
  credentials['deleted user'] = String(deleted.token)
  await send(url, 'DELETE', `/v1/users/${deleted.id}`, String(deleted.token))
  credentials.unsigned = await forge(String(deleted.id))
  /** Sends a request of a caller that must succeed. Returns the parsed body, or an empty object. */
  const call = (caller: Caller, method: string, path: string, body?: object) =>
    send(url, method, path, credentials[caller] ?? '', body)
  return {
    ...{ recover, call },
    /** The Authorization header of a caller; undefined for none. */
    credentialOf: (caller: Caller) => credentials[caller],
    /** Creates a scoreboard token of a contest, which replaces the one before. */
    useScoreboard: async (eventId: number) => {
      const { token } = await call('admin', 'POST', `/v1/events/${eventId}/scoreboard_tokens`, {})
      credentials['scoreboard token'] = String(token)
    },
  }
}

const forge = (id: string) =>
  new SignJWT({ id, role: 2 })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode('the secret of another service'))

async function send(
  url: string,
  method: string,
  path: string,
  credential: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: credential, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return Object(text.startsWith('{') ? JSON.parse(text) : {})
}

/** Creates a record of each kind. Resolves to other contests: a frozen one, and changeable ones. */
export async function createWorld(url: string, people: People) {
  const name = crypto.randomUUID()
  const post = (path: string, body: object, caller: Creator = 'admin') =>
    people.call(caller, 'POST', path, body)
  const language = await post('/v1/languages', { name: 'Python', extension: 'py', version: name })
  const category = await post('/v1/categories', { name })
  const problem = await post('/v1/problems', {
    ...{ title: name, identifier: name, prompt: 'Add.', difficulty: 'EASY', public: true },
    test_cases: [
      { input: '1 2', expected_output: '3' },
      { input: '2 3', expected_output: '5', hidden: true },
    ],
    category_ids: [category.id],
  })
  const ids = { problem_id: problem.id, language_id: language.id }
  const event = await post('/v1/events', {
    ...{ title: name, ...LONG, teams: true },
    problems: [{ problem_id: problem.id }],
  })
  const within = `/v1/events/${event.id}`
  await post(`${within}/teams`, { name: 'one' }, 'user')
  await post(`${within}/questions`, { question: 'Why?', problem_id: problem.id }, 'user')
  const program = { user_id: idOf(people, 'user'), ...ids, source_code: 'print(3)' }
  await post('/v1/submissions', { ...program, event_id: event.id }, 'user')
  await post('/v1/input_submissions', { ...program, stdin: '' }, 'user')
  const judged = await post('/v1/submissions', { ...program, event_id: event.id }, 'user')
  await createDecisions(people, String(judged.id))
  await createWebhook(url, people)
  const late = { start_time: '2095-01-01T00:00:00Z', end_time: LONG.end_time }
  const scheduled = await post('/v1/events', { title: `scheduled ${name}`, ...late, problems: [] })
  const frozen = await createFrozenContest(people, name, ids)
  await people.useScoreboard(frozen)
  const other = await createFrozenContest(people, `other ${name}`, ids)
  return { frozen, changeable: [Number(scheduled.id), other] }
}

/** Refused if the fuzzer has created the most that an account may have. */
async function createWebhook(url: string, people: People): Promise<void> {
  const headers = { authorization: people.credentialOf('admin') ?? '', 'content-type': 'application/json' }
  const body = JSON.stringify({ url: 'https://fuzz.invalid/', token: 'x' })
  const { status } = await fetch(`${url}/v1/clics/webhooks`, { method: 'POST', headers, body })
  if (status !== 201 && status !== 403) throw new Error(`POST /v1/clics/webhooks: ${status}`)
}

type Creator = 'admin' | 'user' | 'other user'

const LONG = { start_time: '2020-01-01T00:00:00Z', end_time: '2096-01-01T00:00:00Z' }

interface Ids {
  readonly problem_id: unknown
  readonly language_id: unknown
}

function idOf(people: People, caller: Creator): string {
  const [, claims = ''] = (people.credentialOf(caller) ?? '').split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).id
}

/** Creates a contest that has ended with three teams, each with a frozen cell; one is revealed. */
async function createFrozenContest(people: People, name: string, ids: Ids): Promise<number> {
  const event = await people.call('admin', 'POST', '/v1/events', {
    ...{ title: `frozen ${name}`, ...LONG, freeze_time: '2020-01-02T00:00:00Z', teams: true },
    ...{ scoreboard: 'public', problems: [{ problem_id: ids.problem_id }] },
  })
  const within = `/v1/events/${event.id}`
  for (const caller of ['user', 'other user', 'admin'] as const) {
    await people.call(caller, 'POST', `${within}/teams`, { name: caller })
    const program = { user_id: idOf(people, caller), ...ids, source_code: 'print(4)' }
    const { id } = await people.call(caller, 'POST', '/v1/submissions', { ...program, event_id: event.id })
    await giveVerdict(people, id, 'ACCEPTED')
  }
  await people.call('admin', 'POST', `${within}/end`)
  // So that a request can take back a step.
  await people.call('admin', 'POST', `${within}/thaw?next=true`)
  return Number(event.id)
}

const giveVerdict = (people: People, id: unknown, status: string) =>
  people.call('judge', 'PATCH', `/v1/submissions/${id}`, { status })

/** Creates an open rejudging of a submission, and another one that is judged. */
async function createDecisions(people: People, id: string): Promise<void> {
  await giveVerdict(people, id, 'WRONG_ANSWER')
  const request = (more: object) =>
    people.call('admin', 'POST', '/v1/rejudgings', { submission_ids: [id], ...more })
  await request({})
  const { id: other } = await request({ status: 'WRONG_ANSWER' })
  const decision = await people.call('admin', 'GET', `/v1/rejudgings/${other}`)
  const [pending] = Array.isArray(decision.pending_judgings) ? decision.pending_judgings : []
  await giveVerdict(people, pending?.shadow_judging_id, 'ACCEPTED')
}
