import { expect, it } from 'vitest'
import type { Route } from '../../src/http/routing/route.ts'
import { wrongBodies } from '../http/hostile-values.ts'
import { labelOf, openWithRecords, schemaOf } from '../http/right-requests.ts'
import type { TestResponse } from '../support/caller.ts'
import { NO_PROBLEM } from '../support/ids.ts'
import { invalid, refusalAt } from '../support/refusals.ts'

const recorded = await openWithRecords({ JUDGE_EXTRA_STATUSES: '' })
const { service, admin, ids, known, pathOf } = recorded
const { routes } = service
const runId = ids.run_id ?? ''
// With every problem, WRONG_ANSWER needs no score.
const status = 'WRONG_ANSWER'
const own = { name: 'a name of its own', email: 'hostile@example.org', title: 'A contest', status }

const bodyOf = (route: Route) => recorded.bodyOf(route, own)

/** The path with a query, and with the values of all other required queries. */
function pathWithQuery(route: Route, query: string): string {
  const { required = [] } = schemaOf(route.query)
  const values: Record<string, unknown> = { ...known, ...own }
  const others = required
    .filter((name) => !query.startsWith(`${name}=`))
    .map((name) => `${name}=${values[name]}`)
  return `${pathOf(route)}?${[query, ...others].join('&')}`
}

/** Sends a request with all rights; expects that the service does not fail. */
async function send(route: Route, url: string, raw?: string): Promise<TestResponse> {
  const token = recorded.credentialOf(route, admin.token)
  const sent = route.upload ? recorded.payloadOf(route) : raw !== undefined && { raw }
  const response = await service.send({ method: route.method, url, token, ...sent })
  const message = `${labelOf(route)} ${url.slice(0, 100)} ${raw?.slice(0, 300)}\n${response.text}`
  expect(response.status, message).toBeLessThan(500)
  return response
}

async function expectNamed(field: string, route: Route, url: string, raw?: string): Promise<void> {
  const response = await send(route, url, raw)
  expect(response, `${labelOf(route)} ${url.slice(0, 100)}`).toMatchObject(refusalAt(route.url, invalid))
  expect(response.body.message).toContain(field)
}

/** Texts for readers, which do not change what a schema accepts. */
const TEXTS = new Set(['description', 'examples', 'example', 'default', 'title'])

/** A test tries all wrong values once for each different schema, and elsewhere one. */
function recallSchemas(): (schema: object) => boolean {
  const known = new Set<string>()
  const write = (schema: object) =>
    JSON.stringify(schema, (key, value) => (TEXTS.has(key) && typeof value !== 'object' ? undefined : value))
  return (schema) => known.size < known.add(write(schema)).size
}

/** Encodes an id, unless it is encoded already. */
const encode = (id: string) => (id.includes('%') ? id : encodeURIComponent(id))

const NEVER_IDS = [
  ...['x', '1e1', '+1', '%201', '1%20', '0x10', '1.0', '%00', '%F0%9F%99%82', 'null', '1,2'],
  ...['2147483648', '9007199254740993', '99999999999999999999', '-2147483649'],
  ...['a'.repeat(5000), '9'.repeat(5000)],
  ...[`${runId}0`, `{${runId}}`, runId.replaceAll('-', ''), `g${runId.slice(1)}`],
]

/** Pages are the same for every event, so that they tell nothing. */
const PAGES = ['openScoreboardPage', 'openContestPage']

const statusOfUnknown = ({ name, policy }: Route) =>
  PAGES.includes(name) ? 200 : policy === 'scoreboard token' ? 401 : 404

it('refuses malformed ids (400) and unknown ids (404, with a scoreboard token 401) in the path of every route', async () => {
  const isNew = recallSchemas()
  for (const route of routes) {
    const raw = route.body === undefined ? undefined : JSON.stringify(bodyOf(route))
    for (const [name, schema] of Object.entries(schemaOf(route.params).properties ?? {})) {
      const { type, format } = schema
      // Names of files are any text.
      if (type === 'string' && format === undefined) continue
      const isInteger = type === 'integer'
      const ofOtherTypes = isInteger ? [runId] : ['0', '1', `${NO_PROBLEM}`]
      const malformed = isNew({ type, format }) ? [...NEVER_IDS, ...ofOtherTypes] : ['x']
      for (const id of malformed) await expectNamed(name, route, pathOf(route, { [name]: encode(id) }), raw)
      const unknown = isInteger
        ? ['0', '-1', '-2147483648', `${NO_PROBLEM}`]
        : ['00000000-0000-0000-0000-000000000000']
      for (const id of unknown) {
        const { status } = await send(route, pathOf(route, { [name]: id }), raw)
        expect(status, `${labelOf(route)} ${id}`).toBe(statusOfUnknown(route))
      }
    }
  }
})

