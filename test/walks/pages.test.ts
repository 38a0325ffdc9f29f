import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { ActorDatabase } from '../../src/http/routing/actor.ts'
import { isOfContestApi } from '../../src/http/routing/errors.ts'
import { defineList, LIST_LIMIT_BYTES, type List, PAGE_BYTES } from '../../src/lists/definition.ts'
import { ascending } from '../../src/lists/order.ts'
import { writeCursor } from '../../src/lists/page.ts'
import { openListContents } from '../lists/list-contents.ts'
import { type ListUrl, listUrls, readListKeys } from '../lists/list-urls.ts'
import type { Person } from '../support/app.ts'
import { observeStatements } from '../support/observed-statements.ts'
import { invalid, invalidField } from '../support/refusals.ts'

const contents = await openListContents()
const { service, admin, user, problemId, eventId, submissionId } = contents
const keys = await readListKeys()

const ids = { user_id: user.id, problem_id: problemId, event_id: eventId, submission_id: submissionId }
const filters = { username: 'PERSON-', query: 'x', user: user.id, team: contents.teamId, event_id: eventId }
const lists = listUrls(service.routes, ids, filters)

const addTo = (url: string, query: Record<string, string>) => {
  const [path = '', search = ''] = url.split('?')
  return `${path}?${new URLSearchParams([...new URLSearchParams(search), ...Object.entries(query)])}`
}

const cursorOf = (parts: unknown) => writeCursor(JSON.stringify(parts))

const nextOf = (link = '') => /^<([^<>]+)>; rel="next"$/.exec(link)?.[1]

/** Whether no list before had a key of these types: such lists read cursors alike. */
const readKeys = new Set<string>()
const isNewKey = (key: List['key']) => readKeys.size < readKeys.add(key.map(({ type }) => type).join()).size

/** Follows the links from the first page; returns the pages. */
async function walk(by: Person, url: string, limit: number): Promise<unknown[][]> {
  const pages: unknown[][] = []
  let next: string | undefined = addTo(url, { limit: String(limit) })
  while (next !== undefined) {
    const { status, text, body, headers } = await by.send('GET', next)
    expect(status, text).toBe(200)
    pages.push(body)
    next = nextOf(headers.link)
    expect(pages.length).toBeLessThan(100)
  }
  return pages
}

/** Returns the callers who may read a list, those with the longest list first, with their lists. */
async function readAs({ url }: ListUrl) {
  const found = await Promise.all([user, admin].map(async (by) => ({ by, ...(await by.send('GET', url)) })))
  const allowed = found.filter(({ status }) => status === 200)
  return allowed.sort((one, other) => other.body.length - one.body.length)
}

/** Returns the key of the list that a URL reads, from the name of the statement that it runs. */
async function findKey(by: Person, url: string): Promise<List['key']> {
  const names: string[] = []
  const stop = observeStatements(service.database, (name) => names.push(name))
  await by.get(addTo(url, { limit: '1' }))
  stop()
  const [key] = names.flatMap((name) => {
    const found = keys.get(name.replace(/_(first|version)$/, ''))
    return found === undefined ? [] : [found]
  })
  if (key === undefined) throw new Error(`${url} reads no list that a feature exports`)
  return key
}

const uuid = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
/** Beyond the last time, but within 64 bits. */
const noInstant = '9'.repeat(18)

type KeyType = List['key'][number]['type']

/** A value of each type that a cursor may contain. */
const examples: Record<KeyType, string> = {
  ...{ uuid, integer: '7', bigint: '9223372036854775807', float8: '-0.10000000149011612' },
  ...{ instant: '1772366400123456', text: 'M' },
}

const malformed = ['', 'x', ' 7', '7.5', '+7', '1e3', '0x7', 'Infinity', `${uuid}0`]
const numbers = [...malformed, uuid]
/** Values that a cursor may not contain for a type. */
const unreadable: Record<KeyType, readonly string[]> = {
  uuid: [...malformed, noInstant, uuid.toUpperCase(), uuid.replaceAll('-', '')],
  integer: [...numbers, noInstant, '2147483648'],
  bigint: [...numbers, '9223372036854775808'],
  float8: ['', 'x', ' 7', '+7', '7.', '.5', '0x7', '1e999', 'NaN', 'Infinity', uuid, noInstant],
  instant: [...numbers, noInstant],
  text: ['M\0'],
}

