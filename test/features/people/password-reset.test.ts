import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { deleteUnknownResets } from '../../../src/features/people/accounts/sql.ts'
import { openTestApp, signToken, WEB_BRIDGE_SECRET } from '../../support/app.ts'
import type { Expected } from '../../support/caller.ts'
import { invalidField, refusal } from '../../support/refusals.ts'

const service = await openTestApp({ PASSWORD_RESET_DEBUG: 'true' })
const { anonymous } = service

const PASSWORD = 'a new password'
const ok = { status: 200, body: { status: 'ok' } }
const refused = refusal(401, 'INVALID_RESET_TOKEN')
const wrongCredentials = refusal(401, 'INVALID_CREDENTIALS')

const request = (email: string) => anonymous.post('/v1/basic_request_password_reset', { email }, ok)
const reset = (email: string, token: string | undefined, new_password = PASSWORD, expected: Expected = ok) =>
  anonymous.post('/v1/basic_reset_password', { email, token, new_password }, expected)
const refuse = (email: string, token: string | undefined, new_password = PASSWORD) =>
  reset(email, token, new_password, refused)
const logIn = (email: string, password: string, expected: Expected = 200) =>
  anonymous.post('/v1/basic_login', { email, password }, expected)
const readOwn = ({ id }: { id: string }, token: string, expected: Expected = 200) =>
  service.as(token).get(`/v1/users/${id}`, expected)

async function issueToken(email: string): Promise<string> {
  const { token } = await request(email)
  expect(token).toMatch(/^[\w-]{43,}$/)
  return token
}

async function personWithToken() {
  const person = await service.createPerson()
  return { ...person, resetToken: await issueToken(person.email) }
}

const readReset = unprepared<{ token_hash: string; minutes: number }>(`select password_resets.token_hash,
          round(extract(epoch from password_resets.expires_at - now()) / 60)::integer as minutes
   from password_resets
   where password_resets.user_id = $1::uuid`)

const moveExpiry = unprepared(
  "update password_resets set expires_at = now() + $2::integer * interval '1 second' where user_id = $1::uuid",
)

describe('a request for a password reset', () => {
  it('gets ok without a token for an e-mail without an account [POST /v1/basic_request_password_reset]', async () => {
    const gone = await service.createPerson()
    await gone.delete(`/v1/users/${gone.id}`)
    for (const email of ['unknown@example.org', gone.email, '', 'no address', '%'])
      expect(await request(email), email).toEqual({ status: 'ok' })
  })

  it('stores only a hash of the token, for one hour, and the hash is no token (D13) [State: reset token issued]', async () => {
    const { id, email } = await service.createPerson()
    const token = await issueToken(` ${email.toUpperCase()} `)
    const [row] = await service.database.query(readReset, [id])
    expect(row?.minutes).toBe(60)
    expect(row?.token_hash).not.toContain(token)
    await refuse(email, row?.token_hash)
  })

  it('writes one row also for an unknown e-mail, and none of the other kind (D13)', async () => {
    const { email } = await service.createPerson()
    const hashesIn = async (table: string) => {
      const select = unprepared<{ token_hash: string }>(`select token_hash from ${table}`)
      return (await service.database.query(select)).map(({ token_hash }) => token_hash).sort()
    }
    for (const [address, own, other] of [
      [email, 'password_resets', 'unknown_resets'],
      ['nobody@example.org', 'unknown_resets', 'password_resets'],
    ] as const) {
      // The first request inserts the row, the second replaces it.
      for (const _ of [1, 2]) {
        const [before, same] = [await hashesIn(own), await hashesIn(other)]
        await request(address)
        expect((await hashesIn(own)).filter((hash) => !before.includes(hash))).toHaveLength(1)
        expect(await hashesIn(other)).toEqual(same)
      }
    }
  })

  it('for unknown e-mails fills at most 1,024 rows, which the upkeep deletes after an hour', async () => {
    const { database } = service
    const count = async () => (await database.query(unprepared('select from unknown_resets'))).length
    for (let i = 0; i < 10; i += 1) await request(`nobody-${i}@example.org`)
    await expect(
      database.query(unprepared("insert into unknown_resets values (1024, '', now())")),
    ).rejects.toMatchObject({ constraint: 'unknown_resets_slot_check' })
    await database.query(deleteUnknownResets)
    expect(await count()).toBeGreaterThan(5)
    await database.query(unprepared("update unknown_resets set expires_at = now() - interval '1 second'"))
    await request('nobody-0@example.org')
    await database.query(deleteUnknownResets)
    expect(await count()).toBe(1)
  })
})

