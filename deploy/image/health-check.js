// Exits with 0 if every process of this container works, else prints the reasons and exits with 1.
// The service must respond with 200 at /ready, and the worker at /health.
import { readdirSync, readFileSync } from 'node:fs'

const TIMEOUT_MS = 4000
const servicePort = process.env.PORT || 5000

const words = listWords()
const runsBoth = words.includes('--judge')
const runsService = runsBoth || words.some((word) => word.endsWith('dist/src/main.js'))
const runsWorker = runsBoth || words.some((word) => word.endsWith('worker/dist/main.js'))
// entrypoint.sh has the same default.
const workerPort = process.env[runsBoth ? 'WORKER_METRICS_PORT' : 'METRICS_PORT'] || 9101

const faults = []
if (!runsService && !runsWorker) faults.push('neither the service nor the worker runs')
if (runsService) faults.push(...(await check('the service', `http://127.0.0.1:${servicePort}/ready`)))
if (runsWorker) faults.push(...(await check('the worker', `http://127.0.0.1:${workerPort}/health`)))
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

async function check(name, url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return response.ok ? [] : [`${name}: ${url} responded ${response.status} ${await response.text()}`]
  } catch (err) {
    return [`${name} does not respond at ${url}: ${err.cause?.message ?? err.message}`]
  }
}

/** The words of the commands of all processes. */
function listWords() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => readCommand(pid).split('\0'))
}

function readCommand(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // The process has ended.
    return ''
  }
}
