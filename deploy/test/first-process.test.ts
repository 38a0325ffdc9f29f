import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished } from 'vitest'
import { missing, testUnless } from '../../packages/worker/test/support/requirements.ts'
import { missingSandbox } from '../../packages/worker/test/support/use-sandbox.ts'
import { findFreePorts } from '../../tools/local-servers/free-ports.ts'
import { makeServerFolder, startServerProcess } from '../../tools/local-servers/server-process.ts'
import { makeSecrets } from '../../tools/local-servers/service.ts'
import { openSubmitter, ROOT, SOLUTION } from '../../tools/local-servers/submitter.ts'

const ENTRY_POINT = fileURLToPath(new URL('../image/entrypoint.sh', import.meta.url))
const PATIENT = '1000000/1000000'
/** As in a container: its own process numbers, and a view of them at /proc. */
const CONTAINER = ['--pid', '--fork', '--kill-child', '--mount-proc']
// Workers look for groups of ended workers, and cannot see those outside of their container.
const HIDE_GROUPS = 'umount --recursive --lazy /sys/fs/cgroup && exec "$@"'

const TESTS = 20

const noContainer =
  missing('tini') ?? (process.getuid?.() === 0 ? missing('unshare', [...CONTAINER, 'true']) : 'not root')
const noSandbox = await missingSandbox('bubblewrap')

describe('the entry point of a container with the worker', () => {
  const cases = [
    { title: 'as the first process', init: [], submissions: 3 },
    { title: 'behind an init of the engine', init: ['tini', '--'], submissions: 1 },
  ]
  for (const { title, init, submissions } of cases)
    testUnless(process.env.TEST_REQUIRE_ALL ? noSandbox : (noContainer ?? noSandbox))(
      `${title} leaves no process of ${submissions * TESTS} runs, and ends in order`,
      async () => {
        const container = await startContainer(init)
        const { submit, readStatus } = await openSubmitter(container.url, TESTS)
        const judge = async () => {
          const id = await submit(SOLUTION)
          await expect.poll(() => readStatus(id)).toBe('ACCEPTED')
        }
        await judge()
        await expect.poll(() => container.countProcesses().zombies).toBe(0)
        const before = container.countProcesses().all
        for (let judged = 0; judged < submissions; judged += 1) await judge()
        await expect.poll(() => container.countProcesses().all).toBeLessThanOrEqual(before)
        expect(await container.stop()).toBe(0)
      },
    )
})

/** Starts the service and a worker by the entry point, after these words, as processes apart. */
async function startContainer(init: readonly string[]) {
  const [port = 0, workerPort = 0] = await findFreePorts(2)
  const url = `http://127.0.0.1:${port}`
  const folder = await makeServerFolder('first-process')
  const temporary = join(folder.path, 'temporary')
  await mkdir(temporary, { mode: 0o755 })
  const server = await startServerProcess({
    ...{ name: 'the container', command: 'unshare', lastSignal: 'SIGKILL' },
    args: [
      ...CONTAINER,
      'sh',
      '-c',
      HIDE_GROUPS,
      'sh',
      ...init,
      ENTRY_POINT,
      'all',
      '--allow-weak-isolation',
    ],
    options: {
      env: {
        ...{ PATH: process.env.PATH, TMPDIR: temporary, HOST: '127.0.0.1', PORT: String(port) },
        ...{ DATA_DIR: join(folder.path, 'data'), WORKER_METRICS_PORT: String(workerPort), ...makeSecrets() },
        ...{ RATE_LIMIT_SUBMISSIONS: PATIENT, BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: ROOT.email },
      },
    },
    isReady: (line) => line.includes('the judge worker has started'),
  })
  onTestFinished(async () => {
    await server.killAll()
    folder.remove()
  })
  const first = Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8'))
  return {
    url,
    countProcesses: () => countProcesses(first),
    /** Ends the first process by SIGTERM; resolves to the exit code. */
    async stop() {
      process.kill(first, 'SIGTERM')
      return server.ended
    },
  }
}

/** Counts the processes of a container, and its zombies, which have ended but were not collected. */
function countProcesses(first: number): { all: number; zombies: number } {
  const enter = ['--target', String(first), '--pid', '--mount', '--']
  const show = ['sh', '-c', 'cat /proc/[0-9]*/stat 2>/dev/null; true']
  const stat = execFileSync('nsenter', [...enter, ...show], { encoding: 'utf8' })
  const states = [...stat.matchAll(/^\d+ \(.*\) (\w) /gm)].map(([, state]) => state)
  return { all: states.length, zombies: states.filter((state) => state === 'Z').length }
}
