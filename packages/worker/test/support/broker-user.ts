import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { amqpUrl, noBroker } from './broker.ts'
import { missing } from './requirements.ts'

/** Undefined if RabbitMQ users can be created, else the reason to leave out their tests. */
export const noBrokerUsers =
  noBroker ?? missing('rabbitmqctl', ['--quiet', 'list_users']) ?? findOtherBroker(amqpUrl)

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
  return { url: url.href, remove: () => control('delete_user', name) }
}

async function control(...args: string[]): Promise<void> {
  await promisify(execFile)('rabbitmqctl', ['--quiet', ...args])
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'amqp:': 5672, 'amqps:': 5671 }

/** Undefined if rabbitmqctl manages the server of the URL; servers differ by their ports. */
function findOtherBroker(url: string): string | undefined {
  const { hostname, port, protocol } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const address = `${hostname}:${port || DEFAULT_PORTS[protocol]}`
  const isManaged = isLocal && listManagedPorts().includes(Number(port || DEFAULT_PORTS[protocol]))
  return isManaged ? undefined : `rabbitmqctl does not manage the server at ${address}`
}

/** The ports for AMQP, with and without TLS, of the server that rabbitmqctl manages. */
function listManagedPorts(): number[] {
  const args = ['--quiet', 'status', '--formatter', 'json']
  const { listeners }: { listeners: { port: number; protocol: string }[] } = JSON.parse(
    execFileSync('rabbitmqctl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  return listeners.filter(({ protocol }) => protocol.startsWith('amqp')).map(({ port }) => port)
}
