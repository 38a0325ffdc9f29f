import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { missing, testUnless } from '../../packages/worker/test/support/requirements.ts'
import {
  makeFolder,
  makeSecrets,
  modeOf,
  noMounts,
  ownNamespaces,
  pathOf,
  readText,
  run,
  SCRIPTS,
} from './support/cluster.ts'

const NFT = '/usr/sbin/nft'
const noFirewall = noMounts ?? (process.env.TEST_REQUIRE_ALL ? undefined : missing(NFT, ['--version']))

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

describe('nftables.conf', () => {
  /** Loads the rules twice, with this list of hosts. Returns them as nft lists them. */
  async function load(hosts: string): Promise<string> {
    const file = join(await makeFolder(), 'hosts')
    writeFileSync(file, hosts)
    const script = `mount --bind "$1" /etc/hosts; ${NFT} -f "$2"; ${NFT} -f "$2"; ${NFT} list ruleset`
    const { stdout } = await run('unshare', [
      ...[...ownNamespaces(), 'sh', '-ec', script, 'sh', file, pathOf('nftables.conf')],
    ])
    return stdout
  }

  testUnless(noFirewall)('opens each port only to the machines that need it', async () => {
    const rules = await load(readText('hosts'))
    const openTo = (port: string) =>
      new RegExp(`^\\s+tcp dport ${port} ip saddr (.*) accept$`, 'm').exec(rules)?.[1]
    expect(openTo('5000')).toBe('10.77.0.80')
    expect(openTo('2380')).toBe('{ 10.77.0.11, 10.77.0.12, 10.77.0.13 }')
    expect(rules).toMatch(/^\s+tcp dport \{ .*2379, 2380, .*8008.* \} drop$/m)
    expect(rules.match(/^table /gm)).toHaveLength(1)
  })

  testUnless(noFirewall)('is refused as a whole without the name of a machine', async () => {
    await expect(load(readText('hosts').replace(/^.* worker2$/m, ''))).rejects.toThrow('worker2')
  })
})

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
      run('unshare', [...ownNamespaces(), 'sh', '-ec', script, 'sh', join(SCRIPTS, 'install.sh'), ...args]),
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
