import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { LIST_LIMIT_BYTES } from '../../src/lists/definition.ts'
import { writeCursor } from '../../src/lists/page.ts'
import { openListContents } from '../db/list-contents.ts'
import { openTestApp } from '../support/app.ts'
import { createCategory, createProblem, submit } from '../support/problems.ts'

const contents = await openListContents()
const { service, admin, user, problemId } = contents

interface ListCase {
  readonly route: string
  /** The path to read, with its own query; `{user}`, `{problem}`, `{submission}`, `{event}` and `{team}` stand for ids. */
  readonly path: string
  readonly caller: 'admin' | 'user'
  /** The parts of its cursor, as it could make one; `M` stands for any text. */
  readonly cursor: readonly string[]
}

const uuid = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
const instant = '1772366400123456'
const lastBigint = '9223372036854775807'
const lists: ListCase[] = [
  { route: '/v1/users', path: '/v1/users', caller: 'admin', cursor: [uuid] },
  { route: '/v1/users', path: '/v1/users?username=PERSON-', caller: 'admin', cursor: [uuid] },
  { route: '/v1/problems', path: '/v1/problems', caller: 'admin', cursor: ['7'] },
  { route: '/v1/problems', path: '/v1/problems?query=x', caller: 'user', cursor: ['7'] },
  { route: '/v1/categories', path: '/v1/categories', caller: 'user', cursor: ['M'] },
  { route: '/v1/categories/:problem_id', path: '/v1/categories/{problem}', caller: 'user', cursor: ['M'] },
  { route: '/v1/languages', path: '/v1/languages', caller: 'user', cursor: ['M', uuid] },
  {
    route: '/v1/user_submissions/:user_id',
    path: '/v1/user_submissions/{user}',
    caller: 'user',
    cursor: [instant, uuid],
  },
  {
    route: '/v1/user_problem_submissions/:user_id/:problem_id',
    path: '/v1/user_problem_submissions/{user}/{problem}',
    caller: 'admin',
    cursor: [instant, uuid],
  },
  {
    route: '/v1/submissions/:submission_id/verdicts',
    path: '/v1/submissions/{submission}/verdicts',
    caller: 'user',
    cursor: [lastBigint],
  },
  { route: '/v1/public/events', path: '/v1/public/events', caller: 'user', cursor: [instant, '7'] },
  { route: '/v1/events', path: '/v1/events', caller: 'admin', cursor: [instant, '7'] },
  {
    route: '/v1/public/events/:event_id/participants',
    path: '/v1/public/events/{event}/participants',
    caller: 'user',
    cursor: [instant, uuid],
  },
  ofEvent('participants', 'admin', [instant, uuid]),
  ofEvent('problems', 'user', ['7']),
  ofEvent('submissions', 'admin', [instant, uuid]),
  ofEvent('submissions', 'user', [instant, uuid], '?user={user}'),
  ofEvent('submissions', 'user', [instant, uuid], '?team={team}'),
  ofEvent('attempts', 'user', [uuid, '7']),
  ofEvent('user_problem_status', 'user', ['7']),
  ofEvent('problems_stats', 'user', ['7']),
  ofEvent('questions', 'user', [instant, uuid]),
  ofEvent('teams', 'user', [uuid]),
  {
    route: '/v1/user/notifications',
    path: '/v1/user/notifications',
    caller: 'user',
    cursor: [instant, uuid],
  },
]

function ofEvent(name: string, caller: ListCase['caller'], cursor: readonly string[], query = ''): ListCase {
  const path = `/v1/events/{event}/${name}${query}`
  return { route: `/v1/events/:event_id/${name}`, path, caller, cursor }
}

const urlOf = ({ path }: ListCase, query: Record<string, string> = {}) => {
  const [own = '', search = ''] = path
    .replace('{user}', user.id)
    .replace('{problem}', `${problemId}`)
    .replace('{event}', `${contents.eventId}`)
    .replace('{team}', contents.teamId)
    .replace('{submission}', contents.submissionId)
    .split('?')
  const whole = new URLSearchParams([...new URLSearchParams(search), ...Object.entries(query)])
  return whole.size === 0 ? own : `${own}?${whole}`
}

const tokenOf = ({ caller }: ListCase) => (caller === 'admin' ? admin : user).token

const read = (list: ListCase, query: Record<string, string> = {}) =>
  service.send({ method: 'GET', url: urlOf(list, query), token: tokenOf(list) })

const cursorOf = (parts: unknown) => writeCursor(JSON.stringify(parts))

