// Exits with 0 if the service and the worker of this container work, else prints the reasons and
// exits with 1. The service must respond with 200 at /ready. The worker must respond at /health,
// with 200 or 503: the faults that this page names are outside of the worker. It must also be
// possible to start the processes of a program.
//
// The first process of the container says what runs here. Other processes may be programs of
// contestants, which choose their command lines.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const TIMEOUT_MS = 4000
// A run has some ten processes with those of its sandbox; compilers and runtimes add threads.
const PROCESSES = 32
// A chain of shells, each in the one before it, so that all exist at once.
const CHAIN = 'chain() { [ "$1" = 0 ] || { ( chain $(($1 - 1)) ) || exit 1; }; }; chain "$1"'
// An argument replaces the command line of the first process: for tests.
const [commandLine = '/proc/1/cmdline'] = process.argv.slice(2)
const servicePort = process.env.PORT || 5000

const command = findCommand(readFileSync(commandLine, 'utf8').split('\0'))
// entrypoint.sh has the same default.
const workerPort = process.env[command === 'all' ? 'WORKER_METRICS_PORT' : 'METRICS_PORT'] || 9101

const checkService = () => check('the service', `http://127.0.0.1:${servicePort}/ready`, [200])
const checkWorker = () => check('the worker', `http://127.0.0.1:${workerPort}/health`, [200, 503])
const CHECKS = {
  service: [checkService],
  worker: [checkWorker, checkProcesses],
  all: [checkService, checkWorker, checkProcesses],
}
const faults = command
  ? (await Promise.all(CHECKS[command].map((run) => run()))).flat()
  : ['neither the service nor the worker runs']
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

/**
 * `service`, `worker`, `all` or undefined. With `docker run --init` the first process is an init,
 * whose command line has the entry point and its command; else it is Node.js.
 */
function findCommand(words) {
  const entryPoint = words.findIndex((word) => word.endsWith('/entrypoint.sh'))
  if (entryPoint >= 0) return ['service', 'worker', 'all'].find((name) => name === words[entryPoint + 1])
  if (words.includes('packages/worker/dist/main.js')) return 'worker'
  if (words.includes('dist/src/main.js')) return words.includes('--judge') ? 'all' : 'service'
  return undefined
}

async function check(name, url, statuses) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (statuses.includes(response.status)) return []
    return [`${name}: ${url} responded ${response.status} ${await response.text()}`]
  } catch (err) {
    return [`${name} does not respond at ${url}: ${err.cause?.message ?? err.message}`]
  }
}

async function checkProcesses() {
  try {
    const args = ['-c', CHAIN, 'sh', String(PROCESSES)]
    await promisify(execFile)('/bin/sh', args, { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' })
    return []
  } catch (err) {
    const printed = err.stderr?.trim().split('\n')[0] || err.message
    const reason = err.killed ? `no end within ${TIMEOUT_MS} ms` : printed
    return [`${PROCESSES} processes cannot be started for a program: ${reason}`]
  }
}
