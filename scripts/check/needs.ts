import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { findChromium } from '../../test/clients/find-chromium.ts'

export const DATABASE_URL = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
export const AMQP_URL = process.env.TEST_AMQP_URL ?? 'amqp://guest:guest@127.0.0.1:5672'

const CONNECT_MS = 5000
const IN_SBIN = ['/usr/sbin/haproxy', '/usr/sbin/nft']

/** What a part may need, with the words for a person. */
const needs = {
  root: { text: 'root', isMet: () => process.getuid?.() === 0 },
  bubblewrap: { text: 'bubblewrap', isMet: () => has('bwrap') },
  chromium: { text: 'Chromium (CHROMIUM_PATH)', isMet: () => findChromium() !== undefined },
  postgres: { text: `PostgreSQL at ${hideLogin(DATABASE_URL)}`, isMet: () => accepts(DATABASE_URL, 5432) },
  rabbitmq: { text: `RabbitMQ at ${hideLogin(AMQP_URL)}`, isMet: () => accepts(AMQP_URL, 5672) },
  'programs of PostgreSQL': { text: 'the programs of PostgreSQL (initdb)', isMet: hasInitdb },
  'programs of RabbitMQ': {
    text: 'the programs of RabbitMQ (rabbitmq-server)',
    isMet: () => has('rabbitmq-server') || has('/usr/sbin/rabbitmq-server'),
  },
  'programs of the cluster': {
    text: 'etcd, Patroni, HAProxy, nginx and nftables',
    isMet: () => ['etcd', 'patroni', 'nginx', ...IN_SBIN].every(has),
  },
  'programs of deploy': {
    text: 'nginx, Caddy, HAProxy, nftables, iproute2, systemd, tini, openssl and socat',
    isMet: () =>
      ['nginx', 'caddy', 'ip', 'systemd-analyze', 'tini', 'openssl', 'socat', ...IN_SBIN].every(has),
  },
} satisfies Record<string, { text: string; isMet: () => boolean | Promise<boolean> }>

export type Need = keyof typeof needs

/** Returns which of these this machine lacks, in words. */
export async function findMissing(names: readonly Need[]): Promise<readonly string[]> {
  const found = await Promise.all(
    names.map(async (name) => ((await needs[name].isMet()) ? [] : [needs[name].text])),
  )
  return found.flat()
}

function has(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

function hasInitdb(): boolean {
  const folder = '/usr/lib/postgresql'
  const versions = existsSync(folder) ? readdirSync(folder) : []
  return (
    process.env.PG_BIN_DIR !== undefined ||
    has('initdb') ||
    versions.some((version) => existsSync(`${folder}/${version}/bin/initdb`))
  )
}

function accepts(url: string, usualPort: number): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port) || usualPort, hostname)
  return new Promise<boolean>((resolve) => {
    socket.setTimeout(CONNECT_MS, () => resolve(false))
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}

function hideLogin(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//')
}
