// Exits with 0 if every process of this container works, else prints the reasons and exits with 1.
// The service must answer /ready. The worker must run and be connected to RabbitMQ.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const TIMEOUT_MS = 4000
const ESTABLISHED = '01'

const processes = listProcesses()
const services = processes.filter(({ words }) => words.some((word) => word.endsWith('dist/src/main.js')))
const workers = processes.filter(({ words }) => words.some((word) => word.endsWith('worker/dist/main.js')))
const runsBoth = services.some(({ words }) => words.includes('--judge'))

const faults = []
if (services.length === 0 && workers.length === 0) faults.push('neither the service nor the worker runs')
if (services.length > 0) faults.push(...(await checkService()))
if (workers.length > 0 || runsBoth) faults.push(...checkWorker())
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

async function checkService() {
  const url = `http://127.0.0.1:${process.env.PORT || 5000}/ready`
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return status === 200 ? [] : [`the service is not ready: ${url} responded ${status}`]
  } catch (err) {
    return [`the service does not respond at ${url}: ${err.cause?.message ?? err.message}`]
  }
}

function checkWorker() {
  if (workers.length === 0) return ['the worker does not run']
  const amqpUrl = readVariable('AMQP_URL')
  // Without RabbitMQ the worker is connected to the service of this container only.
  if (amqpUrl === undefined) return []
  const { port, protocol } = new URL(amqpUrl)
  const number = Number(port || (protocol === 'amqps:' ? 5671 : 5672))
  const isConnected = workers.some(({ pid }) => listConnectedPorts(pid).includes(number))
  return isConnected ? [] : [`the worker is not connected to RabbitMQ at port ${number}`]
}

/** The variable, or the content of the file that `NAME_FILE` names. */
function readVariable(name) {
  const file = process.env[`${name}_FILE`]
  return process.env[name] || (file ? readFileSync(file, 'utf8').trim() : undefined)
}

function listProcesses() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    const text = readOrNothing(`/proc/${pid}/cmdline`)
    return text === '' ? [] : [{ pid, words: text.split('\0') }]
  })
}

/** The remote ports of a process's TCP connections. */
function listConnectedPorts(pid) {
  const folder = `/proc/${pid}/fd`
  const targets = new Set(readdirSync(folder).map((name) => readLinkOrNothing(`${folder}/${name}`)))
  const lines = ['tcp', 'tcp6'].flatMap((kind) => readOrNothing(`/proc/${pid}/net/${kind}`).split('\n'))
  return lines.flatMap((line) => {
    const [, , remote, state, , , , , , inode] = line.trim().split(/\s+/)
    if (state !== ESTABLISHED || !targets.has(`socket:[${inode}]`)) return []
    return [Number.parseInt(remote.slice(remote.lastIndexOf(':') + 1), 16)]
  })
}

function readOrNothing(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The process has ended, or this kernel has no IPv6.
    return ''
  }
}

function readLinkOrNothing(path) {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
