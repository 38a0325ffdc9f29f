import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { missing, testUnless } from '../../packages/worker/test/support/requirements.ts'
import { findFreePorts } from '../../tools/local-servers/free-ports.ts'
import { makeServerFolder } from '../../tools/local-servers/server-folder.ts'

const FILES = new URL('../cluster/files/', import.meta.url)
const SCRIPTS = new URL('../cluster/', import.meta.url).pathname
const HAPROXY = '/usr/sbin/haproxy'
const UNAVAILABLE = /^HTTP\/1\.1 503 /
const run = promisify(execFile)
const readText = (name: string) => readFileSync(new URL(name, FILES), 'utf8')
const noHaproxy = process.env.TEST_REQUIRE_ALL ? undefined : missing(HAPROXY, ['-v'])
const noMounts = process.env.TEST_REQUIRE_ALL ? undefined : missing('unshare', [...ownMounts(), 'true'])

/** Options of `unshare`: a user without privileges gets them in a namespace of its own. */
function ownMounts(): string[] {
  return process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user']
}

async function makeFolder(): Promise<string> {
  const { path, remove } = await makeServerFolder('cluster')
  onTestFinished(remove)
  return path
}

describe('the files of a cluster', () => {
  const hosts = [...readText('hosts').matchAll(/^(\d\S+)\s+(\S+)$/gm)]
  const machines = (prefix: string) =>
    hosts.flatMap(([, , name = '']) => (name.startsWith(prefix) ? [name] : []))
  const named = (text: string, pattern: RegExp) => [...new Set(text.match(pattern))].sort()

  test('a primary that loses etcd is down before a standby may take over', () => {
    const { ttl, loop_wait, retry_timeout } = parse(readText('patroni.yml')).bootstrap.dcs
    expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl)
  })

  test('all name the machines of the list of hosts', () => {
    const { restapi, etcd } = parse(readText('patroni.yml'))
    expect(restapi.allowlist).toEqual(machines('db'))
    expect(etcd.hosts).toEqual(machines('etcd').map((name) => `${name}:2379`))
    expect(named(readText('haproxy.cfg'), /(?<=server )db\d/g)).toEqual(machines('db'))
    expect(named(readText('haproxy.cfg'), /(?<=server )api\d/g)).toEqual(machines('api'))
    const members = machines('etcd').map((name) => `${name}=http://${name}:2380`)
    expect(readText('etcd.env')).toContain('\nETCD_ENABLE_V2=true\n')
    expect(readText('etcd.env')).toContain(`\nETCD_INITIAL_CLUSTER=${members.join(',')}\n`)
    expect(readText('rabbitmq.conf').match(/(?<=nodes\.\d+ = rabbit@)\S+/g)).toEqual(machines('mq'))
    const names = hosts.map(([, , name]) => name).sort()
    expect(
      named(readText('nftables.conf').replace(/#.*/g, ''), /\b(?:etcd|db|mq|api|worker)\d|proxy/g),
    ).toEqual(names)
  })

  test('HAProxy and PostgreSQL name the network of the list of hosts', () => {
    const [, network] = /^ {2}setenv CLUSTER (\S+)$/m.exec(readText('haproxy.cfg')) ?? []
    for (const [, address = ''] of hosts) expect(`${address.replace(/\d+$/, '0')}/24`).toBe(network)
    const rules: string[] = parse(readText('patroni.yml')).bootstrap.pg_hba
    const places = rules.flatMap((rule) => (rule.startsWith('host ') ? [rule.split(' ')[3]] : []))
    expect(new Set(places)).toEqual(new Set(['127.0.0.1/32', network]))
  })

  test('nobody becomes the superuser of PostgreSQL over the network', () => {
    const rules: string[] = parse(readText('patroni.yml')).bootstrap.pg_hba
    const remote = rules.filter((rule) => rule.startsWith('host ') && !rule.includes(' 127.0.0.1/32 '))
    expect(remote.map((rule) => rule.split(' ')[2])).toEqual(['judge', 'rewind', 'replicator'])
  })
})

describe('HAProxy', () => {
  testUnless(noHaproxy)('accepts its file, with and without TLS', async () => {
    const folder = await makeFolder()
    await run(HAPROXY, ['-c', '-f', writeConfiguration(folder)])
    await run(HAPROXY, ['-c', '-f', writeConfiguration(folder, await withTls(folder))])
  })

  testUnless(noHaproxy)('with TLS, redirects all but the machines of the cluster', async () => {
    const client = await startHaproxy((folder) => withTls(folder))
    const response = await ask(client.open())
    expect(response).toMatch(/^HTTP\/1\.1 308 /)
    expect(response).toMatch(/^location: https:\/\/judge\.example\.org\/v1\/languages\r$/m)
    const machine = await startHaproxy(async (folder) => [...(await withTls(folder)), asCluster])
    expect(await ask(machine.open())).toMatch(UNAVAILABLE)
  })

  testUnless(noHaproxy)('limits the connections of an address, but not of a machine', async () => {
    const three: Change = ['sc0_conn_cur gt 1000', 'sc0_conn_cur gt 3']
    const client = await startHaproxy(async () => [three])
    const sockets = [1, 2, 3, 4].map(() => client.open())
    // The threads of HAProxy accept them in any order. One is closed without a request.
    await Promise.race(sockets.map(waitForEnd))
    expect(await ask(client.open('127.0.0.3'))).toMatch(UNAVAILABLE)
    const responses = await Promise.all(sockets.map(ask))
    expect(responses.filter((response) => UNAVAILABLE.test(response))).toHaveLength(3)
    expect(responses).toContain('')
    const machine = await startHaproxy(async () => [three, asCluster])
    const others = [1, 2, 3, 4].map(() => machine.open())
    for (const response of await Promise.all(others.map(ask))) expect(response).toMatch(UNAVAILABLE)
  })
})

describe('make-secrets.sh', () => {
  test('gives each role its own secrets, which only their owner can read', async () => {
    const folder = await makeSecrets(await makeFolder())
    const files = readdirSync(folder).sort()
    expect(files).toEqual(['database.env', 'queue.env', 'service.env', 'worker.env'])
    for (const file of files) expect(modeOf(join(folder, file))).toBe('600')
    expect(modeOf(folder)).toBe('700')
    const namesIn = (role: string) =>
      [...readFileSync(join(folder, `${role}.env`), 'utf8').matchAll(/^(\w+)=\S{20,}$/gm)].map(
        ([, name]) => name,
      )
    expect(namesIn('worker').sort()).toEqual(['JUDGE_PASSWORD', 'RABBITMQ_PASSWORD'])
    expect(namesIn('database')).not.toContain('JWT_SIGNING_SECRET')
    await expect(run(join(SCRIPTS, 'make-secrets.sh'), [folder])).rejects.toThrow()
  })
})

describe('install.sh', () => {
  testUnless(noMounts)('writes the files of each role, and only root reads secrets', async () => {
    const machine = await makeMachine()
    const roles = {
      etcd: 'etcd1',
      database: 'db1',
      queue: 'mq1',
      service: 'api1',
      worker: 'worker1',
      proxy: 'proxy',
    }
    for (const [role, name] of Object.entries(roles))
      await machine.install(role, name, ...machine.secretsOf(role))
    const modes: Record<string, string> = {
      ...{ 'etc/default/etcd': '644', 'etc/patroni/config.yml': '640', 'etc/rabbitmq/rabbitmq.conf': '640' },
      ...{ 'etc/patroni/create-database.sh': '750', 'lib/rabbitmq/.erlang.cookie': '400' },
      ...{ 'etc/haproxy/haproxy.cfg': '644', 'sbin/judge-instance': '755' },
      ...{ 'etc/judge-data-layer/service.env': '644', 'etc/judge-data-layer/worker.env': '644' },
    }
    const secrets = ['jwt-signing-secret', 'judge-password', 'web-bridge-secret', 'database-url', 'amqp-url']
    for (const secret of secrets) modes[`etc/judge-data-layer/secrets/${secret}`] = '600'
    for (const [file, mode] of Object.entries(modes)) {
      expect([file, modeOf(join(machine.folder, file))]).toEqual([file, mode])
      expect(machine.read(file)).not.toMatch(/@[A-Z_]+@/)
    }
    const machines = (prefix: string) =>
      readText('hosts').match(new RegExp(`(?<=\\s)${prefix}\\d$`, 'gm')) ?? []
    const hostsIn = (url: string) =>
      machine.read(`etc/judge-data-layer/secrets/${url}`).match(/(?<=[@,])\w+(?=:)/g)
    expect(hostsIn('database-url')).toEqual(machines('db'))
    expect(hostsIn('amqp-url')).toEqual(machines('mq'))
  })

  testUnless(noMounts)('writes nothing for a wrong role, name or secret', async () => {
    const machine = await makeMachine()
    const [secrets = ''] = machine.secretsOf('service')
    const before = machine.list()
    const incomplete = join(machine.folder, 'secrets/incomplete.env')
    writeFileSync(
      incomplete,
      readFileSync(secrets, 'utf8').replace(/^JWT_SIGNING_SECRET=.*$/m, 'JWT_SIGNING_SECRET='),
    )
    const wrong = [
      `judge api1 ${secrets}`,
      ...['api9', 'db1', 'api', 'api.'].map((name) => `service ${name} ${secrets}`),
      ...['', incomplete, '/missing.env', ...machine.secretsOf('worker')].map(
        (file) => `service api1 ${file}`,
      ),
      ...['queue mq1', `database db1 ${secrets}`],
    ]
    for (const args of wrong) await expect(machine.install(...args.trim().split(' ')), args).rejects.toThrow()
    expect(machine.list()).toEqual(before)
  })

  testUnless(noMounts)('replaces the names that it and Debian’s installer wrote before', async () => {
    const machine = await makeMachine()
    const own = '127.0.0.1 localhost\n127.0.1.1 db10 olddb1\n10.77.0.99 db1.example.org\n'
    writeFileSync(join(machine.folder, 'etc/hosts'), `127.0.1.1\tdb1.example.org db1\n${own}`)
    await machine.install('database', 'db1', ...machine.secretsOf('database'))
    await machine.install('etcd', 'etcd1')
    const names = readText('hosts').replace(/^#.*\n/gm, '')
    expect(machine.read('etc/hosts')).toBe(`${own}# judge cluster\n${names}# end of judge cluster\n`)
  })

  testUnless(noMounts)('keeps the variables of the operator, and replaces secrets', async () => {
    const machine = await makeMachine()
    const secrets = machine.secretsOf('service')
    await machine.install('service', 'api1', ...secrets)
    const file = 'etc/judge-data-layer/service.env'
    expect(machine.read(file)).toBe(readText('service.env'))
    writeFileSync(join(machine.folder, file), 'ADMIN_EMAILS=ada@example.org\n')
    writeFileSync(join(machine.folder, 'etc/judge-data-layer/secrets/judge-password'), 'former')
    const { stdout } = await machine.install('service', 'api1', ...secrets)
    expect(stdout).toContain('kept /etc/judge-data-layer/service.env')
    expect(machine.read(file)).toBe('ADMIN_EMAILS=ada@example.org\n')
    expect(machine.read('etc/judge-data-layer/secrets/judge-password')).not.toBe('former')
  })
})

type Change = readonly [from: string | RegExp, to: string]

/** Makes the addresses of the tests those of machines. */
const asCluster: Change = [/(?<=setenv CLUSTER )\S+/, '127.0.0.0/8']

/** HAProxy's file after these changes. Its check looks up each name. */
function writeConfiguration(folder: string, changes: readonly Change[] = []): string {
  const file = join(folder, 'haproxy.cfg')
  const all: readonly Change[] = [[/ (?:api|db)\d:\d+/g, ' 127.0.0.1:1'], ...changes]
  const changed = all.reduce((before, [from, to]) => {
    const after = before.replace(from, () => to)
    if (after === before) throw new Error(`haproxy.cfg does not contain ${from}`)
    return after
  }, readText('haproxy.cfg'))
  writeFileSync(file, changed)
  return file
}

/** The two lines for TLS, with a new certificate. */
async function withTls(folder: string): Promise<Change[]> {
  const file = join(folder, 'judge.pem')
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=judge']
  const { stdout } = await run('openssl', ['req', '-x509', ...kind, '-keyout', '-'])
  writeFileSync(file, stdout)
  return [
    ['  #   bind :443', '  bind :443'],
    ['  #   http-request redirect', '  http-request redirect'],
    ['/etc/haproxy/judge.pem', file],
  ]
}

/** Starts HAProxy with these changes on free ports. No instance is reachable: it answers with 503. */
async function startHaproxy(makeChanges: (folder: string) => Promise<readonly Change[]>) {
  const folder = await makeFolder()
  const [http = 0, https = 0, database = 0] = await findFreePorts(3)
  const changes = await makeChanges(folder)
  const ports: Change[] = [
    ['\n  bind :80\n', `\n  bind 127.0.0.1:${http}\n`],
    ['bind :443', `bind 127.0.0.1:${https}`],
    ['bind :5432', `bind 127.0.0.1:${database}`],
    ['/run/haproxy/admin.sock', join(folder, 'admin.sock')],
    ['  user haproxy\n  group haproxy\n', ''],
  ]
  const server = spawn(HAPROXY, ['-db', '-f', writeConfiguration(folder, [...changes, ...ports])], {
    stdio: 'ignore',
  })
  const ended = once(server, 'exit')
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await ended
  })
  const open = (localAddress = '127.0.0.1') => {
    const socket = connect({ host: '127.0.0.1', port: http, localAddress }).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    return socket
  }
  while (!(await once(open('127.0.0.2'), 'connect').catch(() => undefined))) {
    if (server.exitCode !== null) throw new Error('HAProxy has ended')
    await sleep(20)
  }
  return { open }
}