const WRONG_NUMBERS = ['', 'x', '0', '-1', '1001', '1.5', '1e1', '0x1', '%00', '2147483648', '9'.repeat(5000)]
const WRONG_TEXTS = ['%00', 'a%00b']
const UNKNOWN_QUERIES = ['unknown=1', '%zz', '__proto__=1&constructor[prototype]=2', '=&&=']
const SQL = [`'"\\;--/*%_$1{}::text<script>`, "' or '1'='1", '1; drop table users', "') union select 1--"]

it('refuses wrong queries by name (400) on every route, and ignores unknown ones', async () => {
  const [isNew, isNewQuery] = [recallSchemas(), recallSchemas()]
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    for (const [name, schema] of Object.entries(schemaOf(route.query).properties ?? {})) {
      const { type } = schema
      const numbers = WRONG_NUMBERS.filter(
        (number) => !name.endsWith('_id') || !['0', '-1', '1001'].includes(number),
      )
      const all = [...(type === 'integer' ? numbers : WRONG_TEXTS), `1&${name}=2`]
      const isNewSchema = isNew(schema)
      for (const wrong of isNewSchema ? all : all.slice(0, 1))
        await expectNamed(name, route, pathWithQuery(route, `${name}=${wrong}`))
      for (const text of isNewSchema ? SQL : []) {
        const { status } = await send(route, pathWithQuery(route, `${name}=${encodeURIComponent(text)}`))
        expect([200, 400, 404], `${labelOf(route)} ${name}=${text}`).toContain(status)
      }
    }
    if (!isNewQuery(schemaOf(route.query))) continue
    for (const query of [...UNKNOWN_QUERIES, `a=${'b'.repeat(5000)}`, '']) {
      const { status } = await send(route, pathWithQuery(route, query))
      // The run belongs to one of three channels; the others do not find it.
      expect([200, 404], `${labelOf(route)} ${query}`).toContain(status)
    }
  }
})

it('compares searched names to the letter', async () => {
  for (const text of ['100%', '100_', "o'neil", 'back\\slash', '$1', '";--', '🙂', '\uE000', '%', ...SQL]) {
    const person = { name: `query ${text}`, email: `${encodeURIComponent(text)}@example.org` }
    await admin.post('/v1/users', person, 201)
    const found = await admin.get(`/v1/users?username=${encodeURIComponent(`y ${text}`)}`)
    expect(found.map(({ name }: { name: string }) => name)).toEqual([person.name])
    await admin.get(`/v1/problems?query=${encodeURIComponent(text)}`, 200)
  }
})

// Last, because some of these bodies change records.
it('refuses bodies with a missing or wrong field by name (400 or 413), on every route', async () => {
  const withBody = routes.filter(({ body }) => body !== undefined)
  for (const route of withBody) {
    const accepted = await send(route, pathOf(route), JSON.stringify(bodyOf(route)))
    expect(String(accepted.body.code), `${labelOf(route)}: ${accepted.text}`).not.toBe('400')
  }
  let refused = 0
  const isNew = recallSchemas()
  for (const route of withBody) {
    const right = bodyOf(route)
    for (const { field, json, mustBeRefused } of wrongBodies(schemaOf(route.body), right, isNew)) {
      const response = await send(route, pathOf(route), json)
      if (!mustBeRefused) continue
      refused++
      expect([400, 413], `${labelOf(route)} ${json.slice(0, 300)}`).toContain(response.status)
      if (response.status === 400) expect(response.body.message).toContain(field)
    }
  }
  expect(refused).toBeGreaterThan(1000)
  for (const route of routes.filter(({ method }) => method === 'GET'))
    expect([200, 404], labelOf(route)).toContain((await send(route, pathWithQuery(route, ''))).status)
})

it('refuses updates without a field that they can change (400), and names these fields (D2)', async () => {
  const updates = routes.filter(({ method, body }) => body && (method === 'PUT' || method === 'PATCH'))
  expect(updates.length).toBeGreaterThan(4)
  for (const route of updates) {
    const { required = [], properties = {} } = schemaOf(route.body)
    for (const raw of [undefined, '', '{}', '{"unknown":1}', '{"unknown":{"title":"New"},"":null}']) {
      const response = await send(route, pathOf(route), raw)
      expect(response, `${labelOf(route)} ${raw}`).toMatchObject(refusalAt(route.url, invalid))
      if (required.length > 0) continue
      const fields = Object.keys(properties).join(', ')
      expect(response.body.message).toBe(`The body must be a JSON object with at least one of ${fields}`)
    }
  }
})
