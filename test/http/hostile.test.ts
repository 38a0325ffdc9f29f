import { expect, it } from 'vitest'
import type { Route } from '../../src/http/routing/route.ts'
import type { Schema } from '../../verification/openapi-operations.ts'
import type { TestResponse } from '../support/app.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { rightValue, wrongBodies } from './hostile-values.ts'

const label = ({ method, url }: Route) => `${method} ${url}`
/** A schema as what it is: JSON. */
const schemaOf = (schema: object | undefined): Schema => JSON.parse(JSON.stringify(schema ?? {}))
const paramsOf = (route: Route) => Object.entries(schemaOf(route.params).properties ?? {})

/** Where the value of a path's parameter is found; `id` is a run's or a problem's. */
function idFor(route: Route, name: string): string {
  if (name !== 'id' && !route.url.includes('input_submissions')) return ids[name] ?? ''
  return (route.url.includes('problem') ? ids.problem_id : ids.run_id) ?? ''
}

function pathOf(route: Route, wrong: Record<string, string> = {}): string {
  return route.url.replaceAll(/:(\w+)/g, (_, name: string) => wrong[name] ?? idFor(route, name))
}

/** The path with a query: what the route requires there, but for what is given. */
function queriedPathOf(route: Route, query: string): string {
  const { required = [] } = schemaOf(route.query)
  const others = required
    .filter((name) => !query.startsWith(`${name}=`))
    .map((name) => `${name}=${known[name]}`)
  return `${pathOf(route)}?${[query, ...others].join('&')}`
}

const send = (method: Route['method'], url: string, body?: unknown) =>
  judging.service.send({ method, url, token: judging.admin.token, body })

