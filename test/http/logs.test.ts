import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { healthRoutes } from '../../src/features/service/health/routes.ts'
import { openTestApp, type TestRequest, type TestResponse } from '../support/app.ts'
import { refusal } from '../support/refusals.ts'

const PASSWORD = 'a password to be kept'
const SOURCE_CODE = 'source code to be kept'
const STDIN = 'input to be kept'

const service = await openTestApp({ LOG_LEVEL: 'trace', PASSWORD_RESET_DEBUG: 'true', TRUSTED_PROXY: 'true' })
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })
const { anonymous } = service
const [language] = await anonymous.get('/v1/languages')
const { email } = user
const { token: resetToken } = await anonymous.post('/v1/basic_request_password_reset', { email })

const program = { language_id: language.id, source_code: SOURCE_CODE, stdin: STDIN }

const execute = (sql: string) => service.database.query(unprepared(sql))

const account = { name: 'kept', email: 'kept@example.org', password: PASSWORD }
const reset = { email, token: resetToken, new_password: PASSWORD }
const { judgePassword, webBridge, jwtSigning } = service.config.secrets
const { token } = user

/** Valid and invalid requests of many kinds, which contain everything secret. */
const requests: readonly TestRequest[] = [
  { method: 'POST', url: '/v1/basic_register', body: account },
  { method: 'POST', url: '/v1/basic_login', body: account },
  { method: 'POST', url: '/v1/basic_login', body: { ...account, password: `${PASSWORD} not` } },
  { method: 'POST', url: '/v1/basic_login', body: { password: PASSWORD } },
  { method: 'POST', url: '/v1/basic_reset_password', body: { ...reset, token } },
  { method: 'POST', url: '/v1/login_judge', token: judgePassword },
  { method: 'POST', url: '/v1/login_judge', token: webBridge },
  { method: 'POST', url: '/v1/create_or_login_user', token: webBridge, body: { ...account, id: 'x' } },
  { method: 'GET', url: '/v1/problems', token },
  { method: 'GET', url: '/v1/problems', token: `Bearer ${token}` },
  { method: 'GET', url: `/v1/nothing?token=${token}` },
  { method: 'GET', url: `/v1/users/%zz?token=${token}`, token },
  { method: 'POST', url: '/v1/submissions', token, body: { ...program, user_id: user.id, problem_id: 1 } },
  { method: 'POST', url: '/v1/submissions', token, raw: `{"source_code": "${SOURCE_CODE}"` },
  { method: 'POST', url: '/v1/input_submissions', token, body: program },
  { method: 'POST', url: '/v1/public/input_submissions', body: program },
  { method: 'POST', url: '/v1/public/input_submissions', body: { ...program, language_id: PASSWORD } },
  { method: 'POST', url: '/v1/basic_reset_password', body: reset },
  { method: 'POST', url: '/v1/basic_register', body: account },
]

function expectNothingRevealed(text: string): void {
  const written = [PASSWORD, SOURCE_CODE, STDIN, token, resetToken]
  for (const secret of [...written, judgePassword, webBridge, jwtSigning]) expect(text).not.toContain(secret)
  // No token and no password hash either.
  expect(text).not.toMatch(/eyJ|argon2/)
}

it('the log has one line per request, with the id that the response carries, and reveals nothing', async () => {
  service.log.length = 0
  const responses: TestResponse[] = []
  for (const request of requests) responses.push(await service.send(request))
  const lines = service.log.map((line) => JSON.parse(line))
  expect(lines).toMatchObject(
    responses.map(({ status, headers }, i) => ({
      ...{ level: 30, msg: 'request', method: requests[i]?.method, status, address: '127.0.0.1' },
      reqId: headers['x-request-id'],
    })),
  )
  for (const { ms } of lines) expect(ms).toBeGreaterThanOrEqual(0)
  expect(lines[1]).toMatchObject({ route: '/v1/basic_login', status: 200 })
  expect(lines[8]).toMatchObject({ route: '/v1/problems', status: 200, actor: user.id })
  expect(lines[10]).toMatchObject({ route: 'none', status: 404 })
  expect(lines[11]).toMatchObject({ route: 'none', status: 400 })
  expect(responses.slice(-2).map(({ status }) => status)).toEqual([200, 409])
  expectNothingRevealed(service.log.join(''))
})

it('health requests that succeed are logged at the level debug only', async () => {
  const usual = await openTestApp({ LOG_LEVEL: 'info' })
  const urls = healthRoutes().map(({ url }) => url)
  expect(urls).toContain('/ready')
  for (const url of urls) {
    service.log.length = 0
    usual.log.length = 0
    for (const { send } of [service, usual])
      expect(await send({ method: 'GET', url })).toMatchObject({ status: 200 })
    expect(service.log.map((line) => JSON.parse(line))).toMatchObject([
      { level: 20, route: url, status: 200 },
    ])
    expect(usual.log).toEqual([])
  }
})

it('the log shows the client’s address, and no other text of X-Forwarded-For (D14)', async () => {
  for (const [forwarded, address] of [
    ['198.51.100.1', '198.51.100.1'],
    ['198.51.100.1:5678', '198.51.100.1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['made up', '127.0.0.1'],
    [`198.51.100.1, ${PASSWORD}`, '127.0.0.1'],
  ] as const) {
    service.log.length = 0
    await service.send({ method: 'GET', url: '/v1/languages', headers: { 'x-forwarded-for': forwarded } })
    expect(JSON.parse(service.log.join('')), forwarded).toMatchObject({ address })
  }
})

describe('a failure of the service', () => {
  it('causes a 500 with the id of the request, and only the log states the cause [Error: 500]', async () => {
    await execute('alter table languages rename to tongues')
    service.log.length = 0
    try {
      // The list cache does not hold a page of this size.
      const { status, body, headers } = await anonymous.send('GET', '/v1/languages?limit=7')
      const error = 'Internal server error'
      const request_id = headers['x-request-id']
      expect([status, body]).toEqual([500, { error, code: 'INTERNAL', message: error, request_id }])
      const [failure, line, ...others] = service.log.map((text) => JSON.parse(text))
      expect(failure).toMatchObject({ level: 50, reqId: request_id, msg: 'request failed' })
      expect(failure.err.message).toContain('languages')
      expect(line).toMatchObject({ level: 30, status: 500, msg: 'request' })
      expect(others).toEqual([])
    } finally {
      await execute('alter table tongues rename to languages')
    }
    await anonymous.get('/v1/languages')
  })

  it('leaves no program, input or password in the log', async () => {
    for (const table of ['runs', 'users'])
      await execute(`alter table ${table} add constraint ${table}_broken check (false) not valid`)
    service.log.length = 0
    const created = { ...account, name: 'new', email: 'new@example.org' }
    for (const [caller, url, body] of [
      [anonymous, '/v1/public/input_submissions', program],
      [anonymous, '/v1/basic_register', created],
      [admin, '/v1/users', created],
    ] as const) {
      const response = await caller.post(url, body, refusal(500, 'INTERNAL'))
      expect(JSON.stringify(response)).not.toMatch(/broken|constraint/)
    }
    const text = service.log.join('')
    expect(text).toContain('_broken')
    expectNothingRevealed(text)
  })
})