/** Waits until HAProxy ends a connection, or sends something. */
const waitForEnd = (socket: Socket) =>
  new Promise((resolve) => void socket.once('readable', resolve).once('close', resolve))

/** Sends a request, and returns the response; an empty text if the connection is closed. */
function ask(socket: Socket): Promise<string> {
  socket.write('GET /v1/languages HTTP/1.1\r\nHost: judge.example.org\r\nConnection: close\r\n\r\n')
  return text(socket).catch(() => '')
}

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)

async function makeSecrets(parent: string): Promise<string> {
  const folder = join(parent, 'secrets')
  await run(join(SCRIPTS, 'make-secrets.sh'), [folder])
  return folder
}

/** The folders of a machine, which replace those of this one while `install.sh` runs. */
async function makeMachine() {
  const folder = await makeFolder()
  for (const name of ['etc', 'lib/rabbitmq', 'sbin']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nrabbitmq:x:0:0::/:/bin/sh\n')
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\npostgres:x:0:\nrabbitmq:x:0:\n')
  writeFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost\n')
  const secrets = await makeSecrets(folder)
  const mounts = [
    ['etc', '/etc'],
    ['lib', '/var/lib'],
    ['sbin', '/usr/local/sbin'],
  ]
  const script = `${mounts.map(([from, to]) => `mount --bind '${folder}/${from}' ${to} && `).join('')} exec "$@"`
  return {
    folder,
    secretsOf: (role: string) =>
      readdirSync(secrets).includes(`${role}.env`) ? [join(secrets, `${role}.env`)] : [],
    install: (...args: string[]) =>
      run('unshare', [...ownMounts(), 'sh', '-ec', script, 'sh', join(SCRIPTS, 'install.sh'), ...args]),
    read: (file: string) => readFileSync(join(folder, file), 'utf8'),
    /** All files, with the content of the only one that exists before. */
    list: () => [
      ...['etc', 'lib', 'sbin'].flatMap((name) =>
        readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }),
      ),
      readFileSync(join(folder, 'etc/hosts'), 'utf8'),
    ],
  }
}