async function create(url: string, body: unknown): Promise<TestResponse['body']> {
  const answer = await send('POST', url, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** Asks as one who may: what is refused is refused for what it is. Holds the answer against the route's declaration. */
async function ask(route: Route, url: string, raw?: string): Promise<TestResponse> {
  const { webBridge, judgePassword } = judging.service.config.secrets
  const secrets: Partial<Record<Route['policy'], string>> = {
    'bridge secret': webBridge,
    'judge password': judgePassword,
  }
  const answer = await judging.service.send({
    method: route.method,
    url,
    token: secrets[route.policy] ?? judging.admin.token,
    ...(raw !== undefined && { raw }),
  })
  const said = `${label(route)} ${url.slice(0, 100)} ${raw?.slice(0, 300)}\n${answer.text}`
  expect(answer.status, said).toBeLessThan(500)
  return answer
}

function rightBody(route: Route): unknown {
  const body = rightValue(schemaOf(route.body), known)
  const { name, extension } = judging.language
  return route.url === '/v1/languages' ? { name, extension, version: 'of its own' } : body
}

const routesWithBody = () => judging.service.routes.filter(({ body }) => body !== undefined)

const judging = await serviceWithProblem({ JUDGE_EXTRA_STATUSES: '' })
const { service, admin, language } = judging
const problem = await judging.createProblem()
const program = { language_id: language.id, source_code: 'x', stdin: '' }
const category = await create('/v1/categories', { name: 'one of ours' })
const times = { start_time: '2026-01-01T00:00:00Z', end_time: '2096-01-01T00:00:00Z' }
const title = 'ours'
const event = await create('/v1/events', {
  title,
  ...times,
  teams: true,
  problems: [{ problem_id: problem.id }],
})
const within = `/v1/events/${event.id}`
const [eventProblem] = (await send('GET', `${within}/problems`)).body
const ids: Record<string, string> = {
  user_id: (await service.createPerson()).id,
  problem_id: String(problem.id),
  problem_description_id: String(problem.id),
  submission_id: await judging.submit(judging.user, { problem_id: problem.id, event_id: event.id }),
  run_id: await create('/v1/public/input_submissions', program),
  language_id: language.id,
  category_id: category.id,
  event_id: String(event.id),
  event_problem_id: String(eventProblem.id),
  team_id: (await create(`${within}/teams`, { name: 'us' })).team_id,
  question_id: (await create(`${within}/questions`, { question: 'Why?' })).id,
}
const known: Record<string, unknown> = {
  user_id: admin.id,
  problem_id: problem.id,
  language_id: language.id,
  category_ids: [category.id],
  test_case_id: problem.cases[0],
  failed_test_case_id: null,
  event_id: null,
  id: problem.cases[0],
  name: 'a name of its own',
  email: 'hostile@example.org',
  languages: [1, language.id],
  title,
  ...times,
}

it('refuses what is no id in a path (400), on every route, and 404 what is one and names nothing', async () => {
  const never = ['x', '-1', '1e1', '+1', '%201', '1%20', '0x10', '1.0', '%00', '%F0%9F%99%82', 'null', '1,2']
  const far = [
    '2147483648',
    '9007199254740993',
    '99999999999999999999',
    '-2147483649',
    'a'.repeat(5000),
    '9'.repeat(5000),
  ]
  const uuidLike = [
    `${ids.run_id}0`,
    `{${ids.run_id}}`,
    ids.run_id?.replaceAll('-', '') ?? '',
    `g${ids.run_id?.slice(1)}`,
  ]
  for (const route of judging.service.routes) {
    for (const [name, { type }] of paramsOf(route)) {
      const others = type === 'integer' ? [ids.run_id ?? ''] : ['0', '1', '2147483647']
      const raw = route.body === undefined ? undefined : JSON.stringify(rightBody(route))
      for (const wrong of [...never, ...far, ...uuidLike, ...others]) {
        const answer = await ask(route, pathOf(route, { [name]: encode(wrong) }), raw)
        expect(answer, `${label(route)} ${wrong.slice(0, 60)}`).toMatchObject({
          status: 400,
          body: { code: '400' },
        })
        expect(answer.body.error).toContain(name)
      }
      const unknown = type === 'integer' ? ['0', '2147483647'] : ['00000000-0000-0000-0000-000000000000']
      for (const id of unknown) {
        const answer = await ask(route, pathOf(route, { [name]: id }), raw)
        expect(answer.status, `${label(route)} ${id}`).toBe(404)
      }
    }
  }
}, 180_000)

/** Some are encoded already. */
const encode = (id: string) => (id.includes('%') ? id : encodeURIComponent(id))

it('refuses a query of a wrong type or text by naming the field (400), on every route, and ignores what it does not know', async () => {
  const integers = [
    '',
    'x',
    '0',
    '-1',
    '1001',
    '1.5',
    '1e1',
    '0x1',
    '%00',
    '2147483648',
    '9'.repeat(5000),
    '1&@=2',
  ]
  const texts = ['%00', 'a%00b', 'a&@=b']
  for (const route of judging.service.routes.filter(({ method }) => method === 'GET')) {
    for (const [name, { type }] of Object.entries(schemaOf(route.query).properties ?? {})) {
      for (const wrong of type === 'integer' ? integers : texts) {
        const answer = await ask(route, queriedPathOf(route, `${name}=${wrong.replace('@', name)}`))
        expect(answer, `${label(route)} ${name}=${wrong}`).toMatchObject({
          status: 400,
          body: { code: '400' },
        })
        expect(answer.body.error).toContain(name)
      }
    }
    for (const query of [
      'unknown=1',
      '%zz',
      '__proto__=1&constructor[prototype]=2',
      '=&&=',
      `a=${'b'.repeat(5000)}`,
    ]) {
      const { status } = await ask(route, queriedPathOf(route, query))
      // The one run was made through one of the three channels only.
      expect([200, 404], `${label(route)} ${query}`).toContain(status)
    }
  }
})

it('refuses a cursor that it did not make (400), and takes odd text in a search, on every list', async () => {
  const made = [
    '',
    'x',
    '[]',
    '{}',
    '[1,2,3]',
    '["a"]',
    '["\\u0000","\\u0000"]',
    '["1","2","3","4"]',
    'null',
    '"a"',
  ]
  const numbers = [
    '["99999999999999999999"]',
    '["-1"]',
    '["1e5"]',
    '["99999999999999999999","x"]',
    '[["a"],["b"]]',
  ]
  for (const route of judging.service.routes) {
    if (schemaOf(route.query).properties?.after === undefined) continue
    for (const cursor of [...made, ...numbers, `["${'9'.repeat(1000)}"]`]) {
      const after = Buffer.from(cursor).toString('base64url')
      const answer = await ask(route, `${pathOf(route)}?limit=2&after=${after}`)
      // One text is what a list that is ordered by a text may well have made.
      const isTheirs = answer.status === 200 && /^\["[^"\\]*"\]$/.test(cursor)
      if (!isTheirs) expect(answer, `${label(route)} ${cursor}`).toMatchObject({ status: 400 })
    }
  }
  for (const text of ['%25', '_', "'", '%27%3B--', '%5C', '%F0%9F%99%82', '%E2%80%AE', 'a'.repeat(200)]) {
    for (const url of [`/v1/users?username=${text}`, `/v1/problems?query=${text}`]) {
      const answer = await judging.service.send({ method: 'GET', url, token: judging.admin.token })
      expect(answer.status, url).toBe(200)
    }
  }
})

// Last, since some of these bodies are taken and change what the others look at.
it('takes the body that the others differ from in one field: nothing else is wrong with it', async () => {
  for (const route of routesWithBody()) {
    const answer = await ask(route, pathOf(route), JSON.stringify(rightBody(route)))
    expect(answer.body.code, `${label(route)}: ${answer.text}`).not.toBe('400')
  }
})

it('refuses a body with a field missing or of a wrong type, size or text by naming the field (4xx), on every route', async () => {
  let refused = 0
  for (const route of routesWithBody()) {
    for (const { field, json, mustBeRefused } of wrongBodies(schemaOf(route.body), rightBody(route))) {
      const answer = await ask(route, pathOf(route), json)
      if (!mustBeRefused) continue
      refused++
      expect([400, 413], `${label(route)} ${json.slice(0, 300)}`).toContain(answer.status)
      if (answer.status === 400) expect(answer.body.error).toContain(field)
    }
  }
  expect(refused).toBeGreaterThan(1000)
}, 180_000)

it('reads everything as ever after all that', async () => {
  for (const route of judging.service.routes.filter(({ method }) => method === 'GET')) {
    const answer = await ask(route, queriedPathOf(route, ''))
    expect([200, 404], `${label(route)}: ${answer.text}`).toContain(answer.status)
  }
})
