import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { createPasswords } from '../../src/features/accounts/passwords.ts'
import { createTokens } from '../../src/http/routing/tokens.ts'
import {
  ada,
  implementation,
  python,
  secrets,
  sumOfTwo,
  ulla,
  wim,
} from '../../src/openapi/examples/example-world.ts'
import { leagueProblem, nightOwls, practiceLeague } from '../../src/openapi/examples/example-world-contest.ts'
import {
  JUDGE_PASSWORD,
  JWT_SIGNING_SECRET,
  openTestApp,
  type TestRequest,
  WEB_BRIDGE_SECRET,
} from '../support/app.ts'
import { openBareApp } from '../support/bare-app.ts'
import { fillExampleWorld } from './fill-example-world.ts'

type Content = Readonly<Record<string, { readonly example?: unknown }>>

/** An operation of the document, as far as its examples go. */
interface Operation {
  readonly operationId: string
  readonly security: readonly object[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required: boolean
    readonly example?: string | number
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Example extends Operation {
  readonly path: string
  readonly method: TestRequest['method']
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

// Opened while the tests are collected, since the document that is served names them.
const service = await openTestApp()
const passwordHash = await createPasswords().hash(secrets.ullasPassword)
const { body: document } = await service.send({ method: 'GET', url: '/openapi.json' })
const examples = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, operations]) =>
  methods.flatMap((method) => {
    const operation = operations[method.toLowerCase()]
    return operation === undefined ? [] : [{ ...operation, path, method }]
  }),
)

const fillWorld = () => fillExampleWorld(service.database, passwordHash)

beforeAll(fillWorld)
afterAll(() => service.close())

describe('the document’s example, sent to a service that holds the examples’ world,', () => {
  it.each(examples.map((example) => [example.operationId, example] as const))(
    'of %s is answered as it says',
    async (_, example) => {
      if (example.method !== 'GET') onTestFinished(fillWorld)
      const { status, mediaType, body } = answerOf(example)
      const answer = await service.send({
        method: example.method,
        url: urlOf(example),
        ...(await credentialOf(example)),
        ...requestBodyOf(example),
      })
      expect([answer.status, answer.headers['content-type']]).toEqual([status, mediaType])
      if (mediaType === undefined) return expect(answer.text).toBe('')
      expect(body, 'an example of the answer').toBeDefined()
      if (example.operationId === 'readDocument')
        expect(Object.keys(answer.body)).toEqual(expect.arrayContaining(Object.keys(Object(body))))
      else if (example.method === 'GET') expect(answer.body).toEqual(body)
      else expect(settle(answer.body, body)).toEqual(body)
    },
  )
})

/** Every required parameter has an example; an optional one is sent where it has one. */
function urlOf({ path, parameters }: Example): string {
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

function requestBodyOf({ requestBody }: Example): { body?: unknown } {
  if (requestBody === undefined) return {}
  const example = requestBody.content['application/json']?.example
  expect(example, 'an example of the body').toBeDefined()
  return { body: example }
}

/** The answer of success with its example; without a media type where it has no body. */
function answerOf({ responses }: Example) {
  const [status = '', answer] = Object.entries(responses).find(([key]) => key.startsWith('2')) ?? []
  const [mediaType, media] = Object.entries(answer?.content ?? {})[0] ?? []
  return {
    status: Number(status),
    mediaType: mediaType && `${mediaType}; charset=utf-8`,
    body: media?.example,
  }
}

/** The credential that the document asks for, of whom the story tells where that is one of several. */
async function credentialOf({ operationId, security, parameters }: Example): Promise<{ token?: string }> {
  const [scheme] = security.flatMap((required) => Object.keys(required))
  if (scheme === undefined) return {}
  if (scheme === 'bridgeSecret') return { token: WEB_BRIDGE_SECRET }
  if (scheme === 'judgePassword') return { token: JUDGE_PASSWORD }
  const policy = service.routes.find(({ name }) => name === operationId)?.policy
  if (policy === 'judge or admin') return { token: service.judgeToken }
  const named = parameters.find(({ name }) => name === 'user_id')?.example
  const self = policy === 'self or admin' && people.find(({ id }) => id === named)
  const caller = self || (policy === 'admin' ? ada : (storied.get(operationId) ?? ulla))
  return {
    token: await service.tokens.issueUserToken({
      id: caller.id,
      isAdmin: caller.is_admin,
      sessionVersion: 1,
    }),
  }
}

const people = [ada, ulla, wim]

/** What Ulla does not do, who is in the contest and on a team already. */
const storied = new Map([
  ['registerForEvent', wim],
  ['createTeam', wim],
  ['joinTeam', wim],
  ['answerQuestion', ada],
])

/** What a service makes anew at each request. */
const generated = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}(\d{3})?)?Z$/,
  /^[\w-]+\.[\w-]+\.[\w-]+$/,
]

