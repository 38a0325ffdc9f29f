import { hash } from '@node-rs/argon2'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { openTestApp, type TestResponse, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { NOBODY } from '../support/ids.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const user = await service.createPerson()

const create = (body: unknown) => service.send({ method: 'POST', url: '/v1/users', token: admin.token, body })
const read = (id: string, token = admin.token) =>
  service.send({ method: 'GET', url: `/v1/users/${id}`, token })
const change = (id: string, body: unknown) =>
  service.send({ method: 'PUT', url: `/v1/users/${id}`, token: admin.token, body })
const login = (email: string, password: string) =>
  service.send({ method: 'POST', url: '/v1/basic_login', body: { email, password } })

const accountOf = (word: string) => ({ name: `Name ${word}`, email: `${word}@example.org` })

const duplicate = { status: 400, body: { code: 'USER_EXISTS' } }
const invalid = { status: 400, body: { code: '400' } }
const missing = { status: 404, body: { code: 'NOT_FOUND' } }
const MALFORMED_IDS = [
  'me',
  '1',
  `{${NOBODY}}`,
  NOBODY.replaceAll('-', ''),
  `${NOBODY}0`,
  '%00',
  '%E0%A4',
  '%ff',
  'x'.repeat(2000),
]

describe('reading a user', () => {
  it('is for every user and judge, whatever the case of the id, and shows every field [GET /v1/users/{user_id}] [Fields: User]', async () => {
    const { id, name, email } = user
    const other = await service.createPerson()
    for (const token of [user.token, other.token, admin.token, service.judgeToken]) {
      for (const path of [id, id.toUpperCase()]) {
        const { status, body } = await read(path, token)
        const { join_date, ...fields } = body
        expect({ status, ...fields }).toEqual({ status: 200, id, name, email, image: '', is_admin: false })
        expect(Math.abs(Date.parse(join_date) - Date.now())).toBeLessThan(60_000)
      }
    }
  })

  it('is 404 for an id that nobody has, and 400 for what is no UUID (D2)', async () => {
    expect(await read(NOBODY)).toMatchObject(missing)
    expect(await read('00000000-0000-0000-0000-000000000000')).toMatchObject(missing)
    for (const id of MALFORMED_IDS) expect(await read(id), id).toMatchObject(invalid)
  })
})

describe('creating a user', () => {
  it('needs a name and an e-mail, and answers 201 with the user (D16) [POST /v1/users]', async () => {
    const answer = await create({ name: ' Name plain ', email: '\tplain@example.org ' })
    const { id, join_date } = answer.body
    const fields = { name: 'Name plain', email: 'plain@example.org', image: '', is_admin: false }
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ id, join_date, ...fields })
    expect(await read(id)).toMatchObject({ status: 200, body: answer.body })
  })

  it('takes an image, the admin flag and a password to log in with', async () => {
    const body = {
      ...accountOf('full'),
      image: 'https://example.org/i',
      is_admin: true,
      password: 'a password',
    }
    const { password, ...fields } = body
    const answer = await create(body)
    expect(answer).toMatchObject({ status: 201, body: fields })
    const session = await login(body.email, password)
    expect(session).toMatchObject({ status: 200, body: { id: answer.body.id, image: body.image } })
    expect(decodeJwt(session.body.token)).toMatchObject({ role: 2 })
  })

  it('ignores password_hash, and the id and date that a client may send (D16)', async () => {
    const password_hash = await hash('a password')
    const body = { ...accountOf('older'), password_hash, id: NOBODY, join_date: '2000-01-01T00:00:00Z' }
    const answer = await create(body)
    expect(answer.status).toBe(201)
    expect(answer.body.id).not.toBe(NOBODY)
    expect(answer.body.join_date).not.toContain('2000')
    for (const password of ['a password', password_hash]) {
      expect(await login(body.email, password)).toMatchObject({ status: 401 })
    }
  })

  it('refuses a name or an e-mail that is taken, whatever its case (400) [Error: 400]', async () => {
    const taken = { name: 'Zoë Ω', email: 'Zoë@example.org' }
    expect(await create(taken)).toMatchObject({ status: 201 })
    for (const name of ['Zoë Ω', ' zoË ω ']) {
      expect(await create({ name, email: 'free@example.org' }), name).toMatchObject(duplicate)
    }
    for (const email of ['Zoë@example.org', 'zoË@EXAMPLE.org']) {
      expect(await create({ name: 'Free', email }), email).toMatchObject(duplicate)
    }
    expect(await create({ name: 'Free', email: 'free@example.org' })).toMatchObject({ status: 201 })
  })
})