/** Follows the links from the first page on; answers the pages. */
async function walk(list: ListCase, limit: number): Promise<unknown[][]> {
  const pages: unknown[][] = []
  let url: string | undefined = urlOf(list, { limit: String(limit) })
  while (url !== undefined) {
    const answer = await service.send({ method: 'GET', url, token: tokenOf(list) })
    expect(answer.status, answer.text).toBe(200)
    pages.push(answer.body)
    url = nextOf(answer.headers.link)
    expect(pages.length).toBeLessThan(100)
  }
  return pages
}

function nextOf(link: string | undefined): string | undefined {
  return link === undefined ? undefined : /^<([^<>]+)>; rel="next"$/.exec(link)?.[1]
}

it('covers every route that answers a list', () => {
  const listing = service.routes.filter(({ responses }) => Object(responses[200]).type === 'array')
  expect(new Set(lists.map(({ route }) => route))).toEqual(new Set(listing.map(({ url }) => url)))
})

/** An instant beyond the last one; a number of 64 bits it may be. */
const noInstant = '9'.repeat(18)

/** What is neither an integer nor an instant nor a UUID as a cursor carries them. */
const unreadable = [
  '',
  'x',
  ' 7',
  '7.5',
  '+7',
  '1e3',
  '0x7',
  'Infinity',
  noInstant,
  `${uuid}0`,
  uuid.toUpperCase(),
  uuid.replaceAll('-', ''),
]

describe.each(lists)('the list $path, read as $caller', (list) => {
  it('is complete and without a link where no limit is asked for (D6)', async () => {
    const { status, body, headers } = await read(list)
    expect(status).toBe(200)
    expect(body.length).toBeGreaterThanOrEqual(4)
    expect(headers.link).toBeUndefined()
  })

  it('is the same in pages of any size as whole, each page but the last one full', async () => {
    const { body: whole } = await read(list)
    for (const limit of [1, 2, 3, whole.length - 1, whole.length, 1000]) {
      const pages = await walk(list, limit)
      expect(pages.flat()).toEqual(whole)
      expect(pages.length).toBe(Math.ceil(whole.length / limit))
      for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit)
    }
  })

  it('links to the same path and query, with only the cursor changed', async () => {
    const { headers } = await read(list, { limit: '1' })
    const next = new URL(nextOf(headers.link) ?? '', 'http://service')
    const asked = new URL(urlOf(list, { limit: '1' }), 'http://service')
    expect(next.searchParams.get('after')).toMatch(/^[\w-]+$/)
    next.searchParams.delete('after')
    expect(next.href).toBe(asked.href)
  })

  it('goes on after a cursor to its end where no limit is asked for', async () => {
    const { body: whole } = await read(list)
    const { headers } = await read(list, { limit: '2' })
    const url = new URL(nextOf(headers.link) ?? '', 'http://service')
    const rest = await read(list, { after: url.searchParams.get('after') ?? '' })
    expect(rest.body).toEqual(whole.slice(2))
    expect(rest.headers.link).toBeUndefined()
  })

  it.each(['0', '-1', '1001', '1.5', '1e2', 'ten', '', ' 1', '9'.repeat(20)])(
    'refuses a limit of "%s" (400)',
    async (limit) => {
      const answer = await read(list, { limit })
      expect(answer).toMatchObject({ status: 400, body: { code: '400' } })
      expect(answer.body.message).toMatch(/^limit must be /)
    },
  )

  it('refuses a cursor that is not its own (400)', async () => {
    const [first = '', ...others] = list.cursor
    const forged = [
      '',
      'x',
      '%%%',
      '-1',
      writeCursor('['),
      ...[null, 7, 'x', {}, [], [[]], [null], [{}], [7], [true], { 0: first }].map(cursorOf),
      cursorOf([first, ...others, 'more']),
      cursorOf([first, ...others, 7]),
      cursorOf([[first], ...others]),
      cursorOf([`${first}\0`, ...others]),
      cursorOf(others),
      ...(others.length === 0 ? [] : [cursorOf([first]), cursorOf([first, 'x'])]),
      ...(first === '7' ? [cursorOf(['2147483648'])] : []),
      ...(first === lastBigint ? [cursorOf(['9223372036854775808'])] : []),
      ...(first === 'M' ? [] : unreadable)
        .filter((part) => first !== lastBigint || part !== noInstant)
        .map((part) => cursorOf([part, ...others])),
    ]
    for (const after of forged) {
      const answer = await read(list, { after })
      expect(answer, after).toMatchObject({ status: 400, body: { code: '400' } })
      expect(answer.body.message, after).toBe('after must be the cursor out of a Link header')
    }
  })

  it('refuses a cursor of more than a URL should hold (400)', async () => {
    const answer = await read(list, { after: 'x'.repeat(20_000) })
    expect(answer).toMatchObject({ status: 400, body: { code: '400' } })
  })

  it('answers 200 or 400 to whatever is sent as a cursor, never a 5xx', async () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer().map(String),
      fc.bigInt().map(String),
      fc.uuid(),
      fc.constantFrom(...list.cursor),
    )
    const parts = fc.tuple(...list.cursor.map(() => part)).map(cursorOf)
    const anything = fc.oneof(parts, fc.json().map(writeCursor), fc.string({ unit: 'binary' }))
    const check = fc.asyncProperty(anything, async (after) => {
      const { status } = await read(list, { after: after.toWellFormed(), limit: '2' })
      expect([200, 400]).toContain(status)
    })
    await fc.assert(check, { numRuns: 100 })
  })
})

