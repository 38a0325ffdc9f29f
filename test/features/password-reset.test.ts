import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { JWT_SIGNING_SECRET, openTestApp, type Person, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { databaseKind } from '../support/database.ts'
import { collideAt } from '../support/row-lock.ts'

const service = await openTestApp({ PASSWORD_RESET_DEBUG: 'true', LOG_LEVEL: 'trace' })

const post = (url: string, body: unknown, token?: string) =>
  service.send({ method: 'POST', url, body, ...(token !== undefined && { token }) })
const request = (email: unknown) => post('/v1/basic_request_password_reset', { email })
const reset = (body: object) => post('/v1/basic_reset_password', body)
const login = async (email: string, password: string) =>
  (await post('/v1/basic_login', { email, password })).status
const readOwn = ({ id }: { id: string }, token: string) =>
  service.send({ method: 'GET', url: `/v1/users/${id}`, token })

async function issueToken(email: string): Promise<string> {
  const { status, body } = await request(email)
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'ok', token: expect.any(String) } })
  return body.token
}

const ok = { status: 200, body: { status: 'ok' } }
const refused = { status: 401, body: { code: 'INVALID_RESET_TOKEN' } }

const readReset = unprepared<{ token_hash: string; minutes: number }>(`select password_resets.token_hash,
          round(extract(epoch from password_resets.expires_at - now()) / 60)::integer as minutes
   from password_resets
   where password_resets.user_id = $1::uuid`)

const moveExpiry = unprepared(
  "update password_resets set expires_at = now() + $2::integer * interval '1 second' where user_id = $1::uuid",
)

describe('the request for a password reset', () => {
  it('answers ok for an e-mail that is unknown, freed or empty, and makes no token for it [POST /v1/basic_request_password_reset]', async () => {
    const gone = await service.createPerson()
    await service.send({ method: 'DELETE', url: `/v1/users/${gone.id}`, token: gone.token })
    for (const email of ['unknown@example.org', gone.email, '', 'no address', '%']) {
      const { status, body } = await request(email)
      expect({ status, body }, email).toEqual({ status: 200, body: { status: 'ok' } })
    }
  })

  it('keeps a hash of the token, not the token, for one hour (D13) [State: reset token issued]', async () => {
    const { id, email } = await service.createPerson()
    const token = await issueToken(` ${email.toUpperCase()} `)
    expect(token).toMatch(/^[\w-]{43,}$/)
    const [row] = await service.database.query(readReset, [id])
    expect(row?.minutes).toBe(60)
    expect(row?.token_hash).not.toContain(token)
  })
})