/** Cursors that no list with this key writes. */
function forgedFor(key: List['key']): string[] {
  const own: unknown[] = key.map(({ type }) => examples[type])
  const wrongParts = key.flatMap(({ type }, place) =>
    [...unreadable[type], `${own[place]}\0`, [own[place]], 7, null].map((part) => own.with(place, part)),
  )
  const wrongWhole = [null, 7, 'x', {}, [], [[]], [null], [{}], [7], [true], { 0: own[0] }]
  const wrongLength = [[...own, 'more'], [...own, 7], own.slice(1), own.slice(0, -1)]
  const wrong = [...wrongParts, ...wrongWhole, ...wrongLength].map(cursorOf)
  return ['', 'x', '%%%', '-1', writeCursor('['), ...wrong]
}

describe.each(lists)('the list $name', (list) => {
  const { url } = list
  let readers: Awaited<ReturnType<typeof readAs>>
  let by: Person
  let whole: unknown[]
  let key: List['key']
  let isNew: boolean
  beforeAll(async () => {
    readers = await readAs(list)
    const [first] = readers
    by = first?.by ?? admin
    whole = first?.body ?? []
    key = await findKey(by, url)
    isNew = isNewKey(key)
  })

  it('is complete and has no link without a limit (D6)', () => {
    expect(whole.length).toBeGreaterThanOrEqual(4)
    for (const { headers } of readers) expect(headers.link).toBeUndefined()
  })

  it('is the same in pages of any size, each page but the last full', async () => {
    for (const reader of readers) {
      const { length } = reader.body
      for (const limit of isNew ? [1, 3, Math.max(1, length), 1000] : [3]) {
        const pages = await walk(reader.by, url, limit)
        expect(pages.flat()).toEqual(reader.body)
        expect(pages.length).toBe(Math.max(1, Math.ceil(length / limit)))
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit)
      }
    }
  })

  it('links to the same path and query with a cursor, which continues to the end without a limit', async () => {
    const asked = new URL(addTo(url, { limit: '2' }), 'http://service')
    const { headers } = await by.send('GET', addTo(url, { limit: '2' }))
    const next = new URL(nextOf(headers.link) ?? '', 'http://service')
    const after = next.searchParams.get('after') ?? ''
    expect(after).toMatch(/^[\w-]+$/)
    next.searchParams.delete('after')
    expect(next.href).toBe(asked.href)
    const rest = await by.send('GET', addTo(url, { after }))
    expect(rest.body).toEqual(whole.slice(2))
    expect(rest.headers.link).toBeUndefined()
  })

  it('refuses cursors of other lists, and cursors over 8,000 characters (400)', async () => {
    const message = 'after must be the cursor from a Link header'
    for (const after of isNew ? forgedFor(key) : ['x'])
      expect(await by.get(addTo(url, { after }), invalid), after).toMatchObject({ message })
    await by.get(addTo(url, { after: 'x'.repeat(20_000) }), invalid)
  })

  it('gives 200 or 400 for any cursor', async () => {
    if (!isNew) return
    const own = key.map(({ type }) => examples[type])
    const numbers = [fc.integer().map(String), fc.bigInt().map(String)]
    const texts = [fc.string({ unit: 'binary' }), fc.uuid(), fc.constantFrom(...own)]
    const part = fc.oneof(...numbers, ...texts)
    const parts = fc.tuple(...own.map(() => part)).map(cursorOf)
    const anything = fc.oneof(parts, fc.json().map(writeCursor), fc.string({ unit: 'binary' }))
    const check = fc.asyncProperty(anything, async (after) => {
      const { status } = await by.send('GET', addTo(url, { after: after.toWellFormed(), limit: '2' }))
      expect([200, 400]).toContain(status)
    })
    await fc.assert(check, { numRuns: 30 })
  })
})

it('only lists have responses that are arrays', () => {
  // Those of the Contest API have no pages.
  const listing = service.routes.filter(
    ({ url, responses }) => !isOfContestApi(url) && Object(responses[200]).type === 'array',
  )
  expect(new Set(lists.map(({ route }) => route))).toEqual(new Set(listing))
})

