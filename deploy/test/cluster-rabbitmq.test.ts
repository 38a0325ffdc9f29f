import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { missing, testUnless } from '../../packages/worker/test/support/requirements.ts'
import { listTree } from '../../tools/local-servers/process-tree.ts'
import { makeFolder, noMounts, ownNamespaces, readText } from './support/cluster.ts'

const SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server'
const WITHIN = { timeout: 60_000, interval: 50 }
// Two checks take ten seconds, one takes five. The messages may be read late.
const MORE_THAN_ONE_CHECK_MS = 7500
const test = testUnless(
  noMounts ??
    (process.env.TEST_REQUIRE_ALL
      ? undefined
      : (missing('ip', ['-V']) ?? (existsSync(SERVER) ? undefined : 'RabbitMQ is not installed'))),
)

/**
 * Runs judge-rabbitmq of mq1 in namespaces of its own, with a server that never accepts
 * connections. `hasOther`: another node does. `isDrained`: the server says that it was drained,
 * otherwise nothing. Returns what the servers have written.
 */
async function startHanging({ hasOther, isDrained }: { hasOther: boolean; isDrained: boolean }) {
  const folder = await makeFolder()
  const log = join(folder, 'log')
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 })
  mkdirSync(join(folder, 'rabbitmq'))
  write('rabbitmq/rabbitmq.conf', readText('rabbitmq.conf'))
  write('hosts', '127.0.0.1 mq1\n127.0.0.2 mq2\n127.0.0.3 mq3\n')
  write(
    'server',
    `#!/bin/sh\ntrap 'echo ended >>${log}; exit 7' TERM\necho started >>${log}\nsleep 1000 & wait\n`,
  )
  mkdirSync(join(folder, 'bin'))
  write('bin/rabbitmqctl', `#!/bin/sh\necho asked >>${log}\n${isDrained ? 'echo true' : 'exit 69'}\n`)
  write('judge-rabbitmq', readText('judge-rabbitmq.sh').replaceAll('@MACHINE@', 'mq1'))
  const other = `require('net').createServer().listen(5672, '127.0.0.2')`
  const script = `
    ip link set lo up
    mount --bind ${folder}/hosts /etc/hosts
    mount --bind ${folder}/rabbitmq /etc/rabbitmq
    mount --bind ${folder}/server ${SERVER}
    ${hasOther ? `'${process.execPath}' -e "${other}" &` : ''}
    PATH=${folder}/bin:$PATH exec ${folder}/judge-rabbitmq`
  const options = [...ownNamespaces(), '--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc']
  const running = spawn('unshare', [...options, 'bash', '-ec', script], {
    env: { ...process.env, JUDGE_HANG_SECONDS: '5' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void running.kill('SIGKILL'))
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
  return { running, lines }
}

test('a node that hangs while another one works is killed, and the next has twice the time', async () => {
  const { running, lines } = await startHanging({ hasOther: true, isDrained: false })
  const restarted = async () => {
    const [message] = await once(running.stdout, 'data', { signal: AbortSignal.timeout(WITHIN.timeout) })
    expect(String(message)).toBe('RabbitMQ hangs: it is killed and started again\n')
    return performance.now()
  }
  const firstMs = await restarted()
  expect((await restarted()) - firstMs).toBeGreaterThanOrEqual(MORE_THAN_ONE_CHECK_MS)
  await vi.waitFor(() => expect(lines()).toEqual(['started', 'asked', 'started', 'asked', 'started']), WITHIN)
})

test('a node that was drained is left alone', async () => {
  const { lines } = await startHanging({ hasOther: true, isDrained: true })
  await vi.waitFor(() => expect(lines()).toEqual(['started', 'asked', 'asked']), WITHIN)
})

test('a node that reaches no other one is left alone', async () => {
  const { running, lines } = await startHanging({ hasOther: false, isDrained: false })
  // A new one begins after each check.
  const pauses = new Set<number>()
  await vi.waitFor(() => {
    for (const { pid } of listTree(running.pid ?? 0)) if (commandOf(pid) === 'sleep 5') pauses.add(pid)
    expect(pauses.size).toBeGreaterThanOrEqual(3)
  }, WITHIN)
  expect(lines()).toEqual(['started'])
})

/** The command line of a process; an empty text if it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
  } catch {
    return ''
  }
}
