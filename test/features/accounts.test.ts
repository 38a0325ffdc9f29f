import { hash, verify } from '@node-rs/argon2'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { CONCURRENT_COMPRESSIONS } from '../../src/lists/compression.ts'
import { openTestApp, type TestApp, type TestResponse, WEB_BRIDGE_SECRET } from '../support/app.ts'

const service = await openTestApp({
  LOG_LEVEL: 'trace',
  ADMIN_EMAILS: 'first.admin@example.org, Second.Admin@Example.org ,third.admin@example.org',
})
const admin = await service.createPerson({ admin: true })

const PASSWORD = 'correct horse'

const post = (url: string, body: unknown, token?: string) =>
  service.send({ method: 'POST', url, body, ...(token !== undefined && { token }) })
const register = (body: unknown) => post('/v1/basic_register', body)
const login = (body: unknown) => post('/v1/basic_login', body)
const createUser = (body: unknown) => post('/v1/users', body, admin.token)
const bridge = (body: unknown) => post('/v1/create_or_login_user', body, WEB_BRIDGE_SECRET)
const read = (id: string) => service.send({ method: 'GET', url: `/v1/users/${id}`, token: admin.token })

const accountOf = (word: string) => ({
  name: `Name ${word}`,
  email: `${word}@example.org`,
  password: PASSWORD,
})

const exists = { status: 409, body: { code: 'USER_EXISTS' } }
const refusedField = (field: string) => ({
  status: 400,
  body: { code: '400', error: expect.stringMatching(new RegExp(`^${field} `)) },
})

describe('registration', () => {
  it('answers 201 with token, id, name, e-mail and an empty image, and the token works [POST /v1/basic_register]', async () => {
    const answer = await register(accountOf('plain'))
    const { token, id } = answer.body
    const fields = { name: 'Name plain', email: 'plain@example.org', image: '' }
    expect(answer).toMatchObject({ status: 201, body: { token, id, ...fields } })
    expect(decodeJwt(token)).toMatchObject({ id, role: 0 })
    const own = await service.send({ method: 'GET', url: `/v1/users/${id}`, token })
    expect(own).toMatchObject({ status: 200, body: { id, ...fields, is_admin: false } })
    expect(Math.abs(Date.parse(own.body.join_date) - Date.now())).toBeLessThan(60_000)
  })

  it('takes an image, and trims name and e-mail but not the password (D11)', async () => {
    const image = 'https://example.org/cat.png'
    const body = { name: ' \t Ada Lovelace\n', email: ' ada@example.org ', password: ' six  ', image }
    const trimmed = { name: 'Ada Lovelace', email: 'ada@example.org', image }
    expect(await register(body)).toMatchObject({ status: 201, body: trimmed })
    expect(await login({ email: 'ada@example.org', password: ' six  ' })).toMatchObject({ status: 200 })
    expect(await login({ email: 'ada@example.org', password: 'six' })).toMatchObject({ status: 401 })
  })

  it('ignores what it does not know, so that nobody makes himself an admin', async () => {
    const id = '01890000-0000-7000-8000-000000000000'
    const answer = await register({ ...accountOf('sly'), is_admin: true, role: 2, id, provider_id: 'x' })
    expect(answer.status).toBe(201)
    expect(answer.body.id).not.toBe(id)
    expect(decodeJwt(answer.body.token)).toMatchObject({ role: 0 })
    expect(await read(answer.body.id)).toMatchObject({ body: { is_admin: false } })
  })

  it('refuses a name or an e-mail that is taken, whatever its case and the space around it (409) [Error: 409]', async () => {
    const taken = { name: 'Élodie Ǆ', email: 'ÜSER.Zoë@example.org', password: PASSWORD }
    expect(await register(taken)).toMatchObject({ status: 201 })
    for (const name of ['Élodie Ǆ', 'éLODIE ǆ', '  élodie ǆ\t']) {
      expect(await register({ ...taken, name, email: 'free@example.org' }), name).toMatchObject(exists)
    }
    for (const email of ['ÜSER.Zoë@example.org', 'üser.zoË@EXAMPLE.ORG', ' üser.zoë@example.org\n']) {
      expect(await register({ ...taken, name: 'free', email }), email).toMatchObject(exists)
    }
    const free = { name: 'free', email: 'free@example.org', password: PASSWORD }
    expect(await register(free)).toMatchObject({ status: 201 })
  })

  it('takes passwords of 6 to 1024 characters, however many bytes they are (D11)', async () => {
    const passwords = ['abcdef', 'ß🐱漢字éф', 'a'.repeat(1024), '🐱'.repeat(1024)]
    for (const [i, password] of passwords.entries()) {
      const account = { ...accountOf(`password${i}`), password }
      expect(await register(account), password.slice(0, 10)).toMatchObject({ status: 201 })
      expect(await login(account), password.slice(0, 10)).toMatchObject({ status: 200 })
    }
    for (const password of ['', 'abcde', '🐱🐱🐱🐱🐱', 'a'.repeat(1025), '🐱'.repeat(1025)]) {
      const answer = await register({ ...accountOf('refused'), password })
      expect(answer, password.slice(0, 10)).toMatchObject(refusedField('password'))
    }
  })

  it('takes a null image as none, as providers send it', async () => {
    expect(await register({ ...accountOf('faceless'), image: null })).toMatchObject({
      status: 201,
      body: { image: '' },
    })
  })

  it('takes a name and an e-mail of 255 characters (D8)', async () => {
    const account = { name: '𝒳'.repeat(255), email: `${'漢'.repeat(243)}@example.org`, password: PASSWORD }
    expect(await register(account)).toMatchObject({ status: 201, body: { name: account.name } })
    expect(await register({ ...account, name: 'other' })).toMatchObject(exists)
  })
})