/** The answer with the example's ids, instants and tokens wherever it has others in their places. */
function settle(answer: unknown, example: unknown): unknown {
  if (typeof answer === 'string' && typeof example === 'string') {
    return generated.some((kind) => kind.test(answer) && kind.test(example)) ? example : answer
  }
  if (Array.isArray(answer)) return answer.map((item, index) => settle(item, Object(example)[index]))
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [key, settle(value, Object(example)[key])]),
  )
}

describe('refusals in the document', async () => {
  type Refused = readonly [
    what: string,
    caller: keyof typeof callers | 'nobody',
    request: TestRequest,
    /** What is made of the world before, in SQL. */
    changed?: string,
  ]

  interface Media {
    readonly schema: { readonly allOf: readonly { readonly properties?: { code: { enum: string[] } } }[] }
    readonly examples: Readonly<Record<string, { readonly value: object }>>
  }

  const fillWorld = () => fillExampleWorld(service.database, 'nobody logs in here')

  const service = await openTestApp()
  await fillWorld()
  const { body } = await service.send({ method: 'GET', url: '/openapi.json' })
  const responses: Record<string, { content: { 'application/json': Media } }> = body.components.responses
  const paths: Record<string, Record<string, { responses: Record<string, { $ref: string }> }>> = body.paths

  const tokenOf = ({ id, is_admin }: typeof ada) =>
    service.tokens.issueUserToken({ id, isAdmin: is_admin, sessionVersion: 1 })

  const callers = {
    ada: () => tokenOf(ada),
    ulla: () => tokenOf(ulla),
    wim: () => tokenOf(wim),
    'whose token is over': async () => {
      const tokens = await createTokens({
        secret: JWT_SIGNING_SECRET,
        userTtlSeconds: -1,
        judgeTtlSeconds: 1,
      })
      return tokens.issueUserToken({ id: ulla.id, isAdmin: false, sessionVersion: 1 })
    },
    'whose account is gone': () => tokenOf({ ...ulla, id: uuidv7() }),
    'with Bearer': async () => `Bearer ${await tokenOf(ulla)}`,
  }

  const event = `/v1/events/${practiceLeague.id}`
  const person = { name: 'Ada', email: 'somebody@example.org', password: 'staple battery horse correct' }

  const secondTry = {
    user_id: ulla.id,
    problem_id: sumOfTwo.id,
    language_id: python.id,
    source_code: 'print(1)',
    event_id: practiceLeague.id,
  }

  const refused: Refused[] = [
    ['no credential', 'nobody', { method: 'GET', url: '/v1/problems' }],
    ['a Bearer prefix', 'with Bearer', { method: 'GET', url: '/v1/problems' }],
    ['a token that is over', 'whose token is over', { method: 'GET', url: '/v1/problems' }],
    ['a deleted account', 'whose account is gone', { method: 'GET', url: '/v1/problems' }],
    ['a wrong password', 'nobody', { method: 'POST', url: '/v1/basic_login', body: person }],
    ['a wrong role', 'ulla', { method: 'GET', url: '/v1/users' }],
    ['the last admin', 'ada', { method: 'DELETE', url: `/v1/users/${ada.id}` }],
    ['a path that is no number', 'ulla', { method: 'GET', url: '/v1/problems/one' }],
    ['an unknown problem', 'ulla', { method: 'GET', url: '/v1/problems/99' }],
    ['a large body', 'ulla', { method: 'POST', url: `${event}/teams`, raw: ' '.repeat(2 ** 20 + 1) }],
    ['a name that is taken', 'nobody', { method: 'POST', url: '/v1/basic_register', body: person }],
    ['the same by an admin', 'ada', { method: 'POST', url: '/v1/users', body: person }],
    ['a second registration', 'ulla', { method: 'POST', url: `/v1/public${event.slice(3)}/register` }],
    [
      'a second time the problem',
      'ulla',
      { method: 'POST', url: `${event}/problems`, body: { problem_id: sumOfTwo.id } },
    ],
    ['a second team', 'ulla', { method: 'POST', url: `${event}/teams`, body: { name: 'Alone' } }],
    ['the name of a team', 'wim', { method: 'POST', url: `${event}/teams`, body: { name: nightOwls.name } }],
    [
      'a wrong reset token',
      'nobody',
      {
        method: 'POST',
        url: '/v1/basic_reset_password',
        body: { email: ulla.email, token: 'guessed', new_password: person.password },
      },
    ],
    [
      'a team where there are none',
      'wim',
      { method: 'POST', url: `${event}/teams`, body: { name: 'Alone' } },
      'update events set teams = false',
    ],
    [
      'a submission after the end',
      'ulla',
      { method: 'POST', url: '/v1/submissions', body: secondTry },
      `update events set end_time = now() - interval '1 minute'`,
    ],
    [
      'a problem before the start',
      'ulla',
      { method: 'GET', url: `${event}/problems/${leagueProblem.id}` },
      `update events set start_time = now() + interval '1 hour'`,
    ],
    ['the name of a category', 'ada', { method: 'POST', url: '/v1/categories', body: implementation }],
  ]

  describe('the document’s example of a refusal', () => {
    it('is there for each code that a refusal may have', () => {
      for (const [name, { content }] of Object.entries(responses)) {
        const { schema, examples } = content['application/json']
        const codes = schema.allOf.flatMap(({ properties }) => properties?.code.enum ?? [])
        expect([name, Object.keys(examples).sort()]).toEqual([name, [...codes].sort()])
      }
    })

    for (const [what, caller, request, changed] of refused) {
      it(`is what the service answers to ${what}`, async () => {
        if (request.method !== 'GET' || changed !== undefined) onTestFinished(fillWorld)
        if (changed !== undefined) await service.database.query(unprepared(changed))
        const answer = await service.send({
          ...request,
          ...(caller !== 'nobody' && { token: await callers[caller]() }),
        })
        expect(exampleOf(request, answer.status)[answer.body.code]?.value).toEqual(answer.body)
      })
    }
  })

  /** What only a service of its own answers: by its variables, or by what has become of its database. */
  const elsewhere: readonly (readonly [string, Record<string, string>, TestRequest, string?])[] = [
    [
      'a registration where there is none',
      { BASIC_REGISTRATION_ENABLED: 'false' },
      { method: 'POST', url: '/v1/basic_register', body: person },
    ],
    [
      'one request too many',
      { RATE_LIMIT_ACCOUNTS: '1/1' },
      { method: 'POST', url: '/v1/basic_login', body: person },
    ],
    [
      'a broken database',
      {},
      { method: 'GET', url: '/v1/languages' },
      'alter table languages rename to tongues',
    ],
  ]

  describe('the document’s example of a refusal that depends on how the service runs', () => {
    for (const [what, variables, request, broken] of elsewhere) {
      it(`is what the service answers to ${what}`, async () => {
        const own = await openTestApp(variables)
        onTestFinished(() => own.close())
        if (broken !== undefined) await own.database.query(unprepared(broken))
        // The first takes what there is of the rate.
        await own.send(request)
        const answer = await own.send(request)
        const example = exampleOf(request, answer.status)[answer.body.code]?.value
        const itself = 'request_id' in answer.body ? { request_id: answer.body.request_id } : {}
        expect(answer.body).toEqual({ ...example, ...itself })
      })
    }

    it('is what the service answers without its database', async () => {
      const { app } = await openBareApp()
      const request = { method: 'GET', url: '/v1/languages' } as const
      const answer = await app.inject(request)
      const { request_id } = answer.json()
      expect(answer.json()).toEqual({ ...exampleOf(request, 503).UNAVAILABLE?.value, request_id })
    })
  })

  /** The examples that the document has for this request and status, by their codes. */
  function exampleOf({ method, url }: TestRequest, status: number): Media['examples'] {
    const segments = url.split('/')
    const [path = ''] = Object.keys(paths).filter((template) => {
      const own = template.split('/')
      return (
        own.length === segments.length &&
        own.every((part, index) => part.startsWith('{') || part === segments[index])
      )
    })
    const name = paths[path]?.[method.toLowerCase()]?.responses[status]?.$ref.split('/').at(-1) ?? ''
    return responses[name]?.content['application/json'].examples ?? {}
  }
})
