import { expect, test } from 'vitest'
import { splitHosts } from '../src/server-hosts.ts'

test.each([
  [
    'amqp://user:a%2Cb@one:5672,two,three:1/queues?heartbeat=5',
    ['one:5672', 'two', 'three:1'].map((host) => `amqp://user:a%2Cb@${host}/queues?heartbeat=5`),
  ],
  ['postgres://u:a,b@one,two', ['postgres://u:a,b@one', 'postgres://u:a,b@two']],
  ['postgres://[::1]:5432,[::2]/judge', ['postgres://[::1]:5432/judge', 'postgres://[::2]/judge']],
  ['amqp://one?a=b,c@d', ['amqp://one?a=b,c@d']],
  ['postgres:///judge?host=/run,/tmp', ['postgres:///judge?host=/run,/tmp']],
  ['not a URL, but text', ['not a URL, but text']],
])('the hosts of %s', (url, expected) => {
  expect(splitHosts(url)).toEqual(expected)
})
