import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Route } from '../../src/http/routing/route.ts'
import type { Schema } from '../../verification/openapi-operations.ts'
import { rightValue } from '../http/hostile-values.ts'
import { openTestApp } from '../support/app.ts'
import { listen } from '../support/bare-app.ts'
import { type ContestService, serviceWithContests } from '../support/contests.ts'
import { bodyOf, connectRaw } from '../support/raw-client.ts'

const ORIGIN = 'https://contest.example.org'

const service = await openTestApp({ CORS_ORIGINS: ORIGIN })
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })
for (let i = 0; i < 3; i += 1) await service.createPerson()
const port = await listen(service.app)

const protection = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-cache',
}

describe('every answer', () => {
  it('forbids guessing its type, sending its address along and sharing it in a cache, on every route to whoever asks', async () => {
    for (const { method, url } of service.routes) {
      for (const token of [undefined, user.token, admin.token, service.judgeToken]) {
        // What is not there: a walk that deletes nobody who walks.
        const path = url.replaceAll(/:\w*(problem|event|id)\w*/g, '2147483647')
        const answer = await service.send({ method, url: path, ...(token !== undefined && { token }) })
        expect(answer.headers, `${method} ${url} ${answer.status}`).toMatchObject(protection)
      }
    }
    for (const url of ['/nowhere', '/v1/users/%zz']) {
      expect((await service.send({ method: 'GET', url })).headers, url).toMatchObject(protection)
    }
  })
})

/** The head of the answer to a request that is sent byte by byte as it stands. */
async function headOf(...lines: string[]): Promise<{ head: string[]; body: unknown }> {
  const client = await connectRaw(port)
  client.send(`${[...lines, 'Host: judge', 'Connection: close'].join('\r\n')}\r\n\r\n`)
  const answer = await client.untilEnded()
  const isText = /content-length: 0/i.test(answer)
  return { head: answer.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? [], body: isText ? '' : bodyOf(answer) }
}

/** The names of headers that an attacker would want to add. */
const injected = (head: readonly string[]) => head.filter((line) => /^(set-cookie|x-evil)/i.test(line))