describe('an e-mail in ADMIN_EMAILS, whatever its case (specification, Authentication 7; D12)', () => {
  it('makes an admin of who registers with it [Auth: admin e-mails]', async () => {
    const { body } = await register({ ...accountOf('admin'), email: ' FIRST.admin@example.ORG ' })
    expect(decodeJwt(body.token)).toMatchObject({ role: 2 })
    expect(await service.send({ method: 'GET', url: '/v1/users', token: body.token })).toMatchObject({
      status: 200,
    })
    expect(await read(body.id)).toMatchObject({ body: { is_admin: true } })
  })

  it('makes an admin of who comes over the bridge with it [Auth: admin e-mails]', async () => {
    const { body } = await bridge({ id: 'oauth|2', name: 'Admin 2', email: 'second.admin@example.org' })
    expect(decodeJwt(body.token)).toMatchObject({ role: 2 })
    expect(await read(body.id)).toMatchObject({ body: { is_admin: true } })
  })

  it('makes an admin of whom an admin creates with it [Auth: admin e-mails]', async () => {
    const body = { name: 'Admin 3', email: 'Third.Admin@example.org', is_admin: false }
    expect(await createUser(body)).toMatchObject({ status: 201, body: { is_admin: true } })
  })
})

describe('a login', () => {
  it('answers 200 with what the registration answered and a new token, whatever the case of the e-mail [POST /v1/basic_login]', async () => {
    const { body: registered } = await register({ ...accountOf('member'), image: 'i' })
    const answer = await login({ email: ' MEMBER@Example.org ', password: PASSWORD })
    const { token } = answer.body
    expect(answer).toMatchObject({ status: 200, body: { ...registered, token } })
    expect(decodeJwt(token)).toMatchObject({ id: registered.id, role: 0 })
  })

  it('answers the same to a wrong password and to an e-mail that is unknown, has no password, or was freed [Auth: wrong password] [Error: 401]', async () => {
    const person = await service.createPerson()
    const { body: gone } = await register(accountOf('gone'))
    await service.send({ method: 'DELETE', url: `/v1/users/${gone.id}`, token: gone.token })
    await register(accountOf('known'))
    const { body: bridged } = await bridge({ id: 'oauth|3', name: 'Bridged', email: 'bridged@example.org' })
    const emails = ['unknown@example.org', person.email, bridged.email, gone.email, '', 'no address', '%']
    const answers: TestResponse[] = []
    for (const email of emails) answers.push(await login({ email, password: PASSWORD }))
    for (const password of [
      '',
      'wrong',
      PASSWORD.toUpperCase(),
      ` ${PASSWORD}`,
      `${PASSWORD} `,
      'x'.repeat(99_999),
    ]) {
      answers.push(await login({ email: 'known@example.org', password }))
    }
    const error = 'Invalid credentials'
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual({ error, code: 'INVALID_CREDENTIALS', message: error })
      expect(Object.keys(headers)).toEqual(Object.keys(answers[0]?.headers ?? {}))
    }
  })

  it('costs the time of a password’s check for an unknown e-mail, too (D11)', async () => {
    await register(accountOf('timed'))
    const loginMs = async (email: string) => {
      const startedMs = performance.now()
      await login({ email, password: 'wrong' })
      return performance.now() - startedMs
    }
    // The fastest of many: on a busy machine a single one may take several times as long.
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let rounds = 0; rounds < 5 || (rounds < 40 && unknown <= known / 2); rounds += 1) {
      known = Math.min(known, await loginMs('timed@example.org'))
      unknown = Math.min(unknown, await loginMs('untimed@example.org'))
    }
    expect(unknown).toBeGreaterThan(known / 2)
  })
})

