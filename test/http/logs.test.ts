import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { openTestApp, type TestRequest } from '../support/app.ts'

const PASSWORD = 'a password to be kept'
const SOURCE_CODE = 'source code to be kept'
const STDIN = 'input to be kept'

const service = await openTestApp({ LOG_LEVEL: 'trace' })
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })
const languageId = (await service.send({ method: 'GET', url: '/v1/languages' })).body[0].id

const program = () => ({ language_id: languageId, source_code: SOURCE_CODE, stdin: STDIN })

/** Requests of many kinds, right and wrong, with everything in them that no log may have. */
function revealingRequests(): TestRequest[] {
  const account = { name: 'kept', email: 'kept@example.org', password: PASSWORD }
  const { judgePassword, webBridge } = service.config.secrets
  const submission = { ...program(), user_id: user.id, problem_id: 1 }
  const token = user.token
  return [
    { method: 'POST', url: '/v1/basic_register', body: account },
    { method: 'POST', url: '/v1/basic_login', body: account },
    { method: 'POST', url: '/v1/basic_login', body: { ...account, password: `${PASSWORD} not` } },
    { method: 'POST', url: '/v1/basic_login', body: { password: PASSWORD } },
    { method: 'POST', url: '/v1/basic_reset_password', body: { ...account, token, new_password: PASSWORD } },
    { method: 'POST', url: '/v1/login_judge', token: judgePassword },
    { method: 'POST', url: '/v1/login_judge', token: webBridge },
    { method: 'POST', url: '/v1/create_or_login_user', token: webBridge, body: { ...account, id: 'x' } },
    { method: 'GET', url: '/v1/problems', token },
    { method: 'GET', url: '/v1/problems', token: `Bearer ${token}` },
    { method: 'GET', url: `/v1/nothing?token=${token}` },
    { method: 'GET', url: `/v1/users/%zz?token=${token}`, token },
    { method: 'POST', url: '/v1/submissions', token, body: submission },
    { method: 'POST', url: '/v1/submissions', token, raw: `{"source_code": "${SOURCE_CODE}"` },
    { method: 'POST', url: '/v1/input_submissions', token, body: program() },
    { method: 'POST', url: '/v1/public/input_submissions', body: program() },
    { method: 'POST', url: '/v1/public/input_submissions', body: { ...program(), language_id: PASSWORD } },
  ]
}

function expectNothingRevealed(text: string): void {
  const { judgePassword, webBridge, jwtSigning } = service.config.secrets
  for (const secret of [PASSWORD, SOURCE_CODE, STDIN, judgePassword, webBridge, jwtSigning, user.token]) {
    expect(text).not.toContain(secret)
  }
  // Any token at all, and any hash of a password.
  expect(text).not.toMatch(/eyJ|argon2/)
}

describe('the log', () => {
  it('has one line a request, with method, route, status, time, address and actor', async () => {
    const requests = revealingRequests()
    service.log.length = 0
    for (const request of requests) await service.send(request)
    const lines = service.log.map((line) => JSON.parse(line))
    expect(lines).toHaveLength(requests.length)
    for (const [i, { method }] of requests.entries()) {
      expect(lines[i]).toMatchObject({ level: 30, msg: 'request', method, address: '127.0.0.1' })
      expect(lines[i].ms).toBeGreaterThanOrEqual(0)
      expect(lines[i].reqId).toMatch(/^[0-9a-f-]{36}$/)
    }
    expect(lines[1]).toMatchObject({ route: '/v1/basic_login', status: 200 })
    expect(lines[8]).toMatchObject({ route: '/v1/problems', status: 200, actor: user.id })
    expect(lines[10]).toMatchObject({ route: 'none', status: 404 })
    expect(lines[11]).toMatchObject({ route: 'none', status: 400 })
  })

  it('has the id that the answer carries', async () => {
    service.log.length = 0
    const answer = await service.send({ method: 'GET', url: '/health' })
    expect(JSON.parse(service.log[0] ?? '')).toMatchObject({ reqId: answer.headers['x-request-id'] })
  })

  it('has no token, password, secret, hash, program or input in any line', async () => {
    for (const request of revealingRequests()) await service.send(request)
    expect(service.log.length).toBeGreaterThan(0)
    expectNothingRevealed(service.log.join(''))
  })
})

describe('a failure of the service itself', () => {
  it('is a 500 that shows its request’s id and nothing of the inside, which only the log has [Error: 500]', async () => {
    await service.database.query(statement('', 'alter table languages rename to tongues'))
    service.log.length = 0
    try {
      // A page that nothing has been kept of.
      const answer = await service.send({ method: 'GET', url: '/v1/languages?limit=7' })
      const error = 'Internal server error'
      const request_id = answer.headers['x-request-id']
      expect(answer).toMatchObject({ status: 500 })
      expect(answer.body).toEqual({ error, code: 'INTERNAL', message: error, request_id })
      const [failure, line] = service.log.map((text) => JSON.parse(text))
      expect(failure).toMatchObject({ level: 50, reqId: request_id, msg: 'request failed' })
      expect(failure.err.message).toContain('languages')
      expect(line).toMatchObject({ level: 30, status: 500, msg: 'request' })
      expect(service.log).toHaveLength(2)
    } finally {
      await service.database.query(statement('', 'alter table tongues rename to languages'))
    }
    expect(await service.send({ method: 'GET', url: '/v1/languages' })).toMatchObject({ status: 200 })
  })

  it('leaves no program, input or password in the log either', async () => {
    const refuseAll = (table: string) =>
      service.database.query(
        statement('', `alter table ${table} add constraint ${table}_broken check (false) not valid`),
      )
    await refuseAll('runs')
    await refuseAll('users')
    service.log.length = 0
    const account = { name: 'new', email: 'new@example.org', password: PASSWORD }
    for (const request of [
      { method: 'POST', url: '/v1/public/input_submissions', body: program() },
      { method: 'POST', url: '/v1/basic_register', body: account },
      { method: 'POST', url: '/v1/users', token: admin.token, body: account },
    ] as const) {
      const answer = await service.send(request)
      expect(answer, request.url).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
      expect(answer.text).not.toMatch(/broken|constraint/)
    }
    const text = service.log.join('')
    expect(text).toContain('_broken')
    expectNothingRevealed(text)
  })
})
