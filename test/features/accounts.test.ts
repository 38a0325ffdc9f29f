import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { openTestApp, type TestResponse, WEB_BRIDGE_SECRET } from '../support/app.ts'
import type { Expected } from '../support/caller.ts'
import { invalidField, refusal } from '../support/refusals.ts'

const service = await openTestApp({
  ADMIN_EMAILS: 'first.admin@example.org, Second.Admin@Example.org ,third.admin@example.org',
})
const admin = await service.createPerson({ admin: true })
const bridge = service.as(WEB_BRIDGE_SECRET)

const PASSWORD = 'correct horse'

const accountOf = (who: string) => ({ name: `Name ${who}`, email: `${who}@example.org`, password: PASSWORD })

const register = (body: unknown, expected: Expected = 201) =>
  service.anonymous.post('/v1/basic_register', body, expected)
const logIn = (email: string, password: string, expected: Expected = 200) =>
  service.anonymous.post('/v1/basic_login', { email, password }, expected)

const taken = refusal(409, 'USER_EXISTS')
const wrongCredentials = refusal(401, 'INVALID_CREDENTIALS', 'Invalid credentials')

describe('registration', () => {
  it('creates an account with trimmed name and e-mail, and returns it with a token (201) (D11) [POST /v1/basic_register]', async () => {
    const fields = { name: 'Ada Lovelace', email: 'ada@example.org', image: 'https://example.org/cat.png' }
    const untrimmed = { name: ' \t Ada Lovelace\n', email: ' ada@example.org ', password: ' six  ' }
    const { token, id, ...account } = await register({ ...fields, ...untrimmed })
    expect(account).toEqual(fields)
    expect(decodeJwt(token)).toMatchObject({ id, role: 0 })
    const { join_date, ...user } = await service.as(token).get(`/v1/users/${id}`)
    expect(user).toEqual({ id, ...fields, is_admin: false })
    expect(Math.abs(Date.parse(join_date) - Date.now())).toBeLessThan(60_000)
    await logIn(fields.email, untrimmed.password)
    await logIn(fields.email, 'six', wrongCredentials)
  })

  it('refuses a taken name or e-mail, regardless of case and outer spaces (409) [Error: 409]', async () => {
    const first = { name: 'Élodie Ǆ', email: 'ÜSER.Zoë@example.org', password: PASSWORD }
    const free = { name: 'free', email: 'free@example.org', password: PASSWORD }
    await register(first)
    for (const name of ['Élodie Ǆ', 'éLODIE ǆ', '  élodie ǆ\t']) await register({ ...free, name }, taken)
    for (const email of [first.email, 'üser.zoË@EXAMPLE.ORG', ' üser.zoë@example.org\n'])
      await register({ ...free, email }, taken)
    await register(free)
  })

  it('makes one account of simultaneous registrations with the same name or e-mail (409)', async () => {
    const sameName = (i: number) => ({ ...accountOf(`same${i}`), name: 'Same Name' })
    const sameEmail = (i: number) => ({ ...accountOf(`other${i}`), email: 'Same@Example.org' })
    for (const bodyOf of [sameName, sameEmail]) {
      const requests = [0, 1, 2].map((i) => service.anonymous.send('POST', '/v1/basic_register', bodyOf(i)))
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      expect(statuses.sort()).toEqual([201, 409, 409])
    }
  })

  it('takes passwords of 6 to 1024 characters, however many bytes they have (D11)', async () => {
    const passwords = ['abcdef', 'ß🐱漢字éф', 'a'.repeat(1024), '🐱'.repeat(1024)]
    for (const [i, password] of passwords.entries()) {
      const account = { ...accountOf(`password${i}`), password }
      await register(account)
      await logIn(account.email, password)
    }
    for (const password of ['', 'abcde', '🐱🐱🐱🐱🐱', 'a'.repeat(1025), '🐱'.repeat(1025)])
      await register({ ...accountOf('refused'), password }, invalidField('password'))
  })

  it('takes a name and an e-mail of 255 characters, and null for no image (D8)', async () => {
    const account = { name: '𝒳'.repeat(255), email: `${'漢'.repeat(243)}@example.org`, password: PASSWORD }
    const { name, email } = account
    expect(await register({ ...account, image: null })).toMatchObject({ name, email, image: '' })
    await register({ ...account, name: 'other' }, taken)
  })

  it('makes accounts with an e-mail in ADMIN_EMAILS admins, however they are created (D12) [Auth: admin e-mails]', async () => {
    const profile = { id: 'oauth|2', name: 'Admin 2', email: 'second.admin@example.org' }
    const unmarked = { name: 'Admin 3', email: 'Third.Admin@example.org', is_admin: false }
    const registered = await register({ ...accountOf('one'), email: ' FIRST.admin@example.ORG ' })
    const bridged = await bridge.post('/v1/create_or_login_user', profile)
    const created = await admin.post('/v1/users', unmarked)
    for (const { id } of [registered, bridged, created])
      expect(await admin.get(`/v1/users/${id}`)).toMatchObject({ is_admin: true })
    for (const { token } of [registered, bridged]) {
      expect(decodeJwt(token)).toMatchObject({ role: 2 })
      await service.as(token).get('/v1/users')
    }
  })
})

