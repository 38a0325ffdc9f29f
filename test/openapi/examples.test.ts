import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { createPasswords } from '../../src/http/routing/passwords.ts'
import { createTokens } from '../../src/http/routing/tokens.ts'
import * as world from '../../src/openapi/examples/example-world.ts'
import * as contest from '../../src/openapi/examples/example-world-contest.ts'
import { scoreboardToken } from '../../src/openapi/operations/standings.ts'
import { openTestApp, SECRETS, type TestRequest, type TestResponse } from '../support/app.ts'
import { openBareApp } from '../support/bare-app.ts'
import { ZIP } from '../support/packages.ts'
import { smallPackage } from '../support/small-package.ts'
import { type Parameter, resolveReferences } from '../support/verification/openapi-operations.ts'
import { zipEntries } from '../support/zip-packages.ts'
import { prepareExampleWorld } from './fill-example-world.ts'

type Method = TestRequest['method']
type Content = Readonly<Record<string, { readonly example?: unknown }>>

interface Operation {
  readonly path: string
  readonly method: Method
  readonly operationId: string
  readonly security: readonly object[]
  readonly parameters: readonly (Parameter & { readonly example?: string | number })[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly $ref?: string }>>
}

const { ada, ulla, wim } = world
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

// Opened before the tests are collected: the served document names them.
const service = await openTestApp()
const passwordHash = await createPasswords().hash(world.secrets.ullasPassword)
const fillWorld = await prepareExampleWorld(service.database, passwordHash)
const document = await service.anonymous.get('/openapi.json')
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, ofPath]) =>
  methods.flatMap((method) => {
    const operation = ofPath[method.toLowerCase()]
    if (operation === undefined) return []
    const parameters = resolveReferences(document, operation.parameters) as Operation['parameters']
    return [{ ...{ security: document.security }, ...operation, parameters, path, method }]
  }),
)

beforeAll(fillWorld)

const tokenOf = ({ id, is_admin }: typeof ada) =>
  service.tokens.issueUserToken({ id, isAdmin: is_admin, sessionVersion: 1 })

describe('the example of an operation in the document', () => {
  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'gets the documented response: %s',
    async (name, operation) => {
      if (operation.method !== 'GET') onTestFinished(fillWorld)
      const { status, mediaType, isFile, example } = documentedResponse(operation)
      const token = await tokenFor(operation)
      const response = await service.send({
        ...{ method: operation.method, url: urlOf(operation), ...(token !== undefined && { token }) },
        ...(await requestBodyOf(operation)),
      })
      expect([response.status, response.headers['content-type']]).toEqual([status, mediaType])
      if (isFile) return expect(example).toBe(undefined)
      if (mediaType === undefined) return expect(response.text).toBe('')
      expect(example, 'an example of the response').toBeDefined()
      if (name === 'readDocument') {
        expect(Object.keys(response.body)).toEqual(expect.arrayContaining(Object.keys(Object(example))))
      } else if (operation.method === 'GET') expect(atTimeOf(example, response.body)).toEqual(example)
      else expect(replaceGenerated(response.body, example)).toEqual(example)
    },
  )
})

/** Returns the URL of the example; every required parameter must have one. */
function urlOf({ path, parameters }: Operation): string {
  const search = new URLSearchParams()
  let url = path
  for (const { name, in: place, required, example } of parameters) {
    if (required) expect(example, `an example of ${name}`).toBeDefined()
    if (example === undefined) continue
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(example))
    else search.set(name, String(example))
  }
  return search.size > 0 ? `${url}?${search}` : url
}

async function requestBodyOf({ requestBody }: Operation) {
  if (requestBody === undefined) return {}
  if ('application/zip' in requestBody.content) return { raw: await zipEntries(smallPackage()), headers: ZIP }
  const example = requestBody.content['application/json']?.example
  expect(example, 'an example of the body').toBeDefined()
  return { body: example }
}

/** Replaces the present time of the service, if the response has it. */
const atTimeOf = (example: unknown, body: object) =>
  'now' in body ? { ...body, now: Object(example).now } : body

/** Files and streams have no example. */
const FILES = /zip|octet|csv|html|event-stream|ndjson|\*/

/** The types of files that may have any. */
const TYPES: Readonly<Record<string, string>> = { readPageFile: 'text/plain; charset=utf-8' }

/** Returns the successful response with its example, without a media type if it has no body. */
function documentedResponse({ operationId, responses }: Operation) {
  const [status = '', response] = Object.entries(responses).find(([key]) => key.startsWith('2')) ?? []
  const [mediaType, media] = Object.entries(response?.content ?? {})[0] ?? []
  const isPlain = mediaType === undefined || /zip|octet|event-stream|ndjson/.test(mediaType)
  const ofFile = TYPES[operationId] ?? 'image/png'
  const type = mediaType === '*/*' ? ofFile : isPlain ? mediaType : `${mediaType}; charset=utf-8`
  const isFile = mediaType !== undefined && FILES.test(mediaType)
  return { status: Number(status), mediaType: type, isFile, example: media?.example }
}

