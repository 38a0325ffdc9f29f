import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { readBasic } from '../../src/http/routing/basic-auth.ts'
import {
  ask,
  basic,
  callerIs,
  ELSEWHERE,
  HIDDEN,
  newEmail,
  openContestApiRoutes,
  WRITE,
} from '../support/contest-api-routes.ts'

const service = await openContestApiRoutes()
const PASSWORD = 'correct horse'
const CHALLENGE = 'Basic realm="Contest API", charset="UTF-8"'

async function expectRefused(authorization: string, message: unknown) {
  const response = await ask(service.app, authorization)
  expect([response.status, response.body], authorization).toEqual([401, { code: 401, message }])
  expect(response.headers['www-authenticate']).toBe(CHALLENGE)
}

const expectWrong = (authorization: string) => expectRefused(authorization, 'Invalid credentials')

describe('HTTP Basic (RFC 7617)', () => {
  it('accepts an e-mail in any spelling of a login with its password, in UTF-8 and Latin-1', async () => {
    const password = 'pâss:wörd: '
    const id = await service.createAccount('Zoë@example.org', password)
    for (const email of ['Zoë@example.org', ' zoë@example.org ', 'ZOË@EXAMPLE.ORG', 'Zoe\u0308@example.org'])
      expect(await ask(service.app, basic(email, password)), email).toMatchObject(callerIs(id))
    expect(await ask(service.app, basic('zoë@example.org', password, 'latin1'))).toMatchObject(callerIs(id))
    const sent = basic('zoë@example.org', password).slice('Basic '.length)
    for (const header of [`basic ${sent}`, `BASIC   ${sent}`, `Basic ${sent.replace(/=+$/, '')}`])
      expect(await ask(service.app, header), header).toMatchObject(callerIs(id))
  })

  it('refuses wrong passwords, unknown e-mails, and accounts without a password (401)', async () => {
    const { email } = await service.newAccount(PASSWORD)
    await service.createAccount('bridged@example.org', null)
    const passwords = ['', ' ', `${PASSWORD} `, PASSWORD.toUpperCase(), `${PASSWORD}:`, 'x'.repeat(5000)]
    for (const password of passwords) await expectWrong(basic(email, password))
    for (const unknown of ['', 'nobody@example.org', `${email}.`, `x:${email}`, '%@example.org'])
      await expectWrong(basic(unknown, PASSWORD))
    for (const password of ['', 'null', 'undefined'])
      await expectWrong(basic('bridged@example.org', password))
  })

  it('ends the e-mail at the first colon: no account with a colon in its e-mail can use it', async () => {
    await service.createAccount('a:b@example.org', PASSWORD)
    await expectWrong(basic('a:b@example.org', PASSWORD))
    expect(readBasic(basic('a', 'b@example.org:c'))).toEqual({ email: 'a', password: 'b@example.org:c' })
  })

  it('refuses malformed credentials, with control characters too (401)', async () => {
    const { email } = await service.newAccount(PASSWORD)
    const encode = (text: string) => Buffer.from(text).toString('base64')
    const malformed = [
      ...['Basic', 'Basic ', 'basic =', 'Basic !', 'Basic Og= =', `Basic ${encode(email)}`],
      ...[`Basic ${encode(':')}!`, `Basic\t${encode(`${email}:${PASSWORD}`)}`, `Basic ${email}:${PASSWORD}`],
      `Basic ${encode(`${email}:${PASSWORD}`)},${encode(`${email}:${PASSWORD}`)}`,
      ...['\0', '\t', '\r', '\n', '\x7f'].flatMap((character) => [
        basic(`${email}${character}`, PASSWORD),
        basic(email, `${PASSWORD}${character}`),
      ]),
    ]
    const message = expect.stringMatching(/^Basic credentials must be /)
    const compare = vi.spyOn(service.passwords, 'findByPassword')
    for (const header of malformed) await expectRefused(header, message)
    expect(compare).not.toHaveBeenCalled()
    compare.mockRestore()
  })

  it('reads every e-mail without a colon and every password, without control characters', () => {
    const text = fc.string({ unit: 'binary' }).map((drawn) => drawn.replaceAll(/\p{Cc}/gu, ''))
    const email = text.map((drawn) => drawn.replaceAll(':', ''))
    fc.assert(
      fc.property(email, text, (name, password) => {
        expect(readBasic(basic(name, password))).toEqual({ email: name, password })
      }),
    )
  })

  it('is a malformed token on other routes, and so is Bearer everywhere (401)', async () => {
    const { email, id } = await service.newAccount(PASSWORD)
    const token = await service.tokens.issueUserToken({ id, isAdmin: false, sessionVersion: 1 })
    const elsewhere = await ask(service.app, basic(email, PASSWORD), { url: ELSEWHERE })
    expect(elsewhere).toMatchObject({ status: 401, body: { code: 'MALFORMED_TOKEN' } })
    expect(elsewhere.headers).not.toHaveProperty('www-authenticate')
    expect(await ask(service.app, token)).toMatchObject(callerIs(id))
    await expectRefused(`Bearer ${token}`, expect.stringMatching(/^Malformed JWT token\. Send the token raw/))
    for (const header of ['', 'nonsense', `Basic${token}`, `Digest ${token}`])
      await expectRefused(header, expect.any(String))
  })
})

