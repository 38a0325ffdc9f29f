import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { openTestApp, type Person, type TestResponse, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { databaseKind } from '../support/database.ts'
import { NOBODY } from '../support/ids.ts'
import { collideAt } from '../support/row-lock.ts'

const service = await openTestApp({ PASSWORD_RESET_DEBUG: 'true' })
const admin = await service.createPerson({ admin: true })

const post = (url: string, body: unknown, token = admin.token) =>
  service.send({ method: 'POST', url, token, body })
const get = (url: string, token = admin.token) => service.send({ method: 'GET', url, token })
const remove = (id: string, token = admin.token) =>
  service.send({ method: 'DELETE', url: `/v1/users/${id}`, token })

const missing = { status: 404, body: { code: 'NOT_FOUND' } }

const readRow =
  unprepared(`select users.name, users.email, users.image, users.is_admin, users.password_hash, users.provider_id,
          users.deleted_at between now() - interval '1 minute' and now() as is_deleted,
          (select count(*)::integer from password_resets where password_resets.user_id = users.id) as resets
   from users
   where users.id = $1::uuid`)

const scrubbed = {
  name: 'Deleted user',
  email: '',
  image: '',
  is_admin: false,
  password_hash: null,
  provider_id: null,
  is_deleted: true,
  resets: 0,
}

/** An account with everything that a deletion has to scrub. */
async function createWhole(word: string) {
  const profile = { id: `provider|${word}`, name: `Name ${word}`, email: `${word}@example.org`, image: 'i' }
  const { body } = await post('/v1/create_or_login_user', profile, WEB_BRIDGE_SECRET)
  const request = () => post('/v1/basic_request_password_reset', { email: profile.email })
  const { token } = (await request()).body
  const reset = { email: profile.email, token, new_password: 'a password' }
  expect(await post('/v1/basic_reset_password', reset)).toMatchObject({ status: 200 })
  await request()
  const { body: session } = await post('/v1/basic_login', { email: profile.email, password: 'a password' })
  return { profile, id: body.id, token: session.token }
}

describe('the deletion of a user', () => {
  it('is for the user himself, and for an admin, and answers 204 without a body [DELETE /v1/users/{user_id}] [State: user deleted]', async () => {
    const [one, other] = [await service.createPerson(), await service.createPerson()]
    expect(await remove(one.id, one.token)).toMatchObject({ status: 204, text: '' })
    expect(await remove(other.id.toUpperCase())).toMatchObject({ status: 204, text: '' })
  })

  it('is for nobody else, who then has changed nothing (403)', async () => {
    const [one, other] = [await service.createPerson(), await service.createPerson()]
    for (const token of [other.token, service.judgeToken]) {
      expect(await remove(one.id, token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    expect(await get(`/v1/users/${one.id}`)).toMatchObject({ status: 200 })
  })

  it('is 404 for an id that nobody has or had, and 400 for what is no UUID', async () => {
    const { id } = await service.createPerson()
    expect(await remove(id)).toMatchObject({ status: 204 })
    for (const nobody of [id, NOBODY]) expect(await remove(nobody)).toMatchObject(missing)
    expect(await remove('00000000-0000-0000-0000-000000000000', service.judgeToken)).toMatchObject(missing)
    for (const malformed of ['me', '1', `${NOBODY}0`]) {
      expect(await remove(malformed)).toMatchObject({ status: 400, body: { code: '400' } })
    }
  })

  it('scrubs all that names the person in the row itself, at once (D16)', async () => {
    const [own, byAdmin] = [await createWhole('scrubbed'), await createWhole('swept')]
    await remove(own.id, own.token)
    await remove(byAdmin.id)
    for (const { id } of [own, byAdmin]) {
      expect(await service.database.query(readRow, [id])).toEqual([scrubbed])
    }
  })

  it('ends every token of the user at once (401) [Auth: deleted account] [State: user deleted]', async () => {
    const { id, token } = await createWhole('ended')
    expect(await get(`/v1/users/${id}`, token)).toMatchObject({ status: 200 })
    await remove(id)
    const error = 'User account no longer exists'
    for (const answer of [await get('/v1/categories', token), await remove(id, token)]) {
      expect(answer).toMatchObject({ status: 401, body: { error, code: 'ACCOUNT_DELETED' } })
    }
  })

  it('ends the logins and the password resets of the user', async () => {
    const { id, profile } = await createWhole('locked-out')
    const { email } = profile
    const { token } = (await post('/v1/basic_request_password_reset', { email })).body
    await remove(id)
    const reset = await post('/v1/basic_reset_password', { email, token, new_password: 'a password' })
    expect(reset).toMatchObject({ status: 200, body: { status: 'ok' } })
    for (const address of [email, '']) {
      const login = await post('/v1/basic_login', { email: address, password: 'a password' })
      expect(login).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } })
    }
    expect(await service.database.query(readRow, [id])).toEqual([scrubbed])
  })

  it('leaves nobody to read, to change or to list', async () => {
    const { id, name } = await service.createPerson()
    await remove(id)
    const url = `/v1/users/${id}`
    expect(await get(url)).toMatchObject(missing)
    for (const body of [{}, { name: 'Back' }, { is_admin: true }, { is_admin: false }]) {
      expect(await service.send({ method: 'PUT', url, token: admin.token, body })).toMatchObject(missing)
    }
    const { body: users } = await get('/v1/users')
    expect(users.map((user: Person) => user.id)).not.toContain(id)
    for (const text of [name, 'Deleted user']) {
      expect((await get(`/v1/users?username=${encodeURIComponent(text)}`)).body).toEqual([])
    }
  })

  it('frees name and e-mail for whoever comes next, on every way', async () => {
    for (const way of ['/v1/basic_register', '/v1/users', '/v1/create_or_login_user']) {
      const before = await service.createPerson()
      await remove(before.id)
      const body = { id: `next|${before.id}`, name: before.name, email: before.email, password: 'a password' }
      const answer = await post(way, body, way.endsWith('user') ? WEB_BRIDGE_SECRET : admin.token)
      expect(answer.status, way).toBeLessThan(300)
      expect(answer.body).toMatchObject({ name: before.name, email: before.email })
      expect(answer.body.id).not.toBe(before.id)
    }
    const [before, renamed] = [await service.createPerson(), await service.createPerson()]
    await remove(before.id)
    const change = { method: 'PUT', url: `/v1/users/${renamed.id}`, body: { name: before.name } } as const
    expect(await service.send({ ...change, token: admin.token })).toMatchObject({ status: 204 })
  })

  it('lets a living user have the name that deleted ones are shown with', async () => {
    const body = { name: 'Deleted user', email: 'living@example.org' }
    const { status, body: living } = await post('/v1/users', body)
    expect(status).toBe(201)
    const { id } = await service.createPerson()
    expect(await remove(id)).toMatchObject({ status: 204 })
    expect(await remove(living.id)).toMatchObject({ status: 204 })
  })
})

describe('what a deleted user leaves behind', () => {
  it('stays as history, with the label Deleted user and no e-mail', async () => {
    const author = await service.createPerson({ admin: true })
    const problem = await post('/v1/problems', {
      ...{ title: 'Sum', identifier: 'sum', prompt: 'Add.', difficulty: 'EASY', public: true },
      ...{ user_id: author.id, test_cases: [{ input: '1 2', expected_output: '3' }] },
    })
    expect(problem.status).toBe(201)
    const [language] = (await service.send({ method: 'GET', url: '/v1/languages' })).body
    const work = { user_id: author.id, language_id: language.id, source_code: 'print(3)' }
    const submission = { ...work, problem_id: problem.body.id }
    const { body: submitted } = await post('/v1/submissions', submission, author.token)
    const { body: run } = await post('/v1/input_submissions', { ...work, stdin: '' }, author.token)

    expect(await remove(author.id, author.token)).toMatchObject({ status: 204 })

    const user = { id: author.id, name: 'Deleted user', email: '', image: '', is_admin: false }
    expect(await get(`/v1/submissions/${submitted.id}`)).toMatchObject({
      status: 200,
      body: { ...submission, status: 'PENDING', user },
    })
    expect(await get(`/v1/problems/${problem.body.id}`)).toMatchObject({
      status: 200,
      body: { title: 'Sum', user_id: author.id },
    })
    expect(await get(`/v1/input_submissions/${run}`)).toMatchObject({
      status: 200,
      body: { status: 'PENDING', source_code: work.source_code },
    })
    expect(await get(`/v1/user_submissions/${author.id}`)).toMatchObject(missing)
  })
})

const demoteAll = unprepared('update users set is_admin = false where users.is_admin')

const readAdmins = unprepared<{ id: string }>(
  'select users.id from users where users.is_admin and users.deleted_at is null order by users.id',
)

/** Makes new admins, the only ones there are. */
async function createAdmins(count: number): Promise<[Person, ...Person[]]> {
  await service.database.query(demoteAll)
  const first = await service.createPerson({ admin: true })
  const others: Person[] = []
  while (others.length < count - 1) others.push(await service.createPerson({ admin: true }))
  return [first, ...others]
}

const idsOfAdmins = async () => (await service.database.query(readAdmins)).map(({ id }) => id)

const removeBy = ({ id }: Person, by: Person) =>
  service.send({ method: 'DELETE', url: `/v1/users/${id}`, token: by.token })
const change = ({ id }: Person, body: object, by: Person) =>
  service.send({ method: 'PUT', url: `/v1/users/${id}`, token: by.token, body })
const demote = (person: Person, by: Person) => change(person, { is_admin: false }, by)

const refused = { status: 403, body: { code: 'LAST_ADMIN' } }

describe('the last admin', () => {
  it('is neither deleted nor demoted, and a refused change changes nothing (403) [DELETE /v1/users/{user_id}] [Error: 403]', async () => {
    const [last] = await createAdmins(1)
    const url = `/v1/users/${last.id}`
    const { body: before } = await service.send({ method: 'GET', url, token: last.token })
    expect(await removeBy(last, last)).toMatchObject(refused)
    expect(await demote(last, last)).toMatchObject(refused)
    const both = { is_admin: false, name: 'Former admin', image: 'i' }
    expect(await change(last, both, last)).toMatchObject(refused)
    expect(await service.send({ method: 'GET', url, token: last.token })).toMatchObject({ body: before })
  })

  it('may be renamed, and confirmed as an admin', async () => {
    const [last] = await createAdmins(1)
    for (const body of [{}, { name: 'The last one' }, { is_admin: true }, { image: 'i', is_admin: true }]) {
      expect(await change(last, body, last)).toMatchObject({ status: 204 })
    }
    expect(await idsOfAdmins()).toEqual([last.id])
  })

  it('may go once there is another one', async () => {
    for (const go of [removeBy, demote]) {
      const [one] = await createAdmins(1)
      const user = await service.createPerson()
      expect(await go(one, one)).toMatchObject(refused)
      expect(await change(user, { is_admin: true }, one)).toMatchObject({ status: 204 })
      expect(await go(one, one)).toMatchObject({ status: 204 })
      expect(await idsOfAdmins()).toEqual([user.id])
    }
  })

  it('is the last one although deleted and demoted admins are still in the table', async () => {
    const [one, deleted, demoted] = await createAdmins(3)
    if (deleted === undefined || demoted === undefined) throw new Error('three admins were asked for')
    expect(await removeBy(deleted, one)).toMatchObject({ status: 204 })
    expect(await demote(demoted, one)).toMatchObject({ status: 204 })
    for (const go of [removeBy, demote]) expect(await go(one, one)).toMatchObject(refused)
  })

  it('is no hindrance to the deletion and the demotion of users', async () => {
    const [last] = await createAdmins(1)
    const [one, other] = [await service.createPerson(), await service.createPerson()]
    expect(await demote(one, last)).toMatchObject({ status: 204 })
    expect(await removeBy(one, last)).toMatchObject({ status: 204 })
    expect(await removeBy(other, other)).toMatchObject({ status: 204 })
  })
})

describe('admins who remove each other at the same instant', () => {
  const rounds = databaseKind === 'postgres' ? 40 : 5

  /** One got his way; who came too late is told why, or is no admin any more. */
  const expectOneOf = (answers: TestResponse[]) => {
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer.status !== 204)) {
      expect([`${403} LAST_ADMIN`, '403 FORBIDDEN', '401 ACCOUNT_DELETED']).toContain(
        `${status} ${body.code}`,
      )
    }
  }

  it('leave exactly one of two, whether by deletion or by demotion', async () => {
    const ways = [
      [removeBy, removeBy],
      [demote, demote],
      [removeBy, demote],
      [demote, removeBy],
    ] as const
    for (let round = 0; round < rounds; round += 1) {
      const [one, other = one] = await createAdmins(2)
      const [first, second] = ways[round % ways.length] ?? ways[0]
      expectOneOf(await Promise.all([first(other, one), second(one, other)]))
      expect(await idsOfAdmins()).toHaveLength(1)
    }
  })

  it('leave exactly one of two who each leave by themselves', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [one, other = one] = await createAdmins(2)
      expectOneOf(await Promise.all([removeBy(one, one), demote(other, other)]))
      expect(await idsOfAdmins()).toHaveLength(1)
    }
  })

  it('leave at least one of five, without a failure', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const circle = await createAdmins(5)
      const answers = await Promise.all(
        circle.map((by, i) => {
          const next = circle[(i + 1) % circle.length] ?? by
          return i % 2 === 0 ? removeBy(next, by) : demote(next, by)
        }),
      )
      for (const { status } of answers) expect([204, 401, 403]).toContain(status)
      const gone = answers.filter(({ status }) => status === 204)
      expect(await idsOfAdmins()).toHaveLength(5 - gone.length)
      expect(gone.length).toBeLessThan(5)
    }
  })
})

describe.runIf(databaseKind === 'postgres')('an admin who waits for another one', () => {
  const LOCK = 'select users.id from users where users.id = $1::uuid for update'

  it('finds himself the last one, whichever of them is held up', async () => {
    for (const held of [0, 1]) {
      for (const second of [removeBy, demote]) {
        const [one, other = one] = await createAdmins(2)
        const lockedId = [one, other][held]?.id ?? ''
        const answers = await collideAt(service.databaseUrl, LOCK, lockedId, [
          () => removeBy(other, one),
          () => second(one, other),
        ])
        expect(answers[0]).toMatchObject({ status: 204 })
        expect(answers[1]).toMatchObject(refused)
        expect(await idsOfAdmins()).toEqual([one.id])
      }
    }
  })
})