/** The examples tell a story: Ulla is already in the contest and on a team. */
const ofWim = ['registerForEvent', 'createTeam', 'joinTeam']
/** She owns the contest, and is an admin. */
const ofAda = [
  ...['answerQuestion', 'announce', 'addEventProblem', 'updateEventProblem', 'removeEventProblem'],
  ...['changeParticipant', 'removeParticipant'],
  ...['listContestRuns', 'readContestRun', 'readContestPackage'],
  ...['createScoreboardToken', 'listScoreboardTokens', 'deleteScoreboardToken'],
  ...['listWebhooks', 'createWebhook', 'readWebhook', 'changeWebhook', 'deleteWebhook'],
]
const isOfAda = (name: string) => name.endsWith('RejudgingDecision') || name === 'listRejudgingDecisions'

/** Returns a credential of the documented kind, of the person who acts in the story. */
async function tokenFor({ operationId, security, parameters }: Operation): Promise<string | undefined> {
  const [scheme] = security.flatMap((required) => Object.keys(required))
  if (scheme === undefined) return undefined
  if (scheme === 'bridgeSecret') return SECRETS.WEB_BRIDGE_SECRET
  if (scheme === 'judgePassword') return SECRETS.JUDGE_PASSWORD
  if (scheme === 'scoreboardToken') return scoreboardToken
  const policy = service.routes.find(({ name }) => name === operationId)?.policy
  if (policy === 'judge or admin') return service.judgeToken
  if (policy === 'admin') return tokenOf(ada)
  const userId = parameters.find(({ name }) => name === 'user_id')?.example
  const self = policy === 'self or admin' && [ada, ulla, wim].find(({ id }) => id === userId)
  const actor =
    isOfAda(operationId) || ofAda.includes(operationId) ? ada : ofWim.includes(operationId) ? wim : ulla
  return tokenOf(self || actor)
}

/** The values that the service generates: ids, instants, tokens and passwords. */
const generated = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}(\d{3})?)?Z$/,
  /^[\w-]+\.[\w-]+\.[\w-]+$/,
  /^[\w-]{43}$/,
  /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/,
  // The Contest API: times relative to the start, and the addresses of new files.
  /^\d+:\d\d:\d\d\.\d{3}$/,
  /^contests\/1\/submissions\/[0-9a-f-]{36}\/files$/,
]

/** Replaces generated values by those at the same places of the example. */
function replaceGenerated(value: unknown, example: unknown): unknown {
  if (typeof value === 'string' && typeof example === 'string') {
    return generated.some((kind) => kind.test(value) && kind.test(example)) ? example : value
  }
  if (Array.isArray(value)) return value.map((item, index) => replaceGenerated(item, Object(example)[index]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaceGenerated(inner, Object(example)[key])]),
  )
}

interface Refusal {
  readonly schema: {
    readonly allOf: readonly { readonly properties?: { code: { enum: (string | number)[] } } }[]
  }
  readonly examples: Readonly<Record<string, { readonly value: object }>>
}

const refusals: Record<string, { content: { 'application/json': Refusal } }> = document.components.responses

const callers = {
  nobody: async () => undefined,
  ada: () => tokenOf(ada),
  ulla: () => tokenOf(ulla),
  wim: () => tokenOf(wim),
  'an expired token': async () => {
    const { JWT_SIGNING_SECRET: secret, JUDGE_PASSWORD: judgePassword } = SECRETS
    const options = { secret, judgePassword, userTtlSeconds: -1, judgeTtlSeconds: undefined }
    return (await createTokens(options)).issueUserToken({ id: ulla.id, isAdmin: false, sessionVersion: 1 })
  },
  'a deleted account': () => tokenOf({ ...ulla, id: uuidv7() }),
  'a Bearer prefix': async () => `Bearer ${await tokenOf(ulla)}`,
}

const event = `/v1/events/${contest.practiceLeague.id}`
const account = { name: 'Ada', email: 'somebody@example.org', password: 'staple battery horse correct' }
const reset = { email: ulla.email, token: 'guessed', new_password: account.password }
const submission = {
  user_id: ulla.id,
  problem_id: world.sumOfTwo.id,
  language_id: world.python.id,
  source_code: 'print(1)',
  event_id: contest.practiceLeague.id,
}

type Refused = readonly [what: string, by: keyof typeof callers, method: Method, url: string, body?: unknown]