describe('the log', () => {
  it('never holds a password, a token or a secret', async () => {
    const account = { ...accountOf('logged'), password: 'never to be logged' }
    const registered = await register(account)
    const again = await register(account)
    const loggedIn = await login(account)
    const wrong = await login({ ...account, password: 'not to be logged either' })
    const judge = await post('/v1/login_judge', undefined, service.config.secrets.judgePassword)
    expect([registered, again, loggedIn, wrong, judge].map(({ status }) => status)).toEqual([
      201, 409, 200, 401, 200,
    ])
    const { judgePassword, jwtSigning, webBridge } = service.config.secrets
    const tokens = [registered, loggedIn, judge].map(({ body }) => body.token)
    const log = service.log.join('')
    expect(log).toContain('/v1/basic_register')
    for (const secret of [...tokens, 'to be logged', PASSWORD, judgePassword, jwtSigning, webBridge]) {
      expect(log).not.toContain(secret)
    }
  })
})

const secrets = { JWT_SIGNING_SECRET: 'a secret', JUDGE_PASSWORD: 'a secret', WEB_BRIDGE_SECRET: 'a secret' }

const postTo = (service: TestApp, url: string, body: unknown, token?: string) =>
  service.send({ method: 'POST', url, body, ...(token !== undefined && { token }) })

