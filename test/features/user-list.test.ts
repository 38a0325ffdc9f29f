import { describe, expect, it } from 'vitest'
import { openTestApp, type TestResponse } from '../support/app.ts'

const NAMES = [
  'Alice',
  'alina',
  'Bob',
  '100% Bob',
  'under_score',
  'under score',
  'back\\slash',
  'quo\'te"d',
  'Élan Ω',
  '*',
  'who?&a=b+c#d',
]

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
for (const [i, name] of NAMES.entries()) await create(name, `${i}@mail.example.org`)

async function create(name: string, email: string): Promise<string> {
  const body = { name, email }
  const answer = await service.send({ method: 'POST', url: '/v1/users', token: admin.token, body })
  expect(answer.status).toBe(201)
  return answer.body.id
}

const list = (query = '') => service.send({ method: 'GET', url: `/v1/users${query}`, token: admin.token })

const namesOf = ({ status, body }: TestResponse): string[] => {
  expect(status).toBe(200)
  return body.map((user: { name: string }) => user.name)
}

const search = async (text: string) => namesOf(await list(`?username=${encodeURIComponent(text)}`))

/** Follows the links from page to page. */
async function walk(query: string): Promise<TestResponse[]> {
  const pages: TestResponse[] = []
  let next: string | undefined = query
  while (next !== undefined) {
    const page: TestResponse = await list(next)
    pages.push(page)
    expect(pages.length).toBeLessThan(100)
    next = page.headers.link?.match(/^<\/v1\/users(\?[^>]+)>; rel="next"$/)?.[1]
    if (page.headers.link !== undefined) expect(next, page.headers.link).toBeDefined()
  }
  return pages
}

const cursorOf = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

describe('the list of users', () => {
  it('is the whole of them in the order of their creation, each as it reads alone [GET /v1/users]', async () => {
    const { body, headers } = await list()
    expect(namesOf(await list())).toEqual([admin.name, ...NAMES])
    expect(headers.link).toBeUndefined()
    for (const user of body) {
      const alone = await service.send({ method: 'GET', url: `/v1/users/${user.id}`, token: admin.token })
      expect(alone.body).toEqual(user)
    }
  })

  it('ignores what it does not know in the query (D2)', async () => {
    expect(namesOf(await list('?type=private&name=Bob&offset=3&page=2'))).toEqual([admin.name, ...NAMES])
  })
})

describe('the filter by name', () => {
  it('finds a part of the name anywhere, whatever its case, and nothing in the e-mail (D16) [GET /v1/users]', async () => {
    expect(await search('ALI')).toEqual(['Alice', 'alina'])
    expect(await search('bob')).toEqual(['Bob', '100% Bob'])
    expect(await search('éLAN ω')).toEqual(['Élan Ω'])
    expect(await search('r s')).toEqual(['under score'])
    expect(await search('mail.example')).toEqual([])
    expect(await search('alice bob')).toEqual([])
    expect(await search('')).toEqual([admin.name, ...NAMES])
  })

  it('takes every character literally', async () => {
    expect(await search('%')).toEqual(['100% Bob'])
    expect(await search('_')).toEqual(['under_score'])
    expect(await search('\\')).toEqual(['back\\slash'])
    expect(await search(`'te"`)).toEqual(['quo\'te"d'])
    expect(await search('*')).toEqual(['*'])
    expect(await search('?&a=b+c#')).toEqual(['who?&a=b+c#d'])
    for (const text of ['A%e', 'b_b', '.', '[a-z]', '\\\\', "' or true --", '^A', 'x'.repeat(5000)]) {
      expect(await search(text), text).toEqual([])
    }
  })

  it('refuses U+0000 and two filters (400), and takes bytes that are no text for what they are', async () => {
    for (const query of ['?username=%00', '?username=a%00b', '?username=a&username=b']) {
      expect(await list(query), query).toMatchObject({ status: 400, body: { code: '400' } })
    }
    for (const query of ['?username=%ff', '?username=%E0%A4', '?username=%ED%A0%80']) {
      expect(namesOf(await list(query)), query).toEqual([])
    }
    expect(namesOf(await list('?username=%'))).toEqual(['100% Bob'])
  })
})

describe('a page of the list (D6)', () => {
  it('is followed by the next ones, and all pages together are the list', async () => {
    const whole = (await list()).body
    for (const limit of [1, 2, 5, whole.length - 1, whole.length, whole.length + 1, 1000]) {
      const pages = await walk(`?limit=${limit}`)
      expect(
        pages.flatMap(({ body }) => body),
        `${limit}`,
      ).toEqual(whole)
      expect(pages).toHaveLength(Math.ceil(whole.length / limit))
    }
  })

  it('keeps filter and size in the link', async () => {
    for (const text of ['b', '%', 'who?&a=b+c#d', 'É', 'nobody']) {
      const query = `?username=${encodeURIComponent(text)}`
      const pages = await walk(`${query}&limit=1`)
      expect(pages.flatMap(namesOf), text).toEqual(namesOf(await list(query)))
      for (const { body } of pages) expect(body.length).toBeLessThanOrEqual(1)
    }
  })

  it('reaches to the end of the list from a cursor without a limit', async () => {
    const { body, headers } = await list('?limit=3')
    const after = headers.link?.match(/after=([^&>]+)/)?.[1]
    const rest = await list(`?after=${after}`)
    expect([...body, ...rest.body]).toEqual((await list()).body)
    expect(rest.headers.link).toBeUndefined()
  })

  it('goes on where it was after the user at its end was deleted and another one came', async () => {
    const first = await list('?limit=4')
    const last = first.body[3]
    const url = `/v1/users/${last.id}`
    expect(await service.send({ method: 'DELETE', url, token: admin.token })).toMatchObject({ status: 204 })
    await create('Late', 'late@example.org')
    const [, query] = first.headers.link?.match(/(\?[^>]+)>/) ?? []
    const rest = (await walk(query ?? '')).flatMap(namesOf)
    expect([...namesOf(first), ...rest]).toEqual([admin.name, ...NAMES, 'Late'])
  })

  it('is of 1 to 1000 users (400)', async () => {
    for (const limit of ['0', '-1', '1001', '1.5', '1e2', '', 'all', ' 5', '0x10', '9'.repeat(20), 'null']) {
      const answer = await list(`?limit=${encodeURIComponent(limit)}`)
      expect(answer, limit).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^limit /) } })
    }
    expect(await list('?limit=1&limit=2')).toMatchObject({ status: 400 })
  })

  it('needs a cursor out of a link (400)', async () => {
    const id = admin.id
    const cursors = [
      ...['', 'x', '1', 'null', id, '%00', 'é', 'x'.repeat(2001)],
      ...['', 'x', '[', '{}', '[]', 'null', '7', '\u0000'].map(cursorOf),
      ...[[7], [null], [''], ['x'], [id, id], [[id]], [`${id}\u0000`], [`{${id}}`], { 0: id }].map(cursorOf),
    ]
    for (const cursor of cursors) {
      for (const query of [
        `?after=${encodeURIComponent(cursor)}`,
        `?limit=2&after=${encodeURIComponent(cursor)}`,
      ]) {
        const answer = await list(query)
        expect(answer, query).toMatchObject({
          status: 400,
          body: { code: '400', error: expect.stringMatching(/^after /) },
        })
      }
    }
    expect(await list(`?after=${cursorOf([id])}&after=${cursorOf([id])}`)).toMatchObject({ status: 400 })
  })
})