const refused: Refused[] = [
  ['a missing token', 'nobody', 'GET', '/v1/problems'],
  ['a Bearer prefix', 'a Bearer prefix', 'GET', '/v1/problems'],
  ['an expired token', 'an expired token', 'GET', '/v1/problems'],
  ['a deleted account', 'a deleted account', 'GET', '/v1/problems'],
  ['a wrong password', 'nobody', 'POST', '/v1/basic_login', account],
  ['a wrong reset token', 'nobody', 'POST', '/v1/basic_reset_password', reset],
  ['a wrong role', 'ulla', 'GET', '/v1/users'],
  ['the deletion of the last admin', 'ada', 'DELETE', `/v1/users/${ada.id}`],
  ['a malformed id', 'ulla', 'GET', '/v1/problems/one'],
  ['an unknown problem', 'ulla', 'GET', '/v1/problems/99'],
  ['a large body', 'ulla', 'POST', `${event}/teams`, ' '.repeat(2 ** 20)],
  ['a name that is taken', 'nobody', 'POST', '/v1/basic_register', account],
  ['a name that is taken, sent by an admin', 'ada', 'POST', '/v1/users', account],
  ['a second registration', 'ulla', 'POST', `/v1/public${event.slice(3)}/register`],
  ['a repeated problem', 'ulla', 'POST', `${event}/problems`, { problem_id: world.sumOfTwo.id }],
  ['a second team', 'ulla', 'POST', `${event}/teams`, { name: 'Alone' }],
  ['the name of another team', 'wim', 'POST', `${event}/teams`, { name: contest.nightOwls.name }],
  ['the name of another category', 'ada', 'POST', '/v1/categories', world.implementation],
]

/** Refusals after a change of the example world in SQL. */
const refusedAfterChange: [sql: string, refused: Refused][] = [
  ['teams = false', ['a team of an event without teams', 'wim', 'POST', `${event}/teams`, { name: 'Alone' }]],
  [
    `end_time = now() - interval '1 minute'`,
    ['a submission after the end', 'ulla', 'POST', '/v1/submissions', submission],
  ],
  [
    `start_time = now() + interval '1 hour'`,
    ['a problem before the start', 'ulla', 'GET', `${event}/problems/${contest.leagueProblem.id}`],
  ],
]

function refusalExample(method: Method, url: string, status: number, code: string): object | undefined {
  const segments = url.split('/')
  const operation = operations.find(({ path, ...found }) => {
    const own = path.split('/')
    const isSame = own.every((part, index) => part.startsWith('{') || part === segments[index])
    return found.method === method && own.length === segments.length && isSame
  })
  const name = operation?.responses[status]?.$ref?.split('/').at(-1) ?? ''
  return refusals[name]?.content['application/json'].examples[code]?.value
}

/** Expects the example of this refusal, with the response's own request id if it has one. */
function expectExample(method: Method, url: string, response: Pick<TestResponse, 'status' | 'body'>): void {
  const example = refusalExample(method, url, response.status, response.body.code)
  const { request_id } = response.body
  expect(response.body).toEqual({ ...example, ...(request_id !== undefined && { request_id }) })
}

async function expectRefusal([, caller, method, url, body]: Refused): Promise<void> {
  const token = await callers[caller]()
  const sender = token === undefined ? service.anonymous : service.as(token)
  const response = await sender.send(method, url, body)
  expect(response.status).toBeGreaterThanOrEqual(400)
  expectExample(method, url, response)
}

describe('the example of a refusal in the document', () => {
  it('exists for each of its codes', () => {
    for (const [name, { content }] of Object.entries(refusals)) {
      if (!name.includes('Refusal')) continue
      const { schema, examples } = content['application/json']
      const codes = schema.allOf.flatMap(({ properties }) => properties?.code.enum ?? [])
      // The codes of the Contest API are statuses.
      const found = name.startsWith('ContestApi')
        ? [...new Set(Object.values(examples).map(({ value }) => Object(value).code))]
        : Object.keys(examples)
      expect([name, found.sort()]).toEqual([name, codes.sort()])
    }
  })

  it.each(refused.map((row) => [row[0], row] as const))('equals the response to %s', (_, row) =>
    expectRefusal(row),
  )

  it.each(refusedAfterChange)('equals the response after a change of the event: %s', async (sql, row) => {
    onTestFinished(fillWorld)
    await service.database.query(unprepared(`update events set ${sql}`))
    await expectRefusal(row)
  })

  it('equals the response with a broken database', async () => {
    await service.database.query(unprepared('alter table problems rename to tasks'))
    await expectRefusal(['a broken database', 'ulla', 'GET', `/v1/problems/${world.sumOfTwo.id}`])
    await service.database.query(unprepared('alter table tasks rename to problems'))
  })

  it('equals the responses without registration, with a low rate and without a database', async () => {
    const { app } = await openBareApp({ BASIC_REGISTRATION_ENABLED: 'false', RATE_LIMIT_ACCOUNTS: '1/1' })
    for (const [method, url, status] of [
      ['POST', '/v1/basic_register', 403],
      ['POST', '/v1/basic_login', 503],
      ['POST', '/v1/basic_login', 429],
      ['GET', '/v1/languages', 503],
    ] as const) {
      const response = await app.inject({ method, url, ...(method === 'POST' && { payload: account }) })
      expect(response.statusCode).toBe(status)
      expectExample(method, url, { status, body: response.json() })
    }
  })
})
