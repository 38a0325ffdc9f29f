import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { missing, testUnless } from '../../packages/worker/test/support/requirements.ts'
import { makeServerFolder } from '../../tools/local-servers/server-folder.ts'

const FILES = new URL('../cluster/files/', import.meta.url)
const SCRIPTS = new URL('../cluster/', import.meta.url).pathname
const run = promisify(execFile)
const readText = (name: string) => readFileSync(new URL(name, FILES), 'utf8')
const noHaproxy = process.env.TEST_REQUIRE_ALL ? undefined : missing('/usr/sbin/haproxy', ['-v'])

async function makeFolder(): Promise<string> {
  const { path, remove } = await makeServerFolder('cluster')
  onTestFinished(remove)
  return path
}

describe('the files of a cluster', () => {
  testUnless(noHaproxy)('HAProxy accepts its file', async () => {
    const file = join(await makeFolder(), 'haproxy.cfg')
    // The check looks up each name.
    writeFileSync(file, readText('haproxy.cfg').replaceAll(/ (?:api|db)\d:5/g, ' 127.0.0.1:5'))
    await run('/usr/sbin/haproxy', ['-c', '-f', file])
  })

  test('a primary that loses etcd is down before a standby may take over', () => {
    const { ttl, loop_wait, retry_timeout } = parse(readText('patroni.yml')).bootstrap.dcs
    expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl)
  })

  test('Patroni, HAProxy and the list of hosts name the same machines', () => {
    const hosts = [...readText('hosts').matchAll(/^\d\S+\s+(\S+)$/gm)].map(([, name]) => name)
    const named = (text: string, pattern: RegExp) => [...new Set(text.match(pattern))].sort()
    const databases = hosts.filter((name) => name?.startsWith('db'))
    const instances = hosts.filter((name) => name?.startsWith('api'))
    const nodes = hosts.filter((name) => name?.startsWith('etcd'))
    const { restapi, etcd3 } = parse(readText('patroni.yml'))
    expect(restapi.allowlist).toEqual(databases)
    expect(etcd3.hosts).toEqual(nodes.map((name) => `${name}:2379`))
    expect(named(readText('haproxy.cfg'), /(?<=server )db\d/g)).toEqual(databases)
    expect(named(readText('haproxy.cfg'), /(?<=server )api\d/g)).toEqual(instances)
  })

  test('each role gets its own secrets, which only their owner can read', async () => {
    const folder = join(await makeFolder(), 'secrets')
    await run(join(SCRIPTS, 'make-secrets.sh'), [folder])
    const { stdout } = await run('stat', ['--format', '%a', join(folder, 'database.env')])
    expect(stdout.trim()).toBe('600')
    const namesIn = (role: string) =>
      [...readFileSync(join(folder, `${role}.env`), 'utf8').matchAll(/^(\w+)=\S{20,}$/gm)].map(
        ([, name]) => name,
      )
    expect(namesIn('worker').sort()).toEqual(['JUDGE_PASSWORD', 'RABBITMQ_PASSWORD'])
    expect(namesIn('database')).not.toContain('JWT_SIGNING_SECRET')
    await expect(run(join(SCRIPTS, 'make-secrets.sh'), [folder])).rejects.toThrow()
  })
})
