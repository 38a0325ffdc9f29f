import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { amqpUrl, noBroker } from './broker.ts'
import { missing } from './requirements.ts'

/** Undefined if RabbitMQ users can be created, else the reason to leave out their tests. */
export const noBrokerUsers =
  noBroker ?? findRemoteBroker() ?? missing('rabbitmqctl', ['--quiet', 'list_users'])

/** Creates a user with these permissions (patterns of queue names). */
export async function createBrokerUser(permissions: { configure: string; write: string; read: string }) {
  const [name, password] = [`test-worker-${randomUUID()}`, randomUUID()]
  const url = new URL(amqpUrl)
  const virtualHost = decodeURIComponent(url.pathname.split('/')[1] || '/')
  await control('add_user', name, password)
  const { configure, write, read } = permissions
  await control('set_permissions', '--vhost', virtualHost, name, configure, write, read)
  url.username = name
  url.password = password
  return { url: url.href, password, remove: () => control('delete_user', name) }
}

async function control(...args: string[]): Promise<void> {
  await promisify(execFile)('rabbitmqctl', ['--quiet', ...args])
}

function findRemoteBroker(): string | undefined {
  const { hostname } = new URL(amqpUrl)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return isLocal ? undefined : `rabbitmqctl does not manage ${hostname}`
}