describe('a header of an answer', () => {
  it('is not split by a line break in the address that the next page repeats', async () => {
    for (const evil of [
      '%0d%0aX-Evil:%201',
      '%0aSet-Cookie:a=b',
      '%E5%98%8A%E5%98%8DX-Evil:1',
      '%0D%0A%0D%0A',
    ]) {
      const path = `/v1/users?limit=1&other=${evil}&username=`
      const { head } = await headOf(`GET ${path} HTTP/1.1`, `Authorization: ${admin.token}`)
      expect(head[0]).toBe('HTTP/1.1 200 OK')
      expect(head.filter((line) => /^link:/i.test(line))).toHaveLength(1)
      expect(injected(head), evil).toEqual([])
    }
  })

  it('names one next page, on this service, whatever the address tries to add to it', async () => {
    for (const evil of ['>;rel="prev",<https://evil.example', '"', '<', '>', ';', ',', '%3E%3Brel=next']) {
      const path = `/v1/users?limit=1&other=${evil}&username=`
      const { head } = await headOf(`GET ${path} HTTP/1.1`, `Authorization: ${admin.token}`)
      const link = head.find((line) => /^link:/i.test(line)) ?? ''
      expect(link, evil).toMatch(/^link: <\/v1\/users\?[^<>"]*>; rel="next"$/i)
    }
    // An absolute or a double-slashed address must not become a link to another host.
    for (const host of ['//evil.example', 'http://evil.example', 'HTTPS://evil.example:1']) {
      const { head } = await headOf(`GET ${host}/v1/users?limit=1 HTTP/1.1`, `Authorization: ${admin.token}`)
      const links = head.filter((line) => /^link:/i.test(line))
      // With two slashes it is a path that there is no route for.
      expect(links, host).toHaveLength(host.startsWith('//') ? 0 : 1)
      for (const link of links) expect(link).toMatch(/^link: <\/v1\/users\?/i)
    }
  })

  it('is never what a client wrote as its origin or its request’s id', async () => {
    for (const name of ['Origin', 'X-Request-Id']) {
      for (const evil of ['https://evil.example', `${ORIGIN}\tX-Evil: 1`, `${ORIGIN}, *`]) {
        const { head } = await headOf('GET /health HTTP/1.1', `${name}: ${evil}`)
        expect(head.join('\n'), `${name} ${evil}`).not.toMatch(/evil|\*/i)
      }
      // A bare line feed or carriage return is no header at all.
      const { head } = await headOf('GET /health HTTP/1.1', `${name}: a\rX-Evil: 1`)
      expect(head[0]).toBe('HTTP/1.1 400 Bad Request')
      expect(injected(head)).toEqual([])
    }
  })
})

describe('two Authorization headers', () => {
  it('give no rights beyond those of the first, which alone counts', async () => {
    const ask = (first: string, second: string) =>
      headOf('GET /v1/users HTTP/1.1', `Authorization: ${first}`, `Authorization: ${second}`)
    expect((await ask(user.token, admin.token)).body).toMatchObject({ code: 'FORBIDDEN' })
    expect((await ask('nonsense', admin.token)).body).toMatchObject({ code: 'MALFORMED_TOKEN' })
    expect((await ask('', admin.token)).body).toMatchObject({ code: 'UNAUTHORIZED' })
  })
})

let contests: ContestService
/** An id of something that is there, for each parameter of a path. */
let ids: Record<string, string>
let known: Record<string, unknown>
/** Every text that a route has taken, by route and field. */
const taken = new Map<string, string>()

const HOSTILE = `'"\\;--/*%_$1{}::text<script>\${x}`
/** Texts of their own each, since names must be; they begin alike so that the log may be searched for them. */
const hostile = (count: number) => `hostile-${count}-${HOSTILE}`

beforeAll(async () => {
  contests = await serviceWithContests({ SEARCH_BACKEND: 'postgres', LOG_LEVEL: 'trace' })
  const { service, admin, problem, language, ask, submit } = contests
  const event = await contests.createEvent({ teams: true, problems: [{ problem_id: problem.id }] })
  const team = await ask(admin, 'POST', `/v1/events/${event}/teams`, { name: 'us' })
  const question = await ask(admin, 'POST', `/v1/events/${event}/questions`, { question: 'Why?' })
  const program = { language_id: language.id, source_code: 'x', stdin: '' }
  const run = await ask(admin, 'POST', '/v1/input_submissions', program)
  ids = {
    ...{ event_id: String(event), problem_id: String(problem.id), team_id: team.body.team_id },
    ...{ question_id: question.body.id, submission_id: await submit(admin), run_id: run.text },
    user_id: (await service.createPerson()).id,
  }
  known = {
    ...{ user_id: admin.id, problem_id: problem.id, language_id: language.id, status: 'ACCEPTED' },
    ...{ category_ids: [], event_id: null, test_case_id: problem.cases[0], failed_test_case_id: null },
    ...{ id: problem.cases[0], languages: [], difficulty: 'EASY', is_admin: false },
    ...{ start_time: '2026-01-01T00:00:00Z', end_time: '2096-01-01T00:00:00Z' },
  }
  service.log.length = 0
  await writeEverywhere()
}, 120_000)
afterAll(() => contests.service.close())

const schemaOf = (schema: object | undefined): Schema => JSON.parse(JSON.stringify(schema ?? {}))

function pathOf({ url }: Pick<Route, 'url'>): string {
  const isRun = url.includes('input_submissions')
  return url.replaceAll(/:(\w+)/g, (_, name: string) => ids[isRun ? 'run_id' : name] ?? NOTHING)
}
const NOTHING = '00000000-0000-7000-8000-000000000000'

/** Sends every route with a body a right one, in which every free text is a hostile one and every object is polluted. */
async function writeEverywhere(): Promise<void> {
  const { service, admin } = contests
  const { webBridge } = service.config.secrets
  let count = 0
  for (const route of service.routes.filter(({ body }) => body !== undefined)) {
    const schema = schemaOf(route.body)
    const texts = new Map<string, string>()
    const body = fill(rightValue(schema, known), schema, (name) => {
      count += 1
      const text = name === 'email' ? `hostile-${count}-'"%_$1--@example.org` : hostile(count)
      texts.set(`${route.method} ${route.url} ${name}`, text)
      return text
    })
    const token = route.policy === 'bridge secret' ? webBridge : admin.token
    const raw = writePolluted(body)
    const answer = await service.send({ method: route.method, url: pathOf(route), token, raw })
    expect(answer.status, `${route.method} ${route.url} ${answer.text}`).toBeLessThan(500)
    if (answer.status < 300) for (const [field, text] of texts) taken.set(field, text)
  }
}

const POLLUTION =
  '"__proto__":{"polluted":"by-pollution"},"constructor":{"prototype":{"polluted":"by-pollution"}}'

/** JSON with the pollution in every object. */
function writePolluted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writePolluted).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}:${writePolluted(field)}`)
  return `{${[POLLUTION, ...fields].join()}}`
}

/** Replaces every free text in a value of a schema. */
function fill(value: unknown, schema: Schema, write: (name: string) => string, name = ''): unknown {
  const own = schema.anyOf?.[0] ?? schema
  if (Array.isArray(value)) return value.map((item) => fill(item, own.items ?? {}, write, name))
  if (own.properties !== undefined) {
    const fields = Object.entries(Object(value))
    return Object.fromEntries(
      fields.map(([key, field]) => [key, fill(field, own.properties?.[key] ?? {}, write, key)]),
    )
  }
  const isFree = own.type === 'string' && own.enum === undefined && own.format === undefined
  return isFree && !(name in known) ? write(name) : value
}

/** Every text that any table holds. */
async function readTexts(): Promise<Set<string>> {
  const { database } = contests.service
  const tables = await database.query(
    unprepared<{ name: string }>(`select tables.table_name as name from information_schema.tables
       where tables.table_schema = 'public' and tables.table_type = 'BASE TABLE'`),
  )
  const texts = new Set<string>()
  for (const { name } of tables) {
    const rows = await database.query(
      unprepared<{ row: string }>(`select to_jsonb(held)::text as row from "${name}" as held`),
    )
    for (const { row } of rows) {
      JSON.parse(row, (key, value) => {
        texts.add(key)
        if (typeof value === 'string') texts.add(value)
        return value
      })
    }
  }
  return texts
}

/** Passwords are hashed; the resets ask for an e-mail that nobody has. */
const KEPT_NOWHERE = [
  'POST /v1/basic_register password',
  'POST /v1/basic_request_password_reset email',
  'POST /v1/basic_reset_password email',
  'POST /v1/basic_reset_password new_password',
  'POST /v1/basic_reset_password token',
  'POST /v1/users password',
]

describe('a text full of what SQL, HTML and templates read', () => {
  it('is kept to the letter by every route that takes it, but for passwords and resets, which are kept nowhere', async () => {
    const texts = await readTexts()
    const kept = [...taken].filter(([, text]) => texts.has(text)).map(([field]) => field)
    const lost = [...taken.keys()].filter((field) => !kept.includes(field))
    expect(kept.length).toBeGreaterThan(25)
    expect(lost.sort()).toEqual(KEPT_NOWHERE)
  })

  it('is compared to the letter by every query: it finds what is called so, and nothing else', async () => {
    const { ask, admin, service } = contests
    for (const name of ['100%', '100_', "o'neil", 'back\\slash', '$1', '";--']) {
      const person = { name: `query ${name}`, email: `${encodeURIComponent(name)}@example.org` }
      expect(await ask(admin, 'POST', '/v1/users', person)).toMatchObject({ status: 201 })
      const found = await ask(admin, 'GET', `/v1/users?username=${encodeURIComponent(`y ${name}`)}`)
      expect(found.body.map((user: { name: string }) => user.name)).toEqual([person.name])
    }
    for (const route of service.routes.filter(({ method }) => method === 'GET')) {
      for (const name of Object.keys(schemaOf(route.query).properties ?? {})) {
        for (const text of [HOSTILE, "' or '1'='1", '1; drop table users', "') union select 1--"]) {
          const url = `${pathOf(route)}?${name}=${encodeURIComponent(text)}`
          const { status, body } = await ask(admin, 'GET', url)
          expect([200, 400, 404], `${url} ${JSON.stringify(body)}`).toContain(status)
          if (name === 'username')
            expect(body.every((user: { name: string }) => user.name.includes(text))).toBe(true)
        }
      }
    }
    expect((await readTexts()).size).toBeGreaterThan(taken.size)
  })
})

describe('__proto__ and constructor.prototype in every object of every body', () => {
  it('change no object of the process, and are stored nowhere', async () => {
    expect(Object(Object.prototype).polluted).toBeUndefined()
    expect(Object.getOwnPropertyNames({})).toEqual([])
    const texts = await readTexts()
    expect([...texts].filter((text) => /pollut|__proto__/.test(text))).toEqual([])
  })
})

describe('the log of all that, at its most talkative', () => {
  it('has no text that anybody wrote, no token and no secret', () => {
    const { log, config } = contests.service
    expect(log.length).toBeGreaterThan(100)
    const text = log.join('')
    const { judgePassword, webBridge, jwtSigning } = config.secrets
    for (const secret of [
      judgePassword,
      webBridge,
      jwtSigning,
      contests.admin.token,
      'hostile-',
      'drop table',
    ])
      expect(text).not.toContain(secret)
    expect(text).not.toMatch(/eyJ|argon2/)
  })
})
