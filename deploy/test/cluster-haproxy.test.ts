import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished } from 'vitest'
import { missing, testUnless } from '../../packages/worker/test/support/requirements.ts'
import { until } from '../../test/support/until.ts'
import { findFreePorts } from '../../tools/local-servers/free-ports.ts'
import { makeFolder, readText, run } from './support/cluster.ts'

const HAPROXY = '/usr/sbin/haproxy'
const UNAVAILABLE = /^HTTP\/1\.1 503 /
const noHaproxy = process.env.TEST_REQUIRE_ALL ? undefined : missing(HAPROXY, ['-v'])

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

/**
 * Starts HAProxy with these changes on free ports. No instance is reachable: it answers with 503.
 */
async function startHaproxy(makeChanges: (folder: string) => Promise<readonly Change[]>) {
  const folder = await makeFolder()
  const [http = 0, https = 0, database = 0] = await findFreePorts(3)
  const changes = await makeChanges(folder)
  const ports: Change[] = [
    ['\n  bind :80\n', `\n  bind 127.0.0.1:${http}\n`],
    ['bind :443', `bind 127.0.0.1:${https}`],
    ['bind :5432', `bind 127.0.0.1:${database}`],
    ['/run/haproxy/admin.sock', join(folder, 'admin.sock')],
    ['  user haproxy\n  group haproxy\n  chroot /var/lib/haproxy\n', ''],
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
  await until(() => once(open('127.0.0.2'), 'connect'))
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