describe('a password reset', () => {
  it('replaces the password once, regardless of the e-mail’s case, even after an invalid new password (400) [POST /v1/basic_reset_password] [State: reset token consumed]', async () => {
    const { email, resetToken } = await personWithToken()
    const recased = ` ${email.toUpperCase()}`
    await reset(recased, resetToken, 'short', invalidField('new_password'))
    expect(await reset(recased, resetToken, 'first password')).toEqual({ status: 'ok' })
    await logIn(email, 'first password')
    await refuse(recased, resetToken, 'second password')
    await logIn(email, 'second password', wrongCredentials)
    await logIn(email, 'first password')
  })

  it('happens once if several use one token at the same time', async () => {
    const { email, resetToken: token } = await personWithToken()
    const resets = [0, 1, 2].map((i) =>
      anonymous.send('POST', '/v1/basic_reset_password', { email, token, new_password: `password ${i}` }),
    )
    const statuses = (await Promise.all(resets)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 401, 401])
    await logIn(email, `password ${statuses.indexOf(200)}`)
  })

  it('refuses a missing, wrong, replaced or foreign token, and keeps the password (401) (D13) [Auth: password reset]', async () => {
    const [{ email, resetToken: first }, other] = [await personWithToken(), await personWithToken()]
    await reset(email, first, 'kept password')
    await refuse(email, 'early')
    const [older, token] = [await issueToken(email), await issueToken(email)]
    expect(older).not.toBe(token)
    const nearly = [`${token}x`, token.slice(1), ` ${token}`, token.toLowerCase()]
    for (const wrong of [undefined, '', 'wrong', older, other.resetToken, ...nearly])
      await refuse(email, wrong)
    await logIn(email, 'kept password')
    await reset(email, token)
    await reset(other.email, other.resetToken)
  })

  it('refuses an expired token, and takes one that is about to expire (401) [Auth: password reset]', async () => {
    const { id, email, resetToken } = await personWithToken()
    await service.database.query(moveExpiry, [id, -1])
    await refuse(email, resetToken)
    await service.database.query(moveExpiry, [id, 20])
    await reset(email, resetToken)
  })

  it('gets ok for an unknown e-mail with any token or none (specification, Authentication 9) [Auth: password reset]', async () => {
    const { resetToken } = await personWithToken()
    for (const token of [undefined, 'wrong', resetToken]) await reset('unknown@example.org', token)
    await logIn('unknown@example.org', PASSWORD, wrongCredentials)
  })

  it('gives a password to an account of the bridge, which can still log in over the bridge', async () => {
    const bridge = service.as(WEB_BRIDGE_SECRET)
    const profile = { id: 'provider|reset', name: 'Bridged', email: 'bridged@example.org' }
    const { id } = await bridge.post('/v1/create_or_login_user', profile)
    await reset(profile.email, await issueToken(profile.email))
    await logIn(profile.email, PASSWORD)
    const again = await bridge.post('/v1/create_or_login_user', profile)
    expect(again.id).toBe(id)
    await readOwn(again, again.token)
  })

  it('ends the sessions of users and admins, but not those whose token has no version (D9)', async () => {
    for (const admin of [false, true]) {
      const person = await service.createPerson({ admin })
      const resetToken = await issueToken(person.email)
      await refuse(person.email, 'wrong')
      await readOwn(person, person.token)
      await reset(person.email, resetToken)
      await readOwn(person, person.token, refusal(401, 'TOKEN_EXPIRED'))
      await readOwn(person, await signToken(person.id))
      await readOwn(person, (await logIn(person.email, PASSWORD)).token)
    }
  })
})

it('under ALLOW_INSECURE_PASSWORD_RESET, resets without a token, but refuses a wrong one; without PASSWORD_RESET_DEBUG, shows none (D13) [Auth: development flags]', async () => {
  const insecure = await openTestApp({ ALLOW_INSECURE_PASSWORD_RESET: '1' })
  const { email, id, token } = await insecure.createPerson()
  const requested = await insecure.anonymous.post('/v1/basic_request_password_reset', { email })
  expect(requested).toEqual({ status: 'ok' })
  const resetTo = (new_password: string, fields = {}, expected: Expected = ok) =>
    insecure.anonymous.post('/v1/basic_reset_password', { email, new_password, ...fields }, expected)
  for (const wrong of ['wrong', '']) await resetTo('not this one', { token: wrong }, refused)
  for (const password of ['first password', 'second password']) {
    await resetTo(password)
    await insecure.anonymous.post('/v1/basic_login', { email, password })
  }
  await insecure.as(token).get(`/v1/users/${id}`, refusal(401, 'TOKEN_EXPIRED'))
  await resetTo(PASSWORD, { email: 'unknown@example.org' })
})
