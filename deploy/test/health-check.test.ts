import { execFile } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { missing, testUnless } from '../../packages/worker/test/support/requirements.ts'
import { findFreePorts, portOf } from '../../tools/local-servers/free-ports.ts'
import { makeServerFolder } from '../../tools/local-servers/server-process.ts'

const SCRIPT = fileURLToPath(new URL('../image/health-check.js', import.meta.url))
const ENTRY_POINT = '/app/deploy/image/entrypoint.sh'
/** The command line of the first process of a container, without an init and with one. */
const COMMAND_LINES = {
  service: ['node', '--max-semi-space-size=16', 'dist/src/main.js'],
  worker: ['node', 'packages/worker/dist/main.js'],
  all: ['node', '--max-semi-space-size=16', 'dist/src/main.js', '--judge'],
  'service after an init': ['/sbin/docker-init', '--', ENTRY_POINT, 'service'],
  'worker after tini': ['tini', '--', ENTRY_POINT, 'worker'],
  'all after tini': ['tini', '--', ENTRY_POINT, 'all'],
  'worker after an init': ['/sbin/docker-init', '--', ENTRY_POINT, 'worker', '--allow-weak-isolation'],
  'all after an init': ['/run/podman-init', '--', ENTRY_POINT, 'all'],
  'service that starts': ['/bin/sh', ENTRY_POINT, 'service'],
  migrate: ['node', 'dist/src/migrate.js'],
  'migrate after an init': ['/sbin/docker-init', '--', ENTRY_POINT, 'migrate'],
}
type Name = keyof typeof COMMAND_LINES

/** A user without processes of its own. */
const OTHER = { uid: 64_321, gid: 64_321 }
const asOther = ['--reuid', `${OTHER.uid}`, '--regid', `${OTHER.gid}`, '--clear-groups', '--']
const noOther = missing('setpriv', [...asOther, 'prlimit', '--nproc=100', process.execPath, '--version'])

const folder = await makeServerFolder('health-check')
afterAll(folder.remove)

describe('the health check of a container', () => {
  test.each<[Name, number, number, string]>([
    ['service', 200, 500, ''],
    ['service', 503, 200, 'the service: .*/ready responded 503'],
    ['worker', 500, 200, ''],
    ['worker', 200, 503, ''],
    ['worker', 200, 500, 'the worker: .*/health responded 500'],
    ['all', 200, 503, ''],
    ['all', 503, 200, 'the service: .*/ready responded 503'],
    ['all', 200, 500, 'the worker: .*/health responded 500'],
    ['service after an init', 200, 500, ''],
    ['service after an init', 503, 200, 'the service: .*/ready responded 503'],
    ['worker after an init', 500, 503, ''],
    ['worker after an init', 200, 500, 'the worker: .*/health responded 500'],
    ['worker after tini', 500, 503, ''],
    ['worker after tini', 200, 500, 'the worker: .*/health responded 500'],
    ['all after tini', 200, 500, 'the worker: .*/health responded 500'],
    ['all after an init', 503, 500, 'the service: .*503 *\\nthe worker: .*500'],
    ['service that starts', 503, 200, 'the service: .*/ready responded 503'],
    ['migrate', 200, 200, 'neither the service nor the worker runs'],
    ['migrate after an init', 200, 200, 'neither the service nor the worker runs'],
  ])('of %s, with %i at /ready and %i at /health, prints "%s"', async (name, ready, health, text) => {
    const [service, worker] = [await respond('/ready', ready), await respond('/health', health)]
    const { failed, output } = await run(name, portOf(service.address()), portOf(worker.address()))
    service.close()
    worker.close()
    expect(failed).toBe(text !== '')
    expect(output).toMatch(text === '' ? /^$/ : new RegExp(text))
  })

  test('fails if no process listens', async () => {
    const [service = 0, worker = 0] = await findFreePorts(2)
    const { failed, output } = await run('all', service, worker)
    expect(failed).toBe(true)
    expect(output).toMatch(/^the service does not respond .*\nthe worker does not respond /)
  })

  testUnless(process.env.TEST_REQUIRE_ALL ? undefined : noOther)(
    'of a worker fails if the processes of a program cannot be started',
    async () => {
      const worker = await respond('/health', 200)
      const { remove, path } = await makeServerFolder('health-check', OTHER)
      const script = join(path, 'health-check.mjs')
      copyFileSync(SCRIPT, script)
      writeFileSync(join(path, 'cmdline'), COMMAND_LINES['worker after tini'].join('\0'))
      const runWith = (processes: number) =>
        execute(
          ['setpriv', ...asOther, 'prlimit', `--nproc=${processes}`, process.execPath, script],
          join(path, 'cmdline'),
          { METRICS_PORT: String(portOf(worker.address())) },
        )
      expect(await runWith(200)).toEqual({ failed: false, output: '' })
      // The check itself has some ten threads.
      expect(await runWith(36)).toMatchObject({
        failed: true,
        output: expect.stringMatching(/^32 processes cannot be started for a program: .*fork/),
      })
      worker.close()
      remove()
    },
  )
})

/** Runs the check in a container whose first process has this command line. */
function run(name: Name, servicePort: number, workerPort: number) {
  const file = join(folder.path, 'cmdline')
  writeFileSync(file, `${COMMAND_LINES[name].join('\0')}\0`)
  const isAll = name.startsWith('all')
  const env = {
    PORT: String(servicePort),
    [isAll ? 'WORKER_METRICS_PORT' : 'METRICS_PORT']: String(workerPort),
    // With `all`, METRICS_PORT is the service's.
    ...(isAll && { METRICS_PORT: String(servicePort) }),
  }
  return execute([process.execPath, SCRIPT], file, env)
}

function execute([command = '', ...args]: readonly string[], file: string, env: Record<string, string>) {
  const { PATH } = process.env
  return new Promise<{ failed: boolean; output: string }>((resolve) => {
    execFile(command, [...args, file], { env: { PATH, ...env } }, (err, stdout, stderr) =>
      resolve({ failed: err !== null, output: stdout + stderr }),
    )
  })
}

/** A server that responds with a status at one path, and with 404 at all others. */
async function respond(path: string, status: number): Promise<Server> {
  const server = createServer(({ url }, response) => {
    response.writeHead(url === path ? status : 404, { connection: 'close' }).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return server
}
