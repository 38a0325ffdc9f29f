import { expect } from 'vitest'
import { findFreePorts } from '../../../tools/local-servers/free-ports.ts'
import { amqpUrl } from './support/broker.ts'
import { findOtherBroker, noBrokerUsers } from './support/broker-user.ts'
import { testUnless } from './support/requirements.ts'

testUnless(noBrokerUsers)(
  'tests create users only on the RabbitMQ that rabbitmqctl manages, and not on one with another port',
  async () => {
    const url = new URL(amqpUrl)
    expect(findOtherBroker(url.href)).toBeUndefined()
    url.port = String((await findFreePorts(1))[0])
    expect(findOtherBroker(url.href)).toBe(`rabbitmqctl does not manage the server at ${url.host}`)
    url.host = 'rabbitmq.example:5672'
    expect(findOtherBroker(url.href)).toBe('rabbitmqctl does not manage the server at rabbitmq.example:5672')
  },
)
