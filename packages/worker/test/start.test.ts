import { connect, createServer } from 'node:net'
import { describe, expect, it, test } from 'vitest'
import { describeFailedLogin, logInFirst } from '../src/service/first-login.ts'
import { createHttpSession } from '../src/service/http-session.ts'
import { ServiceError } from '../src/service/service-error.ts'
import { StartError } from '../src/shared/start-error.ts'
import { PASSWORD, startJudgeService } from './support/judge-service.ts'
import { createTextLog } from './support/line-logger.ts'
import { findClosedHost, listen } from './support/unusable-servers.ts'

const FOR_EVER = 2 ** 31

/** Logs in with a clock that moves by a second at each look. Resolves to the log and any error. */
async function logIn(apiUrl: string, waitMs = FOR_EVER, judgePassword = PASSWORD) {
  const session = createHttpSession({ apiUrl, judgePassword, signal: new AbortController().signal })
  const log = createTextLog()
  let timeMs = 0
  const now = () => {
    timeMs += 1000
    return timeMs
  }
  const login = logInFirst(session, { apiUrl, logger: log.logger, waitMs, pauseMs: 1, now })
  const failure = await login.catch((err: unknown) => String(err))
  return { lines: log.text.split('\n').slice(0, -1), failure }
}

test('the first login waits for a service that is starting, says so once, and does not wait for what no time changes', async () => {
  const service = await startJudgeService()
  service.statuses.set('POST /v1/login_judge', [503, 503])
  const { lines, failure } = await logIn(service.url)
  expect(failure).toBeUndefined()
  expect(service.requests.filter((route) => route.includes('login_judge'))).toHaveLength(3)
  expect(lines).toEqual([expect.stringMatching(/responded 503.*the worker waits for it/)])
  expect(await logIn(service.url, FOR_EVER, 'another-password')).toEqual({
    ...{ lines: [], failure: expect.stringContaining('JUDGE_PASSWORD') },
  })
  service.statuses.set('POST /v1/login_judge', [404])
  expect((await logIn(service.url)).failure).toContain('the service responded 404')
  await service.close()
})

test('the first login waits for a port that is closed, but not for ever', async () => {
  const url = `http://${await findClosedHost()}`
  const { lines, failure } = await logIn(url, 2500)
  expect(lines).toEqual([expect.stringMatching(/"seconds":2.5.*the worker waits for it/)])
  expect(failure).toMatch(/JUDGE_API_URL: .*ECONNREFUSED/)
})

test('the first login waits for a proxy that closes connections', async () => {
  const service = await startJudgeService()
  const proxy = createServer((socket) => {
    socket.on('error', () => {})
    if (closed < 2) socket.destroy()
    else socket.pipe(connect(Number(new URL(service.url).port), '127.0.0.1')).pipe(socket)
    closed += 1
  })
  let closed = 0
  const { failure } = await logIn(`http://127.0.0.1:${await listen(proxy)}`)
  proxy.close()
  await service.close()
  expect({ failure, closed }).toEqual({ failure: undefined, closed: 3 })
})

// The error of `fetch` after it has tried two addresses of a host.
const refused = new AggregateError([
  new Error('connect ECONNREFUSED ::1:5000'),
  new Error('connect ECONNREFUSED 127.0.0.1:5000'),
])

describe('a start error', () => {
  it('is one line without control characters for any text of a server', () => {
    const text = `refused\r\n\u001b[31mby\u0007 RabbitMQ ${'x'.repeat(5000)}`
    const { message } = new StartError('AMQP_URL', text)
    expect(message).toMatch(/^the judge worker cannot start: AMQP_URL: refused \[31mby RabbitMQ x+$/)
    expect(message.length).toBeLessThan(600)
  })

  it('shows neither the credentials nor the query of an address; other errors stay unchanged', () => {
    const url = 'http://judge:hush@host/api/?token=hush'
    const { message } = Object(describeFailedLogin(url, new ServiceError('no response')))
    expect(message).toContain('at http://host/api: no response')
    expect(message).not.toContain('hush')
    const fault = new TypeError('a fault of the worker')
    expect(describeFailedLogin('http://host', fault)).toBe(fault)
  })
})

describe('the log of an error', () => {
  function log(err: Error) {
    const log = createTextLog()
    log.logger.error({ err }, 'a request failed')
    return log.text
  }

  it('has the messages of all causes', () => {
    const message = 'connect ECONNREFUSED ::1:5000; connect ECONNREFUSED 127.0.0.1:5000'
    expect(JSON.parse(log(refused))).toMatchObject({ err: { message }, level: 50, msg: 'a request failed' })
  })

  it('has neither its properties nor those of its causes', () => {
    const cause = Object.assign(new Error('hush in a cause'), { url: 'amqp://judge:hush@host' })
    const err = Object.assign(new ServiceError('no response', cause), { headers: { authorization: 'hush' } })
    expect(JSON.parse(log(err)).err).toMatchObject({ type: 'ServiceError', message: 'no response' })
    expect(log(err)).not.toContain('hush')
  })
})
