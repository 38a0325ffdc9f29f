import crypto, { createHmac, generateKeyPairSync, sign as signWithKey } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createTokens, NIL_UUID, sameSecret } from '../../src/http/routing/tokens.ts'
import {
  JUDGE_PASSWORD,
  JWT_SIGNING_SECRET,
  openTestApp,
  type Person,
  WEB_BRIDGE_SECRET,
} from '../support/app.ts'
import { openBareApp } from '../support/bare-app.ts'

const service = await openTestApp()
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const HASHES = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const

/** A token made by hand, so that it can be wrong in any way. */
function makeToken(
  payload: unknown,
  {
    header = {},
    secret = JWT_SIGNING_SECRET,
    hash = 'sha256',
  }: { header?: object; secret?: string; hash?: string } = {},
): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', ...header })}.${encode(payload)}`
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`
}

/** What the service itself would put into this user's token. */
const claimsOf = (person: Person, role: number) => ({
  id: person.id,
  role,
  iat: inSeconds(0),
  exp: inSeconds(600),
  ver: 1,
})

const readUser = (token: string) => service.send({ method: 'GET', url: `/v1/users/${user.id}`, token })
const listUsers = (token: string) => service.send({ method: 'GET', url: '/v1/users', token })

const malformed = { status: 401, body: { error: 'Malformed JWT token', code: 'MALFORMED_TOKEN' } }
const unauthorized = { status: 401, body: { code: 'UNAUTHORIZED' } }
const expired = { status: 401, body: { code: 'TOKEN_EXPIRED' } }

async function expectEach(tokens: Record<string, string>, answer: object): Promise<void> {
  for (const [what, token] of Object.entries(tokens))
    expect(await readUser(token), what).toMatchObject(answer)
}

describe('a token that the service issues', () => {
  it('carries id, role, iat, exp and ver, signed with HS256, for seven days (D9) [Auth: claims]', async () => {
    for (const [person, role] of [
      [user, 0],
      [admin, 2],
    ] as const) {
      const { iat = 0, ...claims } = decodeJwt(person.token)
      expect(claims).toEqual({ id: person.id, role, ver: 1, exp: iat + 7 * 24 * 60 * 60 })
      expect(Math.abs(iat - inSeconds(0))).toBeLessThan(60)
      expect(decodeProtectedHeader(person.token).alg).toBe('HS256')
    }
  })

  it('carries the nil UUID and role 1 for judges, for thirty days (D9) [Auth: claims]', async () => {
    const { iat = 0, ...claims } = decodeJwt(service.judgeToken)
    expect(claims).toEqual({ id: NIL_UUID, role: 1, ver: 1, exp: iat + 30 * 24 * 60 * 60 })
  })

  it('lives as long as is configured', async () => {
    const tokens = await createTokens({ secret: JWT_SIGNING_SECRET, userTtlSeconds: 90, judgeTtlSeconds: 45 })
    const issued = [
      await tokens.issueUserToken({ id: user.id, isAdmin: false, sessionVersion: 1 }),
      await tokens.issueJudgeToken(),
    ]
    expect(issued.map(decodeJwt).map(({ iat = 0, exp = 0 }) => exp - iat)).toEqual([90, 45])
  })
})

describe('a token in the Authorization header', () => {
  it('is taken raw, and refused with any scheme before it [Auth: raw token, no Bearer]', async () => {
    expect(await readUser(user.token)).toMatchObject({ status: 200, body: { id: user.id } })
    for (const scheme of ['Bearer', 'bearer', 'Token', 'JWT', 'Basic']) {
      expect(await readUser(`${scheme} ${user.token}`), scheme).toMatchObject(malformed)
    }
  })

  it('is missed where it is absent, empty, or anywhere else', async () => {
    const url = `/v1/users/${user.id}`
    const requests = [
      { url },
      { url, token: '' },
      { url: `${url}?token=${user.token}&authorization=${user.token}` },
      { url, headers: { cookie: `token=${user.token}`, 'x-access-token': user.token } },
    ]
    for (const request of requests) {
      expect(await service.send({ method: 'GET', ...request })).toMatchObject(unauthorized)
    }
  })

  it('is accepted without exp and ver, and however far ahead exp is (D9)', async () => {
    const { id } = user
    const payloads = [
      { id, role: 0 },
      { id, role: 0, ver: 1 },
      { id, role: 0, ver: null },
      { id, role: 0, exp: inSeconds(60) },
      ...[253_402_300_799, Number.MAX_SAFE_INTEGER, 1e300].map((exp) => ({ id, role: 0, ver: 1, exp })),
    ]
    for (const payload of payloads) {
      expect(await readUser(makeToken(payload)), JSON.stringify(payload)).toMatchObject({ status: 200 })
    }
    expect(await readUser(makeToken({ id: NIL_UUID, role: 1 }))).toMatchObject({ status: 200 })
  })

  it('names its user whatever the case of the id', async () => {
    const token = makeToken({ ...claimsOf(user, 0), id: user.id.toUpperCase() })
    const url = `/v1/user_submissions/${user.id}`
    expect(await service.send({ method: 'GET', url, token })).toMatchObject({ status: 200, body: [] })
  })
})

describe('a token that nobody issued', () => {
  it('is refused when another secret signed it, or its signature or payload was changed', async () => {
    const [header, payload, signature] = user.token.split('.')
    const raised = encode({ ...claimsOf(user, 2), id: admin.id })
    await expectEach(
      {
        'another secret': makeToken(claimsOf(user, 0), { secret: `${JWT_SIGNING_SECRET}.` }),
        'an empty secret': makeToken(claimsOf(user, 0), { secret: '' }),
        'a raised payload': `${header}.${raised}.${signature}`,
        'a changed signature': `${header}.${payload}.${encode('x'.repeat(32))}`,
        'a cut signature': `${header}.${payload}.${signature?.slice(0, -4)}`,
        'no signature': `${header}.${payload}.`,
      },
      unauthorized,
    )
  })

  it('is malformed with any algorithm but HS256, none included (D9) [Auth: claims]', async () => {
    const claims = claimsOf(admin, 2)
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
    const unsigned = ['none', 'None', 'nOnE', 'NONE', ''].map((alg) => [
      `alg ${alg}`,
      `${encode({ alg, typ: 'JWT' })}.${encode(claims)}.`,
    ])
    const hashed = Object.entries(HASHES)
      .filter(([alg]) => alg !== 'HS256')
      .map(([alg, hash]) => [alg, makeToken(claims, { header: { alg }, hash })])
    await expectEach(
      {
        ...Object.fromEntries([...unsigned, ...hashed]),
        RS256: `${signed}.${signWithKey('sha256', Buffer.from(signed), privateKey).toString('base64url')}`,
        'RS256 over HMAC': makeToken(claims, { header: { alg: 'RS256' } }),
        'no alg': makeToken(claims, { header: { alg: undefined } }),
        'alg no text': makeToken(claims, { header: { alg: 1 } }),
        'none, but signed': makeToken(claims, { header: { alg: 'none' } }),
        'a header that must be understood': makeToken(claims, { header: { crit: ['b64'], b64: false } }),
      },
      malformed,
    )
  })

  it('is malformed when it is no token at all, however long', async () => {
    const [header = '', payload = '', signature = ''] = user.token.split('.')
    await expectEach(
      {
        'a word': 'nonsense',
        dots: '..',
        blank: ' ',
        'two parts': `${header}.${payload}`,
        'four parts': `${user.token}.${signature}`,
        'five parts': `${user.token}.${signature}.${signature}`,
        'no header': `.${payload}.${signature}`,
        'no base64': `${header}.${payload}.***`,
        'a header that is no JSON': `${encode('{')}.${payload}.${signature}`,
        'a header of bytes': `${Buffer.from([0xff, 0xfe]).toString('base64url')}.${payload}.${signature}`,
        'a hundred thousand letters': 'a'.repeat(100_000),
        'a hundred thousand dots': '.'.repeat(100_000),
      },
      malformed,
    )
  })

  it('is malformed when a claim is missing or of another type', async () => {
    const claims = claimsOf(user, 0)
    const wrong: Record<string, unknown[]> = {
      id: [
        undefined,
        null,
        7,
        '',
        'me',
        `{${user.id}}`,
        user.id.replaceAll('-', ''),
        [user.id],
        `${user.id}\n`,
      ],
      role: [undefined, null, '0', true, 3, -1, 0.5, [0], {}, 4_294_967_296],
      ver: ['1', true, 1.5, [1], {}, 2 ** 31, -(2 ** 31)],
      exp: [null, 'tomorrow', String(inSeconds(60)), true, {}],
      nbf: [inSeconds(3600)],
    }
    const tokens = Object.entries(wrong).flatMap(([name, values]) =>
      values.map((value) => [`${name} ${JSON.stringify(value)}`, makeToken({ ...claims, [name]: value })]),
    )
    await expectEach(Object.fromEntries(tokens), malformed)
    const payloads = ['', 'text', '{', '[]', 'null', '7', '"text"', '\u0000']
    await expectEach(
      Object.fromEntries(payloads.map((payload) => [`payload ${payload}`, makeToken(payload)])),
      malformed,
    )
  })
})

describe('a token that no longer holds', () => {
  it('is refused once it has expired, also one that was good a moment ago', async () => {
    expect(await readUser(makeToken({ ...claimsOf(user, 0), exp: inSeconds(-1) }))).toMatchObject(expired)
    expect(await readUser(makeToken({ ...claimsOf(user, 0), exp: 0 }))).toMatchObject(expired)
    const token = makeToken({ ...claimsOf(user, 0), exp: inSeconds(2) })
    expect(await readUser(token)).toMatchObject({ status: 200 })
    await expect.poll(() => readUser(token), { timeout: 5000, interval: 100 }).toMatchObject(expired)
  })

  it('is refused with a session version that is not the account’s (D9)', async () => {
    for (const ver of [0, 2, -1, 2 ** 31 - 1]) {
      expect(await readUser(makeToken({ ...claimsOf(user, 0), ver })), `${ver}`).toMatchObject(expired)
      expect(await readUser(makeToken({ ...claimsOf(admin, 2), ver })), `${ver}`).toMatchObject(expired)
    }
  })

  it('is refused when there is no such account (specification, Authentication 3)', async () => {
    for (const role of [0, 2]) {
      const token = makeToken({ ...claimsOf(user, role), id: '01890000-0000-7000-8000-000000000000' })
      const error = 'User account no longer exists'
      expect(await readUser(token)).toMatchObject({ status: 401, body: { error, code: 'ACCOUNT_DELETED' } })
    }
  })
})

describe('the role in a token', () => {
  it('is a judge’s with the nil UUID, and only with it (D10)', async () => {
    await expectEach(
      {
        'a user with the nil UUID': makeToken({ ...claimsOf(user, 0), id: NIL_UUID }),
        'an admin with the nil UUID': makeToken({ ...claimsOf(user, 2), id: NIL_UUID }),
        'a judge with a user’s id': makeToken(claimsOf(user, 1)),
        'a judge with an admin’s id': makeToken(claimsOf(admin, 1)),
      },
      unauthorized,
    )
  })

  it('counts for an admin only as long as the account is an admin’s (D10)', async () => {
    const other = await service.createPerson({ admin: true })
    const change = (is_admin: boolean) =>
      service.send({ method: 'PUT', url: `/v1/users/${other.id}`, token: admin.token, body: { is_admin } })
    expect(await listUsers(other.token)).toMatchObject({ status: 200 })
    expect(await change(false)).toMatchObject({ status: 204 })
    expect(await listUsers(other.token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await readUser(other.token)).toMatchObject({ status: 200 })
    expect(await change(true)).toMatchObject({ status: 204 })
    expect(await listUsers(other.token)).toMatchObject({ status: 200 })
  })

  it('does not count for an admin when a user’s token claims it', async () => {
    expect(await listUsers(makeToken(claimsOf(user, 2)))).toMatchObject({ status: 403 })
  })

  it('stays a user’s after a promotion, until the next login (D10)', async () => {
    const { token } = admin
    const body = { name: 'To be promoted', email: 'promoted@example.org', password: 'a password' }
    const login = async () =>
      (await service.send({ method: 'POST', url: '/v1/basic_login', body })).body.token
    const { body: made } = await service.send({ method: 'POST', url: '/v1/users', token, body })
    const before = await login()
    const promotion = { method: 'PUT', url: `/v1/users/${made.id}`, token, body: { is_admin: true } } as const
    expect(await service.send(promotion)).toMatchObject({ status: 204 })
    expect(await listUsers(before)).toMatchObject({ status: 403 })
    expect(await listUsers(await login())).toMatchObject({ status: 200 })
  })
})

const timingSafeEqual = vi.spyOn(crypto, 'timingSafeEqual')
syncBuiltinESMExports()
afterAll(() => {
  timingSafeEqual.mockRestore()
  syncBuiltinESMExports()
})

const secret = 'a secret of the service'
const presented = [
  '',
  'a',
  secret.slice(0, -1),
  `${secret}x`,
  'b secret of the service',
  secret,
  'x'.repeat(10_000),
]

/** Takes the pairs that were compared in constant time since the last call. */
function readComparisons(): Buffer[][] {
  return timingSafeEqual.mock.calls.splice(0).map((pair) => pair.map((part) => Buffer.from(Object(part))))
}

describe('a secret', () => {
  it('is compared by digests of one length, in constant time, whatever is presented', () => {
    readComparisons()
    for (const text of presented) {
      expect(sameSecret(text, secret), text).toBe(text === secret)
      const [pair, ...others] = readComparisons()
      expect(others).toEqual([])
      expect(pair?.map(({ length }) => length)).toEqual([32, 32])
      // What is compared tells nothing of how much of it was right.
      for (const part of pair ?? []) expect(part.toString('latin1')).not.toContain('secret')
    }
  })

  it.each([
    ['/v1/login_judge', JUDGE_PASSWORD],
    ['/v1/create_or_login_user', WEB_BRIDGE_SECRET],
  ])(
    'is compared so on %s, as often whether its first or its last character is wrong',
    async (url, right) => {
      const { app } = await openBareApp()
      const wrong = [`x${right.slice(1)}`, `${right.slice(0, -1)}x`, 'x', `${right}x`]
      const counts: number[] = []
      for (const authorization of wrong) {
        readComparisons()
        const { statusCode } = await app.inject({ method: 'POST', url, headers: { authorization } })
        expect(statusCode).toBe(401)
        counts.push(readComparisons().length)
      }
      expect(counts).toEqual([2, 2, 2, 2])
    },
  )
})