describe('while a list changes', () => {
  it('the next page follows the cursor though its item is gone', async () => {
    const token = admin.token
    for (const name of ['change 1', 'change 2', 'change 3', 'change 4'])
      await createCategory(service, admin, name)
    const url = `/v1/categories?limit=2&after=${cursorOf(['change 0'])}`
    const first = await service.send({ method: 'GET', url, token })
    expect(first.body).toMatchObject([{ name: 'change 1' }, { name: 'change 2' }])
    await service.send({ method: 'DELETE', url: `/v1/categories/${first.body[1].id}`, token })
    const second = await service.send({ method: 'GET', url: nextOf(first.headers.link) ?? '', token })
    expect(second.body).toMatchObject([{ name: 'change 3' }, { name: 'change 4' }])
  })

  it('the next page repeats and misses nothing though newer items have come', async () => {
    const url = `/v1/user_submissions/${user.id}`
    const { token } = user
    const before = await service.send({ method: 'GET', url, token })
    const first = await service.send({ method: 'GET', url: `${url}?limit=3`, token })
    await submit(service, user, problemId)
    const second = await service.send({ method: 'GET', url: nextOf(first.headers.link) ?? '', token })
    expect(second.body).toEqual(before.body.slice(3, 6))
  })
})

it('an empty list is an empty array, with a limit and without', async () => {
  const { id, token } = await service.createPerson()
  for (const query of ['', '?limit=5']) {
    const answer = await service.send({ method: 'GET', url: `/v1/user_submissions/${id}${query}`, token })
    expect(answer).toMatchObject({ status: 200, text: '[]' })
    expect(answer.headers.link).toBeUndefined()
  }
})

it('a cursor shows nobody what the list would not', async () => {
  const { token } = user
  const all = await service.send({ method: 'GET', url: '/v1/problems', token: admin.token })
  const own = await service.send({ method: 'GET', url: '/v1/problems', token })
  expect(own.body.length).toBeLessThan(all.body.length)
  for (const { id } of all.body) {
    const rest = await service.send({
      method: 'GET',
      url: `/v1/problems?after=${cursorOf([String(id)])}`,
      token,
    })
    expect(rest.body).toEqual(own.body.filter((problem: { id: number }) => problem.id > id))
  }
})

describe('a list of many pages', async () => {
  const PROGRAM_BYTES = 256 * 1024

  const service = await openTestApp()
  const user = await service.createPerson()
  const problemId = await createProblem(service, await service.createPerson({ admin: true }))
  await service.database.query(
    unprepared(`insert into submissions (id, user_id, problem_id, language_id, source_code)
       select gen_random_uuid(), $1::uuid, $2::integer, (select languages.id from languages limit 1), repeat('x', $3::integer)
       from generate_series(1, $4::integer)`),
    [user.id, problemId, PROGRAM_BYTES, LIST_LIMIT_BYTES / PROGRAM_BYTES],
  )

  it('refuses a list that is too long for one answer, and gives it by page (D6) [Error: 400]', async () => {
    const url = `/v1/user_submissions/${user.id}`
    const whole = await service.send({ method: 'GET', url, token: user.token })
    expect(whole).toMatchObject({
      status: 400,
      body: { code: '400', error: expect.stringMatching(/^limit must/) },
    })
    const page = await service.send({ method: 'GET', url: `${url}?limit=2`, token: user.token })
    expect(page.status).toBe(200)
    expect(page.body).toHaveLength(2)
  })
})
