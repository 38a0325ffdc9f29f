import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { productionNodeOptions } from '../local-servers/service.ts'
import type { Machine, Program } from './machine.ts'
import type { Role } from './places.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The program of each role, as its systemd unit starts it. */
export const programs: Readonly<Record<Role, Program>> = {
  etcd: {
    name: 'etcd',
    command: ['sh', '-c', 'set -a; . /etc/default/etcd; exec /usr/bin/etcd'],
    user: 'etcd',
  },
  database: { name: 'patroni', command: ['/usr/bin/patroni', '/etc/patroni/config.yml'], user: 'postgres' },
  queue: {
    name: 'rabbitmq',
    command: ['/usr/local/sbin/judge-rabbitmq'],
    user: 'rabbitmq',
    variables: { HOME: '/var/lib/rabbitmq' },
  },
  proxy: { name: 'haproxy', command: ['/usr/sbin/haproxy', '-W', '-f', '/etc/haproxy/haproxy.cfg'] },
  service: {
    name: 'service',
    command: withVariables('service', [...productionNodeOptions(), `${root}dist/src/main.js`]),
  },
  worker: { name: 'worker', command: withVariables('worker', [`${root}packages/worker/dist/main.js`]) },
}

/** Variables of the machine's own file, and secrets as the units pass them on. */
function withVariables(role: string, args: readonly string[]): string[] {
  const script = `set -a; . /etc/judge-data-layer/${role}.env
for secret in /etc/judge-data-layer/secrets/*; do
  name=$(basename "$secret" | tr a-z- A-Z_)
  export "\${name}_FILE=$secret"
done
exec "$@"`
  return ['sh', '-c', script, role, process.execPath, ...args]
}

/** Whether its programs run and do their work, as others see it. Never throws. */
export async function isReady({ role, address, isRunning }: Machine): Promise<boolean> {
  if (!isRunning()) return false
  const asks: Record<Role, () => Promise<boolean>> = {
    etcd: () => isOk(`http://${address}:2379/health`),
    database: () => isOk(`http://${address}:8008/health`),
    queue: () => accepts(address, 5672),
    service: () => isOk(`http://${address}:5000/ready`),
    proxy: () => isOk(`http://${address}/ready`),
    worker: async () => true,
  }
  return asks[role]()
}

const ASK_MS = 2000

export const isOk = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(ASK_MS) }).then(
    (response) => response.status === 200,
    () => false,
  )

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: ASK_MS })
    const end = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}
