import { NoAnswerError } from '@judge-data-layer/client/errors'
import { describe, expect, it } from 'vitest'
import { createJsonLogger } from '../src/logger.ts'
import { ServiceError } from '../src/service-error.ts'
import { describeFailedLogin, StartError } from '../src/start-error.ts'

// As `fetch` rejects after it has tried two addresses of a host.
const refused = new AggregateError([
  new Error('connect ECONNREFUSED ::1:5000'),
  new Error('connect ECONNREFUSED 127.0.0.1:5000'),
])
const unanswered = new NoAnswerError('the service did not answer', {
  cause: new TypeError('fetch failed', { cause: refused }),
})

describe('a start error', () => {
  it('is one line without control characters for any message of the other side', () => {
    const { message } = new StartError(
      'AMQP_URL',
      `refused\r\n\u001b[31mby\u0007 RabbitMQ ${'x'.repeat(5000)}`,
    )
    expect(message).toMatch(/^the judge worker cannot start: AMQP_URL: refused \[31mby RabbitMQ x+$/)
    expect(message.length).toBeLessThan(600)
  })

  it('names each address that refused the connection', () => {
    const failure = new ServiceError('the service did not answer', unanswered)
    expect(describeFailedLogin('http://localhost:5000/', failure)).toMatchObject({
      message:
        'the judge worker cannot start: JUDGE_API_URL: the judge cannot log in to the service at http://localhost:5000: connect ECONNREFUSED ::1:5000; connect ECONNREFUSED 127.0.0.1:5000',
    })
  })

  it('shows neither the credentials nor the query of an address', () => {
    const failure = describeFailedLogin(
      'http://judge:hush@host/api/?token=hush',
      new ServiceError('no answer'),
    )
    expect(failure).toMatchObject({ message: expect.stringContaining('at http://host/api: no answer') })
    expect(String(failure)).not.toContain('hush')
  })

  it('leaves an error alone that is not about the service', () => {
    const fault = new TypeError('a fault of the worker')
    expect(describeFailedLogin('http://host', fault)).toBe(fault)
  })
})

describe('the log', () => {
  it('has the messages of an error with several causes', () => {
    const lines: string[] = []
    createJsonLogger((line) => lines.push(line)).warn({ err: refused }, 'RabbitMQ is away')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { err: 'connect ECONNREFUSED ::1:5000; connect ECONNREFUSED 127.0.0.1:5000' },
    ])
  })
})