describe('login', () => {
  it('returns the account with a new token, regardless of the e-mail’s case [POST /v1/basic_login]', async () => {
    const registered = await register({ ...accountOf('member'), image: 'i' })
    const { token, ...account } = await logIn(' MEMBER@Example.org ', PASSWORD)
    expect({ ...account, token: registered.token }).toEqual(registered)
    expect(decodeJwt(token)).toMatchObject({ id: account.id, role: 0 })
  })

  it('responds identically to a wrong password and to an e-mail without an account or password (401) [Auth: wrong password] [Error: 401]', async () => {
    const person = await service.createPerson()
    const gone = await register(accountOf('gone'))
    await service.as(gone.token).delete(`/v1/users/${gone.id}`)
    await register(accountOf('known'))
    const profile = { id: 'oauth|3', name: 'Bridged', email: 'bridged@example.org' }
    await bridge.post('/v1/create_or_login_user', profile)
    const emails = ['unknown@example.org', person.email, profile.email, gone.email, '', 'no address', '%']
    const wrong = ['', 'wrong', PASSWORD.toUpperCase(), ` ${PASSWORD}`, `${PASSWORD} `, 'x'.repeat(99_999)]
    const responses: TestResponse[] = []
    for (const body of [
      ...emails.map((email) => ({ email, password: PASSWORD })),
      ...wrong.map((password) => ({ email: 'known@example.org', password })),
    ]) {
      responses.push(await service.anonymous.send('POST', '/v1/basic_login', body))
    }
    const error = 'Invalid credentials'
    for (const { status, body, headers } of responses) {
      expect(status).toBe(401)
      expect(body).toEqual({ error, code: 'INVALID_CREDENTIALS', message: error })
      expect(Object.keys(headers)).toEqual(Object.keys(responses[0]?.headers ?? {}))
    }
  })

  it('takes as long for an unknown e-mail as for a wrong password (D11)', async () => {
    await register(accountOf('timed'))
    const loginMs = async (email: string) => {
      const startedMs = performance.now()
      await logIn(email, 'wrong', wrongCredentials)
      return performance.now() - startedMs
    }
    // Compares the fastest of many: on a busy machine a login may take several times as long.
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let rounds = 0; rounds < 5 || (rounds < 40 && unknown <= known / 2); rounds += 1) {
      known = Math.min(known, await loginMs('timed@example.org'))
      unknown = Math.min(unknown, await loginMs('untimed@example.org'))
    }
    expect(unknown).toBeGreaterThan(known / 2)
  })
})

describe('a service with other settings', async () => {
  const strict = await openTestApp({
    BASIC_REGISTRATION_ENABLED: '',
    PASSWORD_MIN_LENGTH: '10',
    ALLOW_INSECURE_PASSWORD_RESET: '1',
    NAME_LIMIT_CHARACTERS: '50',
  })
  const strictAdmin = await strict.createPerson({ admin: true })
  const { anonymous } = strict

  it('refuses registrations without BASIC_REGISTRATION_ENABLED (403)', async () => {
    await anonymous.post('/v1/basic_register', accountOf('nobody'), refusal(403, 'REGISTRATION_DISABLED'))
    await anonymous.post('/v1/basic_login', accountOf('nobody'), wrongCredentials)
  })

  it('requires PASSWORD_MIN_LENGTH of new passwords, not of logins', async () => {
    const [short, long] = ['123456789', '1234567890']
    const account = { name: 'Careful', email: 'careful@example.org' }
    const { email } = await strict.createPerson()
    await strictAdmin.post('/v1/users', { ...account, password: short }, invalidField('password'))
    await strictAdmin.post('/v1/users', { ...account, password: long })
    const url = '/v1/basic_reset_password'
    await anonymous.post(url, { email, new_password: short }, invalidField('new_password'))
    await anonymous.post(url, { email, new_password: long })
    await anonymous.post('/v1/basic_login', { email, password: '123456' }, wrongCredentials)
  })

  it('limits names to NAME_LIMIT_CHARACTERS', async () => {
    const email = 'limited@example.org'
    await strictAdmin.post('/v1/users', { name: 'x'.repeat(51), email }, invalidField('name'))
    await strictAdmin.post('/v1/users', { name: 'x'.repeat(50), email })
  })
})
