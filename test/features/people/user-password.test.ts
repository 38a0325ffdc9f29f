import { describe, expect, it } from 'vitest'
import { openTestApp, type Person, signToken, WEB_BRIDGE_SECRET } from '../../support/app.ts'
import type { Expected } from '../../support/caller.ts'
import { NOBODY } from '../../support/ids.ts'
import { allow, describeCollisions, describeRaces } from '../../support/races.ts'
import { forbidden, invalidField, notFound, refusal } from '../../support/refusals.ts'

const service = await openTestApp({ PASSWORD_RESET_DEBUG: 'true' })
const { anonymous } = service
const admin = await service.createPerson({ admin: true })

const FIRST = 'the first password'
const SECOND = 'the second password'
const invalidToken = refusal(401, 'INVALID_RESET_TOKEN')
const wrongCredentials = refusal(401, 'INVALID_CREDENTIALS', 'Invalid credentials')

const pathOf = ({ id }: { readonly id: string }) => `/v1/users/${id}/password`
const logIn = (email: string, password: string, expected: Expected = 200) =>
  anonymous.post('/v1/basic_login', { email, password }, expected)

const requestReset = async (email: string): Promise<string> =>
  (await anonymous.post('/v1/basic_request_password_reset', { email })).token
const reset = (email: string, token: string, expected: Expected = 200) =>
  anonymous.post('/v1/basic_reset_password', { email, token, new_password: FIRST }, expected)

/** An account with the first password, and a token of the session since then. */
async function createPerson({ admin = false } = {}): Promise<Person> {
  const person = await service.createPerson({ admin })
  await reset(person.email, await requestReset(person.email))
  const token = await service.tokens.issueUserToken({ id: person.id, isAdmin: admin, sessionVersion: 2 })
  return { ...person, ...service.as(token), token }
}

describe('a user', () => {
  it.each([false, true])('changes the own password; sessions and resets end (admin: %s)', async (isAdmin) => {
    const person = await createPerson({ admin: isAdmin })
    const resetToken = await requestReset(person.email)
    const body = { password: SECOND, current_password: FIRST }
    const response = await person.send('PUT', pathOf({ id: person.id.toUpperCase() }), body)
    expect(response).toMatchObject({ status: 204, text: '' })
    await person.get(`/v1/users/${person.id}`, refusal(401, 'TOKEN_EXPIRED'))
    await reset(person.email, resetToken, invalidToken)
    await logIn(person.email, FIRST, wrongCredentials)
    const { token } = await logIn(person.email, SECOND)
    await service.as(token).get(`/v1/users/${person.id}`, 200)
  })

  it('gets 401 for a wrong current password and 400 without one; nothing changes', async () => {
    const [person, other] = [await createPerson(), await createPerson({ admin: true })]
    const change = (body: object, expected: Expected) => person.put(pathOf(person), body, expected)
    for (const current_password of ['wrong', '', ` ${FIRST}`, FIRST.toUpperCase()])
      await change({ password: SECOND, current_password }, wrongCredentials)
    await other.put(pathOf(other), { password: SECOND, current_password: 'wrong' }, wrongCredentials)
    await other.put(pathOf(other), { password: SECOND }, invalidField('current_password'))
    await change({ password: SECOND }, invalidField('current_password'))
    await change({ password: 'short', current_password: FIRST }, invalidField('password'))
    await change({ current_password: FIRST }, invalidField('password'))
    await person.get(`/v1/users/${person.id}`, 200)
    await logIn(person.email, FIRST)
  })

  it('gets 403 for the password of another user, and for the own one of an account without a password', async () => {
    const [person, other] = [await createPerson(), await service.createPerson()]
    const body = { password: SECOND, current_password: FIRST }
    await person.put(pathOf(other), body, forbidden)
    await person.put(pathOf(admin), body, forbidden)
    const profile = { id: 'provider|1', name: 'Bridged', email: 'bridged@example.org' }
    const bridged = await service.as(WEB_BRIDGE_SECRET).post('/v1/create_or_login_user', profile)
    const hasNone = refusal(403, 'FORBIDDEN', expect.stringMatching(/has no password yet/))
    await service.as(bridged.token).put(pathOf(bridged), body, hasNone)
    await admin.put(pathOf(bridged), { password: FIRST }, 204)
    await logIn(profile.email, FIRST)
  })
})