describe('a service with settings of its own', async () => {
  const service = await openTestApp({
    BASIC_REGISTRATION_ENABLED: '',
    PASSWORD_MIN_LENGTH: '10',
    ALLOW_INSECURE_PASSWORD_RESET: '1',
    NAME_LIMIT_CHARACTERS: '50',
    WEB_BRIDGE_SECRET: ' brücken-geheimnis\n',
    JUDGE_PASSWORD: '\tпароль судьи',
  })

  it('refuses every registration where BASIC_REGISTRATION_ENABLED is not set (403)', async () => {
    const body = { name: 'Nobody', email: 'nobody@example.org', password: 'long enough' }
    const answer = await postTo(service, '/v1/basic_register', body)
    expect(answer).toMatchObject({ status: 403, body: { code: 'REGISTRATION_DISABLED' } })
    expect((await postTo(service, '/v1/basic_login', body)).status).toBe(401)
  })

  it('holds every new password to PASSWORD_MIN_LENGTH, and no old one', async () => {
    const { token, email } = await service.createPerson({ admin: true })
    const account = { name: 'Careful', email: 'careful@example.org' }
    for (const [password, status] of [
      ['123456789', 400],
      ['1234567890', 201],
    ] as const) {
      expect(await postTo(service, '/v1/users', { ...account, password }, token)).toMatchObject({ status })
    }
    for (const [new_password, status] of [
      ['123456789', 400],
      ['1234567890', 200],
    ] as const) {
      expect(await postTo(service, '/v1/basic_reset_password', { email, new_password })).toMatchObject({
        status,
      })
    }
    expect(await postTo(service, '/v1/basic_login', { email, password: '123456' })).toMatchObject({
      status: 401,
    })
  })

  it('takes secrets in UTF-8 and in Latin-1, without the white space that no header carries around them', async () => {
    // Node reads a header's bytes as Latin-1.
    const received = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
    const profile = { id: 'provider|1', name: 'Bridged', email: 'bridged@example.org' }
    for (const secret of ['brücken-geheimnis', received('brücken-geheimnis')]) {
      expect(await postTo(service, '/v1/create_or_login_user', profile, secret)).toMatchObject({
        status: 200,
      })
    }
    const login = (secret: string) => postTo(service, '/v1/login_judge', undefined, secret)
    expect(await login(received('пароль судьи'))).toMatchObject({ status: 200 })
    for (const wrong of ['brucken-geheimnis', received('br\ufffdcken-geheimnis'), 'br\u00c3cken-geheimnis']) {
      expect(await postTo(service, '/v1/create_or_login_user', profile, wrong)).toMatchObject({ status: 401 })
    }
    expect(await login(received('пароль'))).toMatchObject({ status: 401 })
  })

  it('holds names to NAME_LIMIT_CHARACTERS', async () => {
    const { token } = await service.createPerson({ admin: true })
    for (const [length, status] of [
      [51, 400],
      [50, 201],
    ] as const) {
      const body = { name: 'x'.repeat(length), email: `${length}@example.org` }
      expect(await postTo(service, '/v1/users', body, token)).toMatchObject({ status })
    }
  })

  it('shows no reset token while PASSWORD_RESET_DEBUG is not on [Auth: development flags]', async () => {
    const { email } = await service.createPerson()
    const { body } = await postTo(service, '/v1/basic_request_password_reset', { email })
    expect(body).toEqual({ status: 'ok' })
  })

  it('resets a password without a token where ALLOW_INSECURE_PASSWORD_RESET is on, but not with a wrong one [Auth: development flags]', async () => {
    const { id, email, token } = await service.createPerson()
    const reset = (body: object) => postTo(service, '/v1/basic_reset_password', { email, ...body })
    for (const wrong of ['wrong', '']) {
      const refused = await reset({ token: wrong, new_password: 'not this one' })
      expect(refused).toMatchObject({ status: 401, body: { code: 'INVALID_RESET_TOKEN' } })
    }
    for (const new_password of ['first password', 'second password']) {
      expect(await reset({ new_password })).toMatchObject({ status: 200, body: { status: 'ok' } })
      expect(await postTo(service, '/v1/basic_login', { email, password: new_password })).toMatchObject({
        status: 200,
      })
    }
    const own = await service.send({ method: 'GET', url: `/v1/users/${id}`, token })
    expect(own).toMatchObject({ status: 401, body: { code: 'TOKEN_EXPIRED' } })
    const unknown = { email: 'unknown@example.org', new_password: 'a new password' }
    expect(await reset(unknown)).toMatchObject({ status: 200, body: { status: 'ok' } })
  })
})

describe('the switches of the accounts', () => {
  it('are on for true and 1, and off for anything else and when they are not set (D11)', () => {
    const names = [
      'BASIC_REGISTRATION_ENABLED',
      'PASSWORD_RESET_DEBUG',
      'ALLOW_INSECURE_PASSWORD_RESET',
    ] as const
    for (const name of names) {
      const isOn = (value: string | undefined) => {
        const { accounts } = loadConfig({ ...secrets, [name]: value })
        const switches = {
          BASIC_REGISTRATION_ENABLED: accounts.registrationEnabled,
          PASSWORD_RESET_DEBUG: accounts.passwordResetDebug,
          ALLOW_INSECURE_PASSWORD_RESET: accounts.allowInsecurePasswordReset,
        }
        const { [name]: asked, ...others } = switches
        expect(Object.values(others)).toEqual([false, false])
        return asked
      }
      expect(['true', '1'].map(isOn), name).toEqual([true, true])
      const off = [
        undefined,
        '',
        ' ',
        'false',
        '0',
        'no',
        'yes',
        'on',
        'TRUE',
        'True',
        '2',
        'null',
        'enabled',
      ]
      expect(off.map(isOn), name).toEqual(off.map(() => false))
    }
  })
})

