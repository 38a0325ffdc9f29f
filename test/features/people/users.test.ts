import { hash } from '@node-rs/argon2'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { openTestApp } from '../../support/app.ts'
import type { Expected } from '../../support/caller.ts'
import { expectSince } from '../../support/moments.ts'
import { invalidField, refusal } from '../../support/refusals.ts'

const service = await openTestApp()
const openedAt = Date.now()
const admin = await service.createPerson({ admin: true })
const user = await service.createPerson()

const create = (body: unknown, expected: Expected = 201) => admin.post('/v1/users', body, expected)
const read = (id: string) => admin.get(`/v1/users/${id}`)
const change = (id: string, body: unknown, expected: Expected = 204) =>
  admin.put(`/v1/users/${id}`, body, expected)
const logIn = (email: string, password: string, expected: Expected = 200) =>
  service.anonymous.post('/v1/basic_login', { email, password }, expected)

const accountOf = (word: string) => ({ name: `Name ${word}`, email: `${word}@example.org` })

const taken = refusal(400, 'USER_EXISTS')
const wrongCredentials = refusal(401, 'INVALID_CREDENTIALS')

it('shows every field of a user to all users and judges, regardless of the id’s case [GET /v1/users/{user_id}] [Fields: User]', async () => {
  const { id, name, email } = user
  for (const caller of [user, await service.createPerson(), admin, service.judge])
    for (const path of [id, id.toUpperCase()]) {
      const { join_date, ...fields } = await caller.get(`/v1/users/${path}`)
      expect(fields).toEqual({ id, name, email, image: '', is_admin: false })
      expectSince(openedAt, join_date)
    }
})

describe('creating a user', () => {
  it('requires only a name and an e-mail, and returns the user (201) (D16) [POST /v1/users]', async () => {
    const created = await create({ name: ' Name plain ', email: '\tplain@example.org ' })
    const { id, join_date } = created
    const fields = { name: 'Name plain', email: 'plain@example.org', image: '', is_admin: false }
    expect(created).toEqual({ id, join_date, ...fields })
    expect(await read(id)).toEqual(created)
  })

  it('takes an image, the admin flag and a password, and ignores password_hash (D16)', async () => {
    const fields = { ...accountOf('full'), image: 'https://example.org/i', is_admin: true }
    const password_hash = await hash('a hashed password')
    const { id } = await create({ ...fields, password: 'a password', password_hash })
    expect(await read(id)).toMatchObject(fields)
    const session = await logIn(fields.email, 'a password')
    expect(session).toMatchObject({ id, image: fields.image })
    expect(decodeJwt(session.token)).toMatchObject({ role: 2 })
    const { email } = await create({ ...accountOf('older'), password_hash })
    for (const password of ['a hashed password', password_hash])
      await logIn(email, password, wrongCredentials)
  })

  it('refuses a taken name or e-mail, regardless of case (400) [Error: 400]', async () => {
    const free = { name: 'Free', email: 'free@example.org' }
    await create({ name: 'Zoë Ω', email: 'Zoë@example.org' })
    for (const fields of [{ name: ' zoË ω ' }, { email: 'Zoë@example.org' }, { email: 'zoË@EXAMPLE.org' }])
      await create({ ...free, ...fields }, taken)
    await create(free)
  })
})

it('refuses hidden characters and the name of deleted users, in creations and changes (400) (D11)', async () => {
  const { id } = await create(accountOf('unhidden'))
  for (const name of ['a\u202Eb', 'a\u200B', 'deleted \uFF35ser']) {
    await create({ ...accountOf('hidden'), name }, invalidField('name'))
    await change(id, { name, is_admin: true }, invalidField('name'))
  }
  await create({ ...accountOf('hidden'), email: 'hid\u2066den@example.org' }, invalidField('email'))
  expect(await read(id)).toMatchObject({ name: 'Name unhidden', is_admin: false })
  await change(id, { name: ' Ame\u0301lie ' })
  expect(await read(id)).toMatchObject({ name: 'Am\u00E9lie' })
  await create({ ...accountOf('accents'), name: '\uFF21M\u00C9LIE' }, taken)
  await change((await create(accountOf('accents'))).id, { name: 'ame\u0301lie' }, taken)
})

