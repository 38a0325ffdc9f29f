import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createPasswords } from '../../src/features/accounts/passwords.ts'
import { ada, secrets, ulla, wim } from '../../src/openapi/examples/example-world.ts'
import { JUDGE_PASSWORD, openTestApp, type TestRequest, WEB_BRIDGE_SECRET } from '../support/app.ts'
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
