import crypto, { createHmac, generateKeyPairSync, sign as signWithKey } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createTokens, NIL_UUID, sameSecret } from '../../src/http/routing/tokens.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, openTestApp, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { openBareApp } from '../support/bare-app.ts'
import type { Expected } from '../support/caller.ts'
import { NOBODY } from '../support/ids.ts'
import { forbidden, refusal, unauthorized } from '../support/refusals.ts'

const service = await openTestApp()
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

function makeToken(payload: unknown, { header = {}, secret = JWT_SIGNING_SECRET, hash = 'sha256' } = {}) {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', ...header })}.${encode(payload)}`
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`
}

const openTokens = (options: Partial<Parameters<typeof createTokens>[0]>) =>
  createTokens({
    ...{ secret: JWT_SIGNING_SECRET, judgePassword: JUDGE_PASSWORD },
    ...{ userTtlSeconds: 600, judgeTtlSeconds: undefined },
    ...options,
  })

const claimsOf = ({ id }: { id: string }, role: number) => ({
  ...{ id, role, ver: 1 },
  ...{ iat: inSeconds(0), exp: inSeconds(600) },
})

const urlOfUser = `/v1/users/${user.id}`
const readUser = (token: string) => service.as(token).send('GET', urlOfUser)
const listUsers = (token: string, expected?: Expected) => service.as(token).get('/v1/users', expected)

const malformed = refusal(401, 'MALFORMED_TOKEN', 'Malformed JWT token')
const expired = refusal(401, 'TOKEN_EXPIRED')
const noAccount = refusal(401, 'ACCOUNT_DELETED', 'User account no longer exists')

async function expectEach(tokens: Record<string, string>, expected: object): Promise<void> {
  for (const [name, token] of Object.entries(tokens))
    expect(await readUser(token), name).toMatchObject(expected)
}

describe('a token that the service issues', () => {
  it('carries id, role, iat and ver, signed with HS256, for 30 days or for judges without exp (D9) [Auth: claims]', async () => {
    const judgeVersion = expect.stringMatching(/^[\w-]{43}$/)
    for (const [token, id, role, ver, days] of [
      [user.token, user.id, 0, 1, 30],
      [admin.token, admin.id, 2, 1, 30],
      [service.judgeToken, NIL_UUID, 1, judgeVersion, undefined],
    ] as const) {
      const { iat = 0, ...claims } = decodeJwt(token)
      expect(claims).toEqual({ id, role, ver, ...(days && { exp: iat + days * 24 * 60 * 60 }) })
      expect(Math.abs(iat - inSeconds(0))).toBeLessThan(60)
      expect(decodeProtectedHeader(token).alg).toBe('HS256')
    }
  })

  it('is valid for the configured time', async () => {
    const tokens = await openTokens({ userTtlSeconds: 90, judgeTtlSeconds: 45 })
    const issued = [
      await tokens.issueUserToken({ id: user.id, isAdmin: false, sessionVersion: 1 }),
      await tokens.issueJudgeToken(),
    ]
    expect(issued.map(decodeJwt).map(({ iat = 0, exp = 0 }) => exp - iat)).toEqual([90, 45])
  })
})

describe('a valid token', () => {
  it('is read from the Authorization header only, and refused after a scheme (401) [Auth: raw token, no Bearer]', async () => {
    const { token } = user
    await user.get(urlOfUser)
    const schemes = ['Bearer', 'bearer', 'Token', 'JWT', 'Basic']
    for (const scheme of schemes) await service.as(`${scheme} ${token}`).get(urlOfUser, malformed)
    await service.as('').get(urlOfUser, unauthorized)
    await service.anonymous.get(`${urlOfUser}?token=${token}&authorization=${token}`, unauthorized)
    const elsewhere = { cookie: `token=${token}`, 'x-access-token': token }
    expect(await service.anonymous.send('GET', urlOfUser, undefined, elsewhere)).toMatchObject(unauthorized)
  })

  it('may lack exp and ver, expire at any time ahead, and have its id in upper case (D9)', async () => {
    const { id } = user
    for (const claims of [
      { id, role: 0 },
      { id, role: 0, ver: 1 },
      { id, role: 0, ver: null },
      { id, role: 0, exp: inSeconds(60) },
      ...[253_402_300_799, Number.MAX_SAFE_INTEGER, 1e300].map((exp) => ({ id, role: 0, ver: 1, exp })),
    ]) {
      expect(await readUser(makeToken(claims)), JSON.stringify(claims)).toMatchObject({ status: 200 })
    }
    const token = makeToken({ ...claimsOf(user, 0), id: user.id.toUpperCase() })
    expect(await service.as(token).get(`/v1/user_submissions/${user.id}`)).toEqual([])
  })
})

describe('a token with a scheme', () => {
  const hint = expect.stringMatching(/raw in the Authorization header, without "Bearer"/)
  const error = 'Malformed JWT token'
  const body = { error, code: 'MALFORMED_TOKEN', message: error }

  it('gets a hint with Bearer, and only then (401) (D1)', async () => {
    for (const sent of [`Bearer ${user.token}`, `bearer ${user.token}`, 'BEARER  x', 'Bearer x y'])
      expect((await readUser(sent)).body, sent).toEqual({ ...body, hint })
    for (const sent of [`Token ${user.token}`, `Bearer${user.token}`, 'Bearer', `Bearer.${user.token}`, 'x'])
      expect((await readUser(sent)).body, sent).toEqual(body)
    const login = await service.as(`Bearer ${JUDGE_PASSWORD}`).send('POST', '/v1/login_judge')
    expect(login).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    expect(login.body).not.toHaveProperty('hint')
  })
})

describe('a judge’s token', () => {
  const claims = { id: NIL_UUID, role: 1 }

  it('is refused without the version of the present password, however it is signed (401) (D9)', async () => {
    const { ver } = decodeJwt<{ ver: string }>(service.judgeToken)
    expect(await readUser(makeToken({ ...claims, ver }))).toMatchObject({ status: 200 })
    const wrong = [undefined, null, 0, 1, '', `${ver}=`, ver.toLowerCase(), [ver], { ver }, true]
    for (const other of wrong)
      expect(await readUser(makeToken({ ...claims, ver: other })), JSON.stringify(other)).toMatchObject(
        expired,
      )
  })

  it('becomes invalid when JUDGE_PASSWORD changes, and only then; users’ tokens stay valid (401) (D9)', async () => {
    for (const [judgePassword, isValid] of [
      [JUDGE_PASSWORD, true],
      [` ${JUDGE_PASSWORD}\n`, true],
      [`${JUDGE_PASSWORD}.`, false],
      ['', false],
    ] as const) {
      const other = await openTokens({ judgePassword })
      const judge = other.verifyToken(service.judgeToken)
      if (isValid) await expect(judge).resolves.toMatchObject(claims)
      else await expect(judge).rejects.toMatchObject({ kind: 'TOKEN_EXPIRED' })
      await expect(other.verifyToken(user.token)).resolves.toMatchObject({ id: user.id })
      await expect(other.verifyToken(await other.issueJudgeToken())).resolves.toMatchObject(claims)
    }
  })
})

describe('a forged token', () => {
  const { id } = user
  const [own, admins] = [claimsOf(user, 0), claimsOf(admin, 2)]
  const [header = '', payload = '', signature = ''] = user.token.split('.')

  it('is refused if its secret, signature or payload is wrong (401)', async () => {
    const forged = {
      'another secret': makeToken(own, { secret: `${JWT_SIGNING_SECRET}.` }),
      'an empty secret': makeToken(own, { secret: '' }),
      'a changed payload': `${header}.${encode(admins)}.${signature}`,
      'a changed signature': `${header}.${payload}.${encode('x'.repeat(32))}`,
      'a cut signature': `${header}.${payload}.${signature.slice(0, -4)}`,
      'no signature': `${header}.${payload}.`,
    }
    await expectEach(forged, unauthorized)
  })

  it('is malformed if its algorithm is not HS256 or its form is wrong, however long it is (401) (D9) [Auth: claims]', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const signed = Buffer.from(`${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(admins)}`)
    const unsigned = (alg: string) => `${encode({ alg, typ: 'JWT' })}.${encode(admins)}.`
    const forged = {
      ...Object.fromEntries(['none', 'None', 'nOnE', 'NONE', ''].map((alg) => [`alg ${alg}`, unsigned(alg)])),
      HS384: makeToken(admins, { header: { alg: 'HS384' }, hash: 'sha384' }),
      HS512: makeToken(admins, { header: { alg: 'HS512' }, hash: 'sha512' }),
      RS256: `${signed}.${signWithKey('sha256', signed, privateKey).toString('base64url')}`,
      'RS256 over HMAC': makeToken(admins, { header: { alg: 'RS256' } }),
      'no alg': makeToken(admins, { header: { alg: undefined } }),
      'a number as alg': makeToken(admins, { header: { alg: 1 } }),
      'none, but signed': makeToken(admins, { header: { alg: 'none' } }),
      'a critical header': makeToken(admins, { header: { crit: ['b64'], b64: false } }),
      ...{ 'a word': 'nonsense', dots: '..', blank: ' ', 'two parts': `${header}.${payload}` },
      'four parts': `${user.token}.${signature}`,
      'five parts': `${user.token}.${signature}.${signature}`,
      'no header': `.${payload}.${signature}`,
      'no base64': `${header}.${payload}.***`,
      'a header of broken JSON': `${encode('{')}.${payload}.${signature}`,
      'a header of bytes': `${Buffer.from([0xff, 0xfe]).toString('base64url')}.${payload}.${signature}`,
      ...{ '100,000 letters': 'a'.repeat(100_000), '100,000 dots': '.'.repeat(100_000) },
    }
    await expectEach(forged, malformed)
  })

  it('is malformed if its payload is no JSON object (401)', async () => {
    for (const text of ['', 'text', '{', '[]', 'null', '7', '"text"', '\u0000'])
      expect(await readUser(makeToken(text)), text).toMatchObject(malformed)
  })

  it.each<[string, unknown[]]>([
    ['id', [undefined, null, 7, '', 'me', `{${id}}`, id.replaceAll('-', ''), [id], `${id}\n`]],
    ['role', [undefined, null, '0', true, 3, -1, 0.5, [0], {}, 4_294_967_296]],
    ['ver', ['1', true, 1.5, [1], {}, 2 ** 31, -(2 ** 31)]],
    ['exp', [null, 'tomorrow', String(inSeconds(60)), true, {}]],
    ['nbf', [inSeconds(3600)]],
  ])('is malformed if the claim %s is missing or invalid (401)', async (name, values) => {
    for (const value of values) {
      const token = makeToken({ ...own, [name]: value })
      expect(await readUser(token), JSON.stringify(value)).toMatchObject(malformed)
    }
  })
})

describe('a token that has become invalid', () => {
  it('is refused from the moment of its expiry, even if it was just accepted (401)', async () => {
    const tokenUntil = (exp: number) => makeToken({ ...claimsOf(user, 0), exp })
    await expectEach({ 'a second ago': tokenUntil(inSeconds(-1)), '1970': tokenUntil(0) }, expired)
    const token = tokenUntil(inSeconds(2))
    expect(await readUser(token)).toMatchObject({ status: 200 })
    await expect.poll(() => readUser(token), { interval: 100 }).toMatchObject(expired)
  })

  it('is refused with another session version than the account’s, or without an account (401) (D9) (specification, Authentication 3)', async () => {
    for (const claims of [claimsOf(user, 0), claimsOf(admin, 2)]) {
      for (const ver of [0, 2, -1, 2 ** 31 - 1])
        expect(await readUser(makeToken({ ...claims, ver })), `${ver}`).toMatchObject(expired)
      expect(await readUser(makeToken({ ...claims, id: NOBODY }))).toMatchObject(noAccount)
    }
  })
})

describe('the role in a token', () => {
  it('is the judge’s with the nil UUID, and only with it (401) (D10)', async () => {
    const tokens = {
      'a user with the nil UUID': makeToken({ ...claimsOf(user, 0), id: NIL_UUID }),
      'an admin with the nil UUID': makeToken({ ...claimsOf(user, 2), id: NIL_UUID }),
      'a judge with a user’s id': makeToken(claimsOf(user, 1)),
      'a judge with an admin’s id': makeToken(claimsOf(admin, 1)),
    }
    await expectEach(tokens, unauthorized)
  })

  it('is an admin’s only while the account is an admin’s, and stays a user’s after a promotion (403) (D10)', async () => {
    const [demoted, promoted] = [await service.createPerson({ admin: true }), await service.createPerson()]
    const change = ({ id }: { id: string }, is_admin: boolean) => admin.put(`/v1/users/${id}`, { is_admin })
    await listUsers(makeToken(claimsOf(user, 2)), forbidden)
    await change(demoted, false)
    await listUsers(demoted.token, forbidden)
    await demoted.get(urlOfUser)
    await change(demoted, true)
    await listUsers(demoted.token)
    await change(promoted, true)
    await listUsers(promoted.token, forbidden)
    await listUsers(makeToken(claimsOf(promoted, 2)))
  })
})

describe('a secret', () => {
  const timingSafeEqual = vi.spyOn(crypto, 'timingSafeEqual')
  syncBuiltinESMExports()
  afterAll(() => {
    timingSafeEqual.mockRestore()
    syncBuiltinESMExports()
  })

  /** Returns the pairs that were compared in constant time since the last call. */
  const readComparisons = () =>
    timingSafeEqual.mock.calls.splice(0).map((pair) => pair.map((part) => Buffer.from(Object(part))))

  it('is compared in constant time, by digests of one length (D12)', () => {
    const secret = 'a secret of the service'
    const wrong = ['', 'a', secret.slice(0, -1), `${secret}x`, 'b secret of the service', 'x'.repeat(10_000)]
    for (const text of [secret, ...wrong]) {
      readComparisons()
      expect(sameSecret(text, secret), text).toBe(text === secret)
      const [pair = [], ...others] = readComparisons()
      expect(others).toEqual([])
      expect(pair.map(({ length }) => length)).toEqual([32, 32])
      // A digest does not show how much of the secret was right.
      for (const part of pair) expect(part.toString('latin1')).not.toContain('secret')
    }
  })

  it('is compared equally often wherever the sent one differs (D12)', async () => {
    const { app } = await openBareApp()
    for (const [url, right] of [
      ['/v1/login_judge', JUDGE_PASSWORD],
      ['/v1/create_or_login_user', WEB_BRIDGE_SECRET],
    ] as const) {
      for (const wrong of [`x${right.slice(1)}`, `${right.slice(0, -1)}x`, 'x', `${right}x`]) {
        readComparisons()
        const { statusCode } = await app.inject({ method: 'POST', url, headers: { authorization: wrong } })
        expect([statusCode, readComparisons().length]).toEqual([401, 2])
      }
    }
  })
})
