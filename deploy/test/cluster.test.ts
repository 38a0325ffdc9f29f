import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { makeFolder, makeSecrets, modeOf, readText, run, SCRIPTS } from './support/cluster.ts'

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