describe('while a list changes', () => {
  it('the next page follows a cursor whose item was deleted', async () => {
    for (const n of [1, 2, 3, 4]) await admin.post('/v1/categories', { name: `change ${n}` })
    const url = `/v1/categories?limit=2&after=${cursorOf(['change 0'])}`
    const first = await admin.send('GET', url)
    expect(first.body).toMatchObject([{ name: 'change 1' }, { name: 'change 2' }])
    await admin.delete(`/v1/categories/${first.body[1].id}`)
    const second = await admin.get(nextOf(first.headers.link) ?? '')
    expect(second).toMatchObject([{ name: 'change 3' }, { name: 'change 4' }])
  })

  it('the next page repeats and misses no item after newer ones were added', async () => {
    const url = `/v1/user_submissions/${user.id}`
    const before = await user.get(url)
    const first = await user.send('GET', `${url}?limit=3`)
    const [{ id: language_id }] = await user.get('/v1/languages')
    const program = { language_id, source_code: 'print(3)' }
    await user.post('/v1/submissions', { user_id: user.id, problem_id: problemId, ...program })
    expect(await user.get(nextOf(first.headers.link) ?? '')).toEqual(before.slice(3, 6))
  })
})

it('an empty list is an empty array without a link, with a limit and without', async () => {
  const person = await service.createPerson()
  for (const query of ['', '?limit=5']) {
    const response = await person.send('GET', `/v1/user_submissions/${person.id}${query}`)
    expect(response).toMatchObject({ status: 200, text: '[]' })
    expect(response.headers.link).toBeUndefined()
  }
})

it('a cursor does not extend what its caller may see', async () => {
  const all = await admin.get('/v1/problems')
  const own = await user.get('/v1/problems')
  expect(own.length).toBeLessThan(all.length)
  for (const { id } of all) {
    const rest = await user.get(`/v1/problems?after=${cursorOf([String(id)])}`)
    expect(rest).toEqual(own.filter((problem: { id: number }) => problem.id > id))
  }
})

it('a list that is too long for one response is refused, and is read in pages (D6) [Error: 400]', async () => {
  const PROGRAM_BYTES = 256 * 1024
  const person = await service.createPerson()
  await service.database.query(
    unprepared(`insert into submissions (id, user_id, problem_id, language_id, source_code)
       select gen_random_uuid(), $1::uuid, $2::integer, (select languages.id from languages limit 1), repeat('x', $3::integer)
       from generate_series(1, $4::integer)`),
    [person.id, problemId, PROGRAM_BYTES, LIST_LIMIT_BYTES / PROGRAM_BYTES],
  )
  const url = `/v1/user_submissions/${person.id}`
  await person.get(url, invalidField('limit'))
  expect(await person.get(`${url}?limit=2`)).toHaveLength(2)
})

describe('a list with long texts', () => {
  /** A list of 1000 items, of which the item `fault` cannot be built. */
  const listWith = (fault: number, bytes: string) =>
    defineList({
      name: `long_list_${fault}`,
      item: `to_json(1 / (items.n - ${fault}))`,
      bytes,
      from: 'generate_series(1, 1000) as items (n)',
      order: ascending({ column: 'items.n', type: 'integer' }),
    })
  const anonymous = new ActorDatabase(service.database)
  const read = (statement: List['whole'], values: object = {}) =>
    anonymous.query(statement, { page_limit: 5, ...values })

  it('is measured before any of its JSON is built', async () => {
    const { whole } = listWith(1, String(LIST_LIMIT_BYTES / 1000))
    expect(await read(whole)).toMatchObject([{ body: null, next: null }])
  })

  it('has pages of the items that fit, and builds no other (D6)', async () => {
    const { first, after } = listWith(4, String(PAGE_BYTES / 4))
    expect(await read(first)).toMatchObject([{ body: '[0,0,-1]', next: '["3"]' }])
    expect(await read(after, { page_after_0: 4 })).toMatchObject([{ body: '[1,0,0]', next: '["7"]' }])
    expect(await read(after, { page_after_0: 997 })).toMatchObject([{ body: '[0,0,0]', next: null }])
  })

  it('has a page for an item of any size', async () => {
    const { first, after } = listWith(2, String(2 ** 40))
    expect(await read(first)).toMatchObject([{ body: '[-1]', next: '["1"]' }])
    expect(await read(after, { page_after_0: 999 })).toMatchObject([{ body: '[0]', next: null }])
  })
})
