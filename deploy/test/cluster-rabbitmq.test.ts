import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { missing, testUnless } from '../../packages/worker/test/support/requirements.ts'
import { until } from '../../test/support/until.ts'
import { makeFolder, noMounts, ownNamespaces, readText } from './support/cluster.ts'

const SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server'
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
    `#!/bin/sh\ntrap 'echo ended >>${log}; exit 7' TERM\necho started >>${log}\n/bin/sleep 1000 & wait\n`,
  )
  mkdirSync(join(folder, 'bin'))
  write('bin/sleep', `#!/bin/sh\necho slept >>${log}\nexec /bin/sleep "$@"\n`)
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
    const [message] = await once(running.stdout, 'data')
    expect(String(message)).toBe('RabbitMQ hangs: it is killed and started again\n')
  }
  await restarted()
  await restarted()
  await until(() => expect(lines().filter((line) => line === 'started')).toHaveLength(3))
  const [first, second] = lines().join(' ').split('asked')
  expect([first, second].map((checks) => checks?.split('slept').length)).toEqual([2, 3])
})

test('a node that was drained is left alone', async () => {
  const { lines } = await startHanging({ hasOther: true, isDrained: true })
  await until(() => expect(lines().filter((line) => line === 'asked')).toHaveLength(2))
  expect(lines().filter((line) => line === 'started')).toHaveLength(1)
})

test('a node that reaches no other one is left alone', async () => {
  const { lines } = await startHanging({ hasOther: false, isDrained: false })
  await until(() => expect(lines().filter((line) => line === 'slept').length).toBeGreaterThanOrEqual(3))
  expect(lines().filter((line) => line !== 'slept')).toEqual(['started'])
})