describe('changing a user', () => {
  it('takes name, image and admin flag, each alone or together, and answers 204 without a body [PUT /v1/users/{user_id}]', async () => {
    const { body: before } = await create({ ...accountOf('changing'), image: 'before' })
    const changes = [
      [{}, {}],
      [{ name: ' Name changed ' }, { name: 'Name changed' }],
      [{ image: 'after' }, { image: 'after' }],
      [{ is_admin: true }, { is_admin: true }],
      [{ image: '' }, { image: '' }],
      [
        { is_admin: false, image: 'last', name: 'Name last' },
        { is_admin: false, image: 'last', name: 'Name last' },
      ],
    ]
    let expected = before
    for (const [sent, changed] of changes) {
      expected = { ...expected, ...changed }
      expect(await change(before.id, sent)).toMatchObject({ status: 204, text: '' })
      expect((await read(before.id)).body).toEqual(expected)
    }
  })

  it('changes nothing else and nobody else', async () => {
    const before = await create({ ...accountOf('whole'), password: 'a password' })
    const others = await read(user.id)
    const sent = {
      name: 'Name part',
      ...{
        id: NOBODY,
        email: 'other@example.org',
        password: 'another one',
        join_date: '2000-01-01T00:00:00Z',
      },
    }
    expect(await change(before.body.id, sent)).toMatchObject({ status: 204 })
    expect((await read(before.body.id)).body).toEqual({ ...before.body, name: 'Name part' })
    expect((await read(user.id)).body).toEqual(others.body)
    expect(await login('whole@example.org', 'a password')).toMatchObject({ status: 200 })
  })

  it('refuses a name that another user has, whatever its case, and then changes nothing (400)', async () => {
    const { body: taken } = await create(accountOf('Órla'))
    const { body: before } = await create(accountOf('renamed'))
    for (const name of [taken.name, ' nAME óRLA ']) {
      expect(await change(before.id, { name, is_admin: true, image: 'i' }), name).toMatchObject(duplicate)
    }
    expect((await read(before.id)).body).toEqual(before)
    expect(await change(before.id, { name: before.name.toUpperCase() })).toMatchObject({ status: 204 })
    expect(await read(before.id)).toMatchObject({ body: { name: 'NAME RENAMED' } })
  })

  it('is 404 for an id that nobody has, and 400 for what is no UUID', async () => {
    for (const body of [{}, { name: 'Nobody' }, { is_admin: false }]) {
      expect(await change(NOBODY, body)).toMatchObject(missing)
    }
    for (const id of MALFORMED_IDS) expect(await change(id, {}), id).toMatchObject(invalid)
  })

  it('lets an account of the bridge be renamed, until its provider sends a name', async () => {
    const profile = { id: 'provider|renamed', ...accountOf('bridged') }
    const bridge = () =>
      service.send({
        method: 'POST',
        url: '/v1/create_or_login_user',
        token: WEB_BRIDGE_SECRET,
        body: profile,
      })
    const { body } = await bridge()
    expect(await change(body.id, { name: 'Name given' })).toMatchObject({ status: 204 })
    expect(await read(body.id)).toMatchObject({ body: { name: 'Name given' } })
    expect(await bridge()).toMatchObject({ body: { id: body.id, name: profile.name } })
  })
})

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

const listing = await openTestApp()
const listingAdmin = await listing.createPerson({ admin: true })
for (const [i, name] of NAMES.entries()) await createNamed(name, `${i}@mail.example.org`)

async function createNamed(name: string, email: string): Promise<string> {
  const body = { name, email }
  const answer = await listing.send({ method: 'POST', url: '/v1/users', token: listingAdmin.token, body })
  expect(answer.status).toBe(201)
  return answer.body.id
}

const list = (query = '') =>
  listing.send({ method: 'GET', url: `/v1/users${query}`, token: listingAdmin.token })

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
    expect(namesOf(await list())).toEqual([listingAdmin.name, ...NAMES])
    expect(headers.link).toBeUndefined()
    for (const user of body) {
      const alone = await listing.send({
        method: 'GET',
        url: `/v1/users/${user.id}`,
        token: listingAdmin.token,
      })
      expect(alone.body).toEqual(user)
    }
  })

  it('ignores what it does not know in the query (D2)', async () => {
    expect(namesOf(await list('?type=private&name=Bob&offset=3&page=2'))).toEqual([
      listingAdmin.name,
      ...NAMES,
    ])
  })
})

describe('the filter by name', () => {
  it('finds a part of the name in upper or lower case, and does not search the e-mail (D16) [GET /v1/users]', async () => {
    expect(await search('ALI')).toEqual(['Alice', 'alina'])
    expect(await search('bob')).toEqual(['Bob', '100% Bob'])
    expect(await search('éLAN ω')).toEqual(['Élan Ω'])
    expect(await search('r s')).toEqual(['under score'])
    expect(await search('mail.example')).toEqual([])
    expect(await search('alice bob')).toEqual([])
    expect(await search('')).toEqual([listingAdmin.name, ...NAMES])
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
    expect(await listing.send({ method: 'DELETE', url, token: listingAdmin.token })).toMatchObject({
      status: 204,
    })
    await createNamed('Late', 'late@example.org')
    const [, query] = first.headers.link?.match(/(\?[^>]+)>/) ?? []
    const rest = (await walk(query ?? '')).flatMap(namesOf)
    expect([...namesOf(first), ...rest]).toEqual([listingAdmin.name, ...NAMES, 'Late'])
  })

  it('is of 1 to 1000 users (400)', async () => {
    for (const limit of ['0', '-1', '1001', '1.5', '1e2', '', 'all', ' 5', '0x10', '9'.repeat(20), 'null']) {
      const answer = await list(`?limit=${encodeURIComponent(limit)}`)
      expect(answer, limit).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^limit /) } })
    }
    expect(await list('?limit=1&limit=2')).toMatchObject({ status: 400 })
  })

  it('needs a cursor out of a link (400)', async () => {
    const id = listingAdmin.id
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