describe('a caller without credentials', () => {
  it('reads only what is public, and learns of nothing else (401)', async () => {
    expect((await ask(service.app, undefined)).body).toEqual({ id: null, role: 0 })
    const hidden = await ask(service.app, undefined, { url: HIDDEN })
    expect(hidden).toMatchObject({ status: 401, headers: { 'www-authenticate': CHALLENGE } })
    const id = await service.createAccount(newEmail(), null)
    const token = await service.tokens.issueUserToken({ id, isAdmin: false, sessionVersion: 1 })
    expect(await ask(service.app, token, { url: HIDDEN })).toMatchObject({ status: 404 })
  })

  it('cannot write (401), unlike callers with a token or HTTP Basic', async () => {
    const { email, id } = await service.newAccount(PASSWORD)
    const token = await service.tokens.issueUserToken({ id, isAdmin: false, sessionVersion: 1 })
    const write = (authorization?: string) =>
      service.app.inject({
        ...{ method: 'POST', url: WRITE, payload: { text: 'x' } },
        headers: { ...(authorization !== undefined && { authorization }) },
      })
    for (const authorization of [token, basic(email, PASSWORD)])
      expect((await write(authorization)).json()).toEqual({ id, role: 0 })
    const { statusCode, headers } = await write()
    expect([statusCode, headers['www-authenticate']]).toEqual([401, CHALLENGE])
    expect((await write(basic(email, 'wrong'))).statusCode).toBe(401)
  })
})

describe('the account behind HTTP Basic', () => {
  it('has its present role (D10)', async () => {
    const { email, id } = await service.newAccount(PASSWORD, true)
    const header = basic(email, PASSWORD)
    const compare = vi.spyOn(service.passwords, 'findByPassword')
    expect(await ask(service.app, header)).toMatchObject(callerIs(id, 2))
    await service.change(id, 'is_admin = false')
    expect(await ask(service.app, header)).toMatchObject(callerIs(id, 0))
    await service.change(id, 'is_admin = true')
    expect(await ask(service.app, header)).toMatchObject(callerIs(id, 2))
    expect(compare).toHaveBeenCalledTimes(1)
    compare.mockRestore()
  })

  it('needs the new password at once, also if it is the old one again', async () => {
    const { email, id } = await service.newAccount(PASSWORD)
    const old = basic(email, PASSWORD)
    expect(await ask(service.app, old)).toMatchObject(callerIs(id))
    await service.setPassword(id, 'battery staple')
    await expectWrong(old)
    expect(await ask(service.app, basic(email, 'battery staple'))).toMatchObject(callerIs(id))
    await service.setPassword(id, PASSWORD)
    expect(await ask(service.app, old)).toMatchObject(callerIs(id))
    await service.change(id, 'session_version = session_version + 1')
    expect(await ask(service.app, old)).toMatchObject(callerIs(id))
    await service.change(id, 'password_hash = null')
    await expectWrong(old)
  })

  it('loses access at once when it is deleted, and a new one with its e-mail and password is another', async () => {
    const { email, id } = await service.newAccount(PASSWORD)
    const header = basic(email, PASSWORD)
    expect(await ask(service.app, header)).toMatchObject(callerIs(id))
    await service.change(id, 'deleted_at = now()')
    await expectWrong(header)
    const heir = await service.createAccount(email, PASSWORD)
    expect(await ask(service.app, header)).toMatchObject(callerIs(heir))
  })

  it('loses its former e-mail at once, also to somebody with the same password', async () => {
    const [former, email] = [newEmail(), newEmail()]
    const id = await service.createAccount(former, PASSWORD)
    expect(await ask(service.app, basic(former, PASSWORD))).toMatchObject(callerIs(id))
    await service.change(id, `email = '${email}'`)
    await expectWrong(basic(former, PASSWORD))
    const other = await service.createAccount(former, PASSWORD)
    for (let round = 0; round < 2; round += 1) {
      expect(await ask(service.app, basic(former, PASSWORD))).toMatchObject(callerIs(other))
      expect(await ask(service.app, basic(email, PASSWORD))).toMatchObject(callerIs(id))
    }
  })

  it('is its own among many with the same password, concurrently too', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => service.newAccount(PASSWORD)))
    const everybody = [...people, ...people, ...people]
    for (let round = 0; round < 2; round += 1) {
      const responses = await Promise.all(
        everybody.map(({ email }) => ask(service.app, basic(email, PASSWORD))),
      )
      expect(responses.map(({ body }) => body.id)).toEqual(everybody.map(({ id }) => id))
    }
  })
})