describe('changing a user', () => {
  it('takes name, image and admin flag, alone or together, and changes nothing else (204) [PUT /v1/users/{user_id}]', async () => {
    const { id, email } = await create({ ...accountOf('changing'), image: 'before', password: 'a password' })
    let users = await admin.get('/v1/users')
    for (const [sent, changed] of [
      [{ name: 'N', id: user.id, email: 'other@example.org', password: 'another one' }, { name: 'N' }],
      [{ name: ' Name changed ' }, { name: 'Name changed' }],
      [{ image: 'after' }],
      [{ is_admin: true }],
      [{ image: '' }],
      [{ is_admin: false, image: 'last', name: 'Name last' }],
    ]) {
      const change = changed ?? sent
      users = users.map((one: { id: string }) => (one.id === id ? { ...one, ...change } : one))
      expect(await admin.put(`/v1/users/${id}`, sent, 204)).toBe('')
      expect(await admin.get('/v1/users')).toEqual(users)
    }
    await logIn(email, 'a password')
  })

  it('refuses the name of another user, regardless of case, and changes nothing (400)', async () => {
    const other = await create(accountOf('Órla'))
    const before = await create(accountOf('renamed'))
    for (const name of [other.name, ' nAME óRLA '])
      await change(before.id, { name, is_admin: true, image: 'i' }, taken)
    expect(await read(before.id)).toEqual(before)
    await change(before.id, { name: before.name.toUpperCase() })
    expect(await read(before.id)).toEqual({ ...before, name: 'NAME RENAMED' })
  })
})

describe('the list of users', async () => {
  const lister = await (await openTestApp()).createPerson({ admin: true })
  const numbered = ['100% Bob', 'under_score', 'under score', 'back\\slash', 'quo\'te"d', 'Élan Ω', '*']
  const names = ['Alice', 'alina', 'Bob', ...numbered, 'who?&a=b+c#d', 'who?&a=b+c#e']
  for (const [i, name] of names.entries())
    await lister.post('/v1/users', { name, email: `${i}@mail.example.org` })
  const everybody = [lister.name, ...names]

  const list = async (query: string): Promise<string[]> =>
    (await lister.get(`/v1/users${query}`)).map((one: { name: string }) => one.name)
  const search = (text: string) => list(`?username=${encodeURIComponent(text)}`)

  it('contains all users, the oldest first, as each is read alone [GET /v1/users]', async () => {
    for (const query of ['', '?type=private&name=Bob&offset=3&page=2'])
      expect(await list(query)).toEqual(everybody)
    for (const one of await lister.get('/v1/users'))
      expect(await lister.get(`/v1/users/${one.id}`)).toEqual(one)
  })

  it('filters by a part of the name, regardless of case, and takes every character literally (D16) [GET /v1/users]', async () => {
    const found: Record<string, string[]> = {
      ...{ ALI: ['Alice', 'alina'], bob: ['Bob', '100% Bob'], 'éLAN ω': ['Élan Ω'] },
      ...{ 'r s': ['under score'], '': everybody, '%': ['100% Bob'], _: ['under_score'] },
      ...{ '\uFF21LICE': ['Alice'], 'e\u0301lan \u2126': ['Élan Ω'] },
      ...{ '\\': ['back\\slash'], '\'te"': ['quo\'te"d'], '*': ['*'], '&a=b+c#d': ['who?&a=b+c#d'] },
    }
    for (const [text, expected] of Object.entries(found)) expect(await search(text), text).toEqual(expected)
    const patterns = ['A%e', 'b_b', '.', '[a-z]', '\\\\', "' or true --", '^A', 'x'.repeat(5000)]
    for (const text of ['mail.example', 'alice bob', ...patterns])
      expect(await search(text), text).toEqual([])
    for (const bytes of ['%ff', '%E0%A4', '%ED%A0%80']) expect(await list(`?username=${bytes}`)).toEqual([])
    expect(await list('?username=%')).toEqual(['100% Bob'])
  })
})