describe('a password reset', () => {
  it('replaces the password, once, whatever the case of the e-mail [POST /v1/basic_reset_password] [State: reset token consumed]', async () => {
    const { email } = await service.createPerson()
    const token = await issueToken(email)
    const sent = { email: ` ${email.toUpperCase()}`, token, new_password: 'first password' }
    const answer = await reset(sent)
    expect({ status: answer.status, body: answer.body }).toEqual(ok)
    expect(await login(email, 'first password')).toBe(200)
    expect(await reset({ ...sent, new_password: 'second password' })).toMatchObject(refused)
    expect(await login(email, 'second password')).toBe(401)
    expect(await login(email, 'first password')).toBe(200)
  })

  it('happens once of many times at the same instant', async () => {
    const { email } = await service.createPerson()
    const token = await issueToken(email)
    const answers = await Promise.all(
      [0, 1, 2, 3].map((i) => reset({ email, token, new_password: `password ${i}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await login(email, `password ${winner}`)).toBe(200)
  })

  it('refuses a token that is missing, wrong, or another user’s, and leaves the password (401) [Auth: password reset]', async () => {
    const [person, other] = [await service.createPerson(), await service.createPerson()]
    const { email } = person
    await reset({ email, token: await issueToken(email), new_password: 'kept password' })
    expect(await reset({ email, token: 'early', new_password: 'a new password' })).toMatchObject(refused)
    const token = await issueToken(email)
    const others = await issueToken(other.email)
    const tokens = [
      undefined,
      '',
      'wrong',
      others,
      `${token}x`,
      token.slice(1),
      ` ${token}`,
      token.toLowerCase(),
    ]
    for (const wrong of tokens) {
      expect(await reset({ email, token: wrong, new_password: 'a new password' }), wrong).toMatchObject(
        refused,
      )
    }
    expect(await login(email, 'kept password')).toBe(200)
    expect(await reset({ email, token, new_password: 'a new password' })).toMatchObject(ok)
    expect(await reset({ email: other.email, token: others, new_password: 'a password' })).toMatchObject(ok)
  })

  it('refuses the hash that the database keeps in place of the token (401)', async () => {
    const { id, email } = await service.createPerson()
    await issueToken(email)
    const [row] = await service.database.query(readReset, [id])
    const answer = await reset({ email, token: row?.token_hash, new_password: 'a new password' })
    expect(answer).toMatchObject(refused)
  })

  it('refuses a token after its hour, and takes it just before (401) [Auth: password reset]', async () => {
    const { id, email } = await service.createPerson()
    const token = await issueToken(email)
    const sent = { email, token, new_password: 'a new password' }
    await service.database.query(moveExpiry, [id, -1])
    expect(await reset(sent)).toMatchObject(refused)
    expect(await login(email, sent.new_password)).toBe(401)
    await service.database.query(moveExpiry, [id, 20])
    expect(await reset(sent)).toMatchObject(ok)
  })

  it('refuses a token after a newer request, also where the older had not expired (401)', async () => {
    const { email } = await service.createPerson()
    const [older, newer] = [await issueToken(email), await issueToken(email)]
    expect(newer).not.toBe(older)
    expect(await reset({ email, token: older, new_password: 'a new password' })).toMatchObject(refused)
    expect(await reset({ email, token: newer, new_password: 'a new password' })).toMatchObject(ok)
  })

  it('answers ok to an unknown e-mail, with any token or none (specification, Authentication 9) [Auth: password reset]', async () => {
    const { email } = await service.createPerson()
    for (const token of [undefined, 'wrong', await issueToken(email)]) {
      const sent = { email: 'unknown@example.org', token, new_password: 'a new password' }
      expect(await reset(sent)).toMatchObject(ok)
    }
    expect(await login('unknown@example.org', 'a new password')).toBe(401)
  })

  it('gives a password to an account of the bridge, which keeps its way in', async () => {
    const profile = { id: 'provider|reset', name: 'Bridged', email: 'bridged@example.org' }
    const { body } = await post('/v1/create_or_login_user', profile, WEB_BRIDGE_SECRET)
    const token = await issueToken(profile.email)
    expect(await reset({ email: profile.email, token, new_password: 'a password' })).toMatchObject(ok)
    expect(await login(profile.email, 'a password')).toBe(200)
    const again = await post('/v1/create_or_login_user', profile, WEB_BRIDGE_SECRET)
    expect(again).toMatchObject({ status: 200, body: { id: body.id } })
    expect(await readOwn(body, again.body.token)).toMatchObject({ status: 200 })
  })

  it('holds the new password to the same bounds, and leaves the token to another try (400)', async () => {
    const { email } = await service.createPerson()
    const token = await issueToken(email)
    const wrong = [undefined, null, 7, '', 'short', 'x'.repeat(1025), 'nul \u0000 nul', 'lone \ud800']
    for (const new_password of wrong) {
      expect(await reset({ email, token, new_password })).toMatchObject({
        status: 400,
        body: { code: '400' },
      })
    }
    for (const value of [null, 7, {}, 'a\u0000b', 'a\ud800b']) {
      const sent = { email, token, new_password: 'a new password' }
      for (const field of ['email', 'token']) {
        expect(await reset({ ...sent, [field]: value }), field).toMatchObject({ status: 400 })
      }
    }
    expect(await reset({ email, token, new_password: 'a new password' })).toMatchObject(ok)
  })
})

describe('the sessions from before a password reset (D9)', () => {
  const ended = { status: 401, body: { code: 'TOKEN_EXPIRED' } }
  const resetOf = async ({ email }: Person) =>
    expect(
      await reset({ email, token: await issueToken(email), new_password: 'a new password' }),
    ).toMatchObject(ok)

  it('end, for users and admins, while the next login begins one', async () => {
    for (const admin of [false, true]) {
      const person = await service.createPerson({ admin })
      expect(await readOwn(person, person.token)).toMatchObject({ status: 200 })
      await resetOf(person)
      expect(await readOwn(person, person.token)).toMatchObject(ended)
      const { body } = await post('/v1/basic_login', { email: person.email, password: 'a new password' })
      expect(await readOwn(person, body.token)).toMatchObject({ status: 200 })
    }
  })

  it('go on where the token carries no version', async () => {
    const person = await service.createPerson()
    const header = { alg: 'HS256' }
    const token = await new SignJWT({ id: person.id, role: 0 })
      .setProtectedHeader(header)
      .sign(new TextEncoder().encode(JWT_SIGNING_SECRET))
    await resetOf(person)
    expect(await readOwn(person, token)).toMatchObject({ status: 200 })
  })

  it('go on when the reset is refused, or only asked for', async () => {
    const person = await service.createPerson()
    await issueToken(person.email)
    await reset({ email: person.email, token: 'wrong', new_password: 'a new password' })
    expect(await readOwn(person, person.token)).toMatchObject({ status: 200 })
  })
})

describe('the log', () => {
  it('holds neither a reset token nor a new password', async () => {
    const { email } = await service.createPerson()
    const token = await issueToken(email)
    await reset({ email, token: 'wrong', new_password: 'never to be logged' })
    await reset({ email, token, new_password: 'never to be logged' })
    const log = service.log.join('')
    expect(log).toContain('/v1/basic_reset_password')
    for (const secret of [token, 'never to be logged']) expect(log).not.toContain(secret)
  })
})

const admin = await service.createPerson({ admin: true })

const remove = (id: string, token: string) =>
  service.send({ method: 'DELETE', url: `/v1/users/${id}`, token })

const bridge = (body: unknown) => post('/v1/create_or_login_user', body, WEB_BRIDGE_SECRET)

const LOCK_USER = 'select users.id from users where users.id = $1::uuid for update'

describe('requests at the same instant', () => {
  it('make one account of many registrations of one name or one e-mail, and refuse the others (409)', async () => {
    const password = 'a password'
    const names = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        post('/v1/basic_register', { name: 'Same Name', email: `same${i}@example.org`, password }),
      ),
    )
    const emails = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        post('/v1/basic_register', { name: `Same ${i}`, email: 'Same@Example.org', password }),
      ),
    )
    for (const answers of [names, emails]) {
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    }
  })

  it('make one account of many first logins of one provider id, and answer all of them (200)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const body = { id: `provider|${round}`, name: `Bridged ${round}`, email: `bridged${round}@example.org` }
      const answers = await Promise.all(Array.from({ length: 8 }, () => bridge(body)))
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
      expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    }
  })

  it('let one account have a name that two providers’ accounts take up, and the other keep its own', async () => {
    for (let round = 0; round < 5; round += 1) {
      const persons = [1, 2, 3].map((i) => ({
        id: `namesake|${round}|${i}`,
        name: `Namesake ${round} ${i}`,
        email: `namesake${round}-${i}@example.org`,
      }))
      for (const person of persons) expect(await bridge(person)).toMatchObject({ status: 200 })
      const name = `The one ${round}`
      const answers = await Promise.all(persons.map((person) => bridge({ ...person, name })))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(answers.filter(({ body }) => body.name === name)).toHaveLength(1)
    }
  })
})

describe.runIf(databaseKind === 'postgres')('an account that is deleted at the same instant', () => {
  it('is deleted once, and is not taken for the last admin by whoever comes second (404)', async () => {
    const { id, token } = await service.createPerson()
    const requests = [token, admin.token].map((caller) => () => remove(id, caller))
    const answers = await collideAt(service.databaseUrl, LOCK_USER, id, requests)
    expect(answers.map(({ status, body }) => [status, body.code ?? ''])).toEqual([
      [204, ''],
      [404, 'NOT_FOUND'],
    ])
  })

  it('is gone for an admin who changes it (404)', async () => {
    const { id, token } = await service.createPerson()
    const change = () =>
      service.send({ method: 'PUT', url: `/v1/users/${id}`, token: admin.token, body: { name: 'Too late' } })
    const [deletion, late] = await collideAt(service.databaseUrl, LOCK_USER, id, [
      () => remove(id, token),
      change,
    ])
    expect(deletion).toMatchObject({ status: 204 })
    expect(late).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  it('is made anew by a login over the bridge (200)', async () => {
    const body = {
      id: 'deleted-meanwhile',
      name: 'Deleted meanwhile',
      email: 'deleted-meanwhile@example.org',
    }
    const before = await bridge(body)
    const [deletion, login] = await collideAt(service.databaseUrl, LOCK_USER, before.body.id, [
      () => remove(before.body.id, admin.token),
      () => bridge(body),
    ])
    expect(deletion).toMatchObject({ status: 204 })
    expect(login).toMatchObject({ status: 200, body: { name: body.name, email: body.email } })
    expect(login?.body.id).not.toBe(before.body.id)
  })

  it('takes no password from a reset that waited for it, and neither of the two fails', async () => {
    const { id, email, token } = await service.createPerson()
    const request = await post('/v1/basic_request_password_reset', { email })
    const select = 'select from password_resets where password_resets.user_id = $1::uuid for update'
    const answers = await collideAt(service.databaseUrl, select, id, [
      () =>
        post('/v1/basic_reset_password', {
          email,
          token: request.body.token,
          new_password: 'a new password',
        }),
      () => remove(id, token),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 204])
    const rows = await service.database.query(
      unprepared(`select users.password_hash,
                (select count(*)::integer from password_resets where password_resets.user_id = users.id) as resets
         from users
         where users.id = $1::uuid`),
      [id],
    )
    expect(rows).toEqual([{ password_hash: null, resets: 0 }])
  })

  it('gets no reset token from a request that waited for it', async () => {
    const { id, email, token } = await service.createPerson()
    const [deletion, request] = await collideAt(service.databaseUrl, LOCK_USER, id, [
      () => remove(id, token),
      () => post('/v1/basic_request_password_reset', { email }),
    ])
    expect(deletion).toMatchObject({ status: 204 })
    expect(request).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(request?.body).not.toHaveProperty('token')
  })
})