// The query loads a second copy of the module, whose argon2 is spied on.
vi.mock('@node-rs/argon2', { spy: true })
const copy = '../../src/features/accounts/passwords.ts?spied'
const { createPasswords, hashesAtOnce }: typeof import('../../src/features/accounts/passwords.ts') =
  await import(copy)
beforeEach(() => void vi.mocked(verify).mockClear())

const parametersOf = (passwordHash: unknown) => String(passwordHash).split('$').slice(0, 4).join('$')
const unavailable = expect.objectContaining({ kind: 'UNAVAILABLE' })

it('costs one hash with the same parameters whether there is an account, one without a password, or none (D11)', async () => {
  const passwords = createPasswords()
  const own = await passwords.hash('the right one')
  const accounts = [{ password_hash: own }, { password_hash: null }, undefined]
  for (const account of accounts) {
    vi.mocked(verify).mockClear()
    expect(await passwords.findByPassword(async () => account, 'a wrong one')).toBeUndefined()
    expect(verify).toHaveBeenCalledTimes(1)
    expect(parametersOf(vi.mocked(verify).mock.calls[0]?.[0])).toBe(parametersOf(own))
  }
  expect(await passwords.findByPassword(async () => accounts[0], 'the right one')).toBe(accounts[0])
  expect(parametersOf(own)).toBe('$argon2id$v=19$m=19456,t=2,p=1')
})

it('lets nobody in by the password of the hash that stands in for a missing account', async () => {
  for (const password of ['', 'nobody', 'password']) {
    expect(await createPasswords().findByPassword(async () => undefined, password)).toBeUndefined()
  }
})

it('refuses a login beyond those that may wait at once, without asking for its account or hashing', async () => {
  const passwords = createPasswords({ inFlight: 1, waiting: 3, waitMs: 60_000 })
  const find = vi.fn(async () => undefined)
  const logins = Array.from({ length: 20 }, () => passwords.findByPassword(find, 'password'))
  const outcomes = await Promise.allSettled(logins)
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toEqual(refused.map(() => ({ status: 'rejected', reason: unavailable })))
  // One is hashed, three wait.
  expect(refused).toHaveLength(16)
  expect(find).toHaveBeenCalledTimes(4)
  expect(verify).toHaveBeenCalledTimes(4)
})

it('hashes in a flood only for those who still wait, and refuses the others before any work', async () => {
  const passwords = createPasswords({ inFlight: 1, waiting: 1000, waitMs: 100 })
  const find = vi.fn(async () => undefined)
  const startedMs = performance.now()
  const logins = Array.from({ length: 200 }, () => passwords.findByPassword(find, 'password'))
  const registrations = Array.from({ length: 10 }, () => passwords.hash('password'))
  const outcomes = await Promise.allSettled([...logins, ...registrations])
  const served = outcomes.filter(({ status }) => status === 'fulfilled').length
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toEqual(refused.map(() => ({ status: 'rejected', reason: unavailable })))
  expect(served).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(50)
  expect(find).toHaveBeenCalledTimes(served)
  // All 210 one after the other would take several seconds.
  expect(performance.now() - startedMs).toBeLessThan(2000)
  await expect(passwords.hash('password')).resolves.toMatch(/^\$argon2id/)
  expect(hash).toHaveBeenCalled()
})

it('leaves a core to the rest of the service', () => {
  expect([1, 2, 3, 4, 64].map(hashesAtOnce)).toEqual([1, 1, 2, 3, 3])
})

it('takes no more of libuv’s four threads, on whatever machine, than leave one for the compression of lists', () => {
  expect(hashesAtOnce(1000) + CONCURRENT_COMPRESSIONS).toBeLessThanOrEqual(4)
})
