import { describe, expect, it } from 'vitest'
import { ServiceError } from '../src/service-error.ts'
import { describeFailedLogin, StartError } from '../src/start-error.ts'
import { createTextLog } from './support/line-logger.ts'

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
