import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { openTestApp, type TestApp } from '../support/app.ts'

const secrets = { JWT_SIGNING_SECRET: 'a secret', JUDGE_PASSWORD: 'a secret', WEB_BRIDGE_SECRET: 'a secret' }

const post = (service: TestApp, url: string, body: unknown, token?: string) =>
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
    const answer = await post(service, '/v1/basic_register', body)
    expect(answer).toMatchObject({ status: 403, body: { code: 'REGISTRATION_DISABLED' } })
    expect((await post(service, '/v1/basic_login', body)).status).toBe(401)
  })

  it('holds every new password to PASSWORD_MIN_LENGTH, and no old one', async () => {
    const { token, email } = await service.createPerson({ admin: true })
    const account = { name: 'Careful', email: 'careful@example.org' }
    for (const [password, status] of [
      ['123456789', 400],
      ['1234567890', 201],
    ] as const) {
      expect(await post(service, '/v1/users', { ...account, password }, token)).toMatchObject({ status })
    }
    for (const [new_password, status] of [
      ['123456789', 400],
      ['1234567890', 200],
    ] as const) {
      expect(await post(service, '/v1/basic_reset_password', { email, new_password })).toMatchObject({
        status,
      })
    }
    expect(await post(service, '/v1/basic_login', { email, password: '123456' })).toMatchObject({
      status: 401,
    })
  })

  it('takes secrets in UTF-8 and in Latin-1, without the white space that no header carries around them', async () => {
    // Node reads a header's bytes as Latin-1.
    const received = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
    const profile = { id: 'provider|1', name: 'Bridged', email: 'bridged@example.org' }
    for (const secret of ['brücken-geheimnis', received('brücken-geheimnis')]) {
      expect(await post(service, '/v1/create_or_login_user', profile, secret)).toMatchObject({ status: 200 })
    }
    const login = (secret: string) => post(service, '/v1/login_judge', undefined, secret)
    expect(await login(received('пароль судьи'))).toMatchObject({ status: 200 })
    for (const wrong of ['brucken-geheimnis', received('br\ufffdcken-geheimnis'), 'br\u00c3cken-geheimnis']) {
      expect(await post(service, '/v1/create_or_login_user', profile, wrong)).toMatchObject({ status: 401 })
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
      expect(await post(service, '/v1/users', body, token)).toMatchObject({ status })
    }
  })

  it('shows no reset token while PASSWORD_RESET_DEBUG is not on [Auth: development flags]', async () => {
    const { email } = await service.createPerson()
    const { body } = await post(service, '/v1/basic_request_password_reset', { email })
    expect(body).toEqual({ status: 'ok' })
  })

  it('resets a password without a token where ALLOW_INSECURE_PASSWORD_RESET is on, but not with a wrong one [Auth: development flags]', async () => {
    const { id, email, token } = await service.createPerson()
    const reset = (body: object) => post(service, '/v1/basic_reset_password', { email, ...body })
    for (const wrong of ['wrong', '']) {
      const refused = await reset({ token: wrong, new_password: 'not this one' })
      expect(refused).toMatchObject({ status: 401, body: { code: 'INVALID_RESET_TOKEN' } })
    }
    for (const new_password of ['first password', 'second password']) {
      expect(await reset({ new_password })).toMatchObject({ status: 200, body: { status: 'ok' } })
      expect(await post(service, '/v1/basic_login', { email, password: new_password })).toMatchObject({
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