describe('an admin', () => {
  it('sets the password of a user, with or without one before; sessions and reset tokens end', async () => {
    for (const person of [await createPerson(), await service.createPerson()]) {
      const token = await requestReset(person.email)
      await admin.put(pathOf(person), { password: SECOND, current_password: 'ignored' }, 204)
      await person.get(`/v1/users/${person.id}`, refusal(401, 'TOKEN_EXPIRED'))
      await reset(person.email, token, invalidToken)
      await logIn(person.email, SECOND)
    }
  })

  it('cannot set the password of another admin (403), of nobody (404), or a short one (400)', async () => {
    const other = await createPerson({ admin: true })
    await admin.put(pathOf(other), { password: SECOND }, forbidden)
    await logIn(other.email, FIRST)
    await other.get(`/v1/users/${other.id}`, 200)
    const gone = await service.createPerson()
    await gone.delete(`/v1/users/${gone.id}`)
    for (const id of [NOBODY, gone.id])
      await admin.put(pathOf({ id }), { password: SECOND }, notFound('user'))
    await admin.put(pathOf(await service.createPerson()), { password: 'short' }, invalidField('password'))
  })
})

it('is refused to judges, also under their own id (403)', async () => {
  for (const id of [admin.id, '00000000-0000-0000-0000-000000000000'])
    await service.judge.put(pathOf({ id }), { password: SECOND, current_password: FIRST }, forbidden)
})

it('is limited by user for the own password, like logins; admins set many of others', async () => {
  const strict = await openTestApp({ RATE_LIMIT_ACCOUNTS: '1/3', RATE_LIMIT_WRITES: '1/1' })
  const [user, other] = [await strict.createPerson(), await strict.createPerson()]
  const chief = await strict.createPerson({ admin: true })
  const guess = { password: SECOND, current_password: 'a guess' }
  for (const person of [user, chief]) {
    // These accounts have no password: 403, after the limit.
    for (let tries = 0; tries < 3; tries += 1) await person.put(pathOf(person), guess, 403)
    await person.put(pathOf(person), guess, refusal(429, 'RATE_LIMIT_EXCEEDED'))
    await person.put(pathOf(person), { broken: true }, 429)
  }
  await other.put(pathOf(other), guess, 403)
  for (let i = 0; i < 2; i += 1) await chief.put(pathOf(other), { password: SECOND }, 204)
})

async function threeChanges() {
  const person = await createPerson()
  // The first change does not end a token without a version.
  const caller = service.as(await signToken(person.id))
  const passwords = [1, 2, 3].map((i) => `password number ${i}`)
  const sends = passwords.map((password) => async () => {
    const send = () => caller.send('PUT', pathOf(person), { password, current_password: FIRST })
    let response = await send()
    // A busy machine may lack the time.
    for (let tries = 0; tries < 10 && response.status === 503; tries += 1) response = await send()
    return response
  })
  return {
    person,
    contenders: sends.map((send) => allow(send, '204', '401 INVALID_CREDENTIALS')),
    successes: 1,
    holds: async (responses: readonly { readonly status: number }[]) => {
      const stored = passwords[responses.findIndex(({ status }) => status === 204)] ?? ''
      for (const password of passwords)
        await logIn(person.email, password, password === stored ? 200 : wrongCredentials)
    },
  }
}

describeRaces('of concurrent changes with one current password, one is stored', 2, { changes: threeChanges })

describeCollisions('of changes that wait for each other', {
  'an admin’s goes before or after the user’s': async () => {
    const person = await createPerson()
    const own = { password: SECOND, current_password: FIRST }
    const select = 'select from users where id = $1::uuid for update'
    const contenders = [
      allow(() => admin.send('PUT', pathOf(person), { password: 'of the admin' }), '204'),
      allow(() => person.send('PUT', pathOf(person), own), '401 INVALID_CREDENTIALS', '401 TOKEN_EXPIRED'),
    ]
    return {
      ...{ contenders, lock: [service.databaseUrl, select, person.id] },
      holds: () => logIn(person.email, 'of the admin'),
    }
  },
})
