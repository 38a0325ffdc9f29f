// A small judge worker, an example for writing-a-worker.md. It judges one JavaScript program at a time.
// It limits the wall time and Node's heap, but no CPU time, and does not declare the queue.
//
// IT ISOLATES NOTHING. Programs have all rights of the user who started this worker: they can read
// every file, use the network and leave processes behind. Use it only for trusted programs.
//
//   JUDGE_PASSWORD=… AMQP_URL=amqp://… JUDGE_API_URL=http://127.0.0.1:5000 node docs/minimal-worker.mjs --unsandboxed

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Connection, ConsumerStatus } from 'rabbitmq-client'

const { JUDGE_PASSWORD, AMQP_URL, AMQP_QUEUE = 'submission_queue', JUDGE_API_URL } = process.env
const OWN_LIMITS = { accept_timeout: 10, memory_limit: 256 }
const TOO_MUCH = 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
const JAVASCRIPT = ['javascript', 'js', 'node', 'nodejs', 'node.js']
// Many clients know only the statuses on the right: the others become the `reason`.
const KNOWN = { PRESENTATION_ERROR: 'WRONG_ANSWER', OUTPUT_LIMIT_EXCEEDED: 'RUNTIME_ERROR' }
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** No usable response from the service. */
class ServiceError extends Error {}
/** The problem needs more than plain comparison (409): another worker must judge it. */
class TooOldError extends ServiceError {}

/** Sends requests with the judge's token; returns status and JSON. Throws `ServiceError`. */
function openService() {
  let token
  const send = async (method, path, authorization, body) => {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
    const request = { method, headers, body: body && JSON.stringify(body) }
    try {
      const response = await fetch(JUDGE_API_URL + path, { ...request, signal: AbortSignal.timeout(60_000) })
      const text = await response.text()
      return { status: response.status, json: response.status === 200 ? JSON.parse(text) : undefined }
    } catch (err) {
      throw new ServiceError(`no response to ${method} ${path}`, { cause: err })
    }
  }
  return async function request(method, path, body, isRetry = false) {
    const login = token ? undefined : await send('POST', '/v1/login_judge', JUDGE_PASSWORD)
    token ??= login.json?.token
    if (!token) throw new ServiceError(`the login failed with ${login.status}`)
    const response = await send(method, path, token, body)
    if ([200, 204, 400, 404, 413].includes(response.status)) return response
    if (response.status === 409) throw new TooOldError(`${method} ${path} needs a newer worker`)
    if (response.status !== 401 || isRetry)
      throw new ServiceError(`${method} ${path} failed with ${response.status}`)
    token = undefined
    return request(method, path, body, true)
  }
}

/** Runs Node.js with `input` on stdin; `failure` is a status or undefined. */
async function runNode(file, input, { accept_timeout, memory_limit }, ...flags) {
  const cwd = await mkdtemp(join(dirname(file), 'run-'))
  const startedAt = performance.now()
  const timeout = Math.ceil(accept_timeout * 1000) // Node requires a whole number
  const argv = [`--max-old-space-size=${memory_limit}`, ...flags, file]
  // The worker's environment contains the judge password.
  const options = { cwd, env: {}, timeout, killSignal: 'SIGKILL', maxBuffer: 16 * 2 ** 20 }
  const running = promisify(execFile)(process.execPath, argv, options)
  running.child.stdin.on('error', () => {}) // a program may ignore its input
  running.child.stdin.end(input)
  const ended = await running.catch((err) => err)
  if (typeof ended.code === 'string' && ended.code !== TOO_MUCH) throw ended // Node did not start
  const failure = ended instanceof Error ? findFailure(ended) : undefined
  const shown = { stdout: ended.stdout.slice(0, 16_384), stderr: ended.stderr.slice(0, 16_384) }
  return { failure, output: ended.stdout, shown, seconds: Math.round(performance.now() - startedAt) / 1000 }
}

function findFailure(err) {
  if (err.code === TOO_MUCH) return 'OUTPUT_LIMIT_EXCEEDED'
  if (err.killed) return 'TIME_LIMIT_EXCEEDED'
  return err.stderr.includes('heap out of memory') ? 'MEMORY_LIMIT_EXCEEDED' : 'RUNTIME_ERROR'
}

function compare(output, expected) {
  // trimEnd and \s would include no-break spaces.
  const trimEnd = (text) => text.slice(0, 1 + text.search(/[^ \t\n\v\f\r][ \t\n\v\f\r]*$/))
  const lines = (text) => trimEnd(text.split('\n').map(trimEnd).join('\n'))
  if (lines(output) === lines(expected)) return 'ACCEPTED'
  const visible = (text) => text.replaceAll(/[ \t\n\v\f\r]/g, '')
  return visible(output) === visible(expected) ? 'PRESENTATION_ERROR' : 'WRONG_ANSWER'
}

/** Runs a program on the tests up to the first failure. */
async function judgeTests(file, limits, testCases) {
  const verdict = { status: 'ACCEPTED', time_elapsed: 0, failed_test_case_id: null, test_case_results: [] }
  for (const { id, input, expected_output, hidden } of testCases) {
    const { failure, output, shown, seconds } = await runNode(file, input, limits)
    const status = failure ?? compare(output, expected_output)
    // A program can print its input: the output of a hidden test would reveal the test.
    const texts = hidden ? { stdout: '', stderr: '' } : shown
    verdict.test_case_results.push({ test_case_id: id, ...texts, passed: status === 'ACCEPTED' })
    const named = status in KNOWN ? { status: KNOWN[status], reason: status } : { status }
    Object.assign(verdict, texts, named, { time_elapsed: Math.max(verdict.time_elapsed, seconds) })
    if (status !== 'ACCEPTED') return { ...verdict, failed_test_case_id: id }
  }
  return verdict
}

/** Returns the verdict on a submission or custom-input run, as the body of its PATCH. */
async function judge(service, type, record) {
  if (!JAVASCRIPT.includes(record.language.name.toLowerCase()))
    return internalError('This worker judges JavaScript only.')
  const folder = await mkdtemp(join(tmpdir(), 'minimal-worker-'))
  try {
    const file = join(folder, 'main.js')
    await writeFile(file, record.source_code)
    const check = await runNode(file, '', OWN_LIMITS, '--check')
    if (check.failure) return { status: 'COMPILE_TIME_ERROR', stderr: check.shown.stderr }
    if (type === 'input') {
      const { failure, shown, seconds } = await runNode(file, record.stdin, OWN_LIMITS)
      return { status: failure ?? 'ACCEPTED', ...shown, runtime: seconds }
    }
    const tests = (await service('GET', `/v1/problem_description/${record.problem_id}/tests`)).json
    if (!tests?.test_cases.length) return internalError('The problem has no tests.')
    return await judgeTests(file, record.problem, tests.test_cases)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const internalError = (stderr) => ({ status: 'INTERNAL_ERROR', stderr })

/** Returns the verdict after the worker's third failure on the same id; throws all other errors. */
function giveUp(err, failures, id) {
  if (err instanceof ServiceError) throw err
  failures.set(id, (failures.get(id) ?? 0) + 1)
  if (failures.get(id) < 3) throw err
  return internalError('The judge failed to run this program.')
}

/** Judges the record of a message. If it throws, the message must go back to the queue. */
async function handle(service, failures, { type, id }) {
  const path = `/v1/${type === 'submission' ? 'submissions' : 'input_submissions'}/${id}`
  for (let round = 1; round <= 4; round += 1) {
    const record = (await service('GET', path)).json
    if (record?.status !== 'PENDING') return
    const judged =
      round < 4 ? judge(service, type, record) : internalError('The verdict was refused three times.')
    const verdict = await Promise.resolve(judged).catch((err) => giveUp(err, failures, id))
    const { stdout, stderr, test_case_results, ...rest } = { ...verdict, judging: record.judging }
    const { status } = await service('PATCH', path, { ...rest, stdout, stderr, test_case_results })
    if (status === 413) await service('PATCH', path, rest)
    // 400: the tests were replaced. Judge with the new ones.
    if (status !== 400) return
  }
}

if (!process.argv.includes('--unsandboxed'))
  throw new Error('This worker isolates nothing. To accept this, use --unsandboxed')
const service = openService()
const failures = new Map()
const stopping = new AbortController()
let pauseMs = 1000
const rabbit = new Connection(AMQP_URL)
rabbit.on('error', (err) => console.error('RabbitMQ:', err.message))
// Passive: the service declares the queue, and the consumer waits for it.
const queue = { queue: AMQP_QUEUE, queueOptions: { passive: true }, qos: { prefetchCount: 1 } }
const publisher = rabbit.createPublisher({ confirm: true })
const consumer = rabbit.createConsumer(queue, async ({ body, headers }) => {
  if (!['submission', 'input'].includes(body?.type) || !UUID.test(body.id)) {
    console.error('invalid message:', body)
    return ConsumerStatus.DROP
  }
  try {
    await handle(service, failures, body)
    failures.delete(body.id)
    pauseMs = 1000
    return ConsumerStatus.ACK
  } catch (err) {
    console.error('requeued:', body, err)
    await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    pauseMs = Math.min(2 * pauseMs, 30_000)
    if (!(err instanceof TooOldError) || stopping.signal.aborted) return ConsumerStatus.REQUEUE
    // A requeued message would come back before all others: put it at the end.
    await publisher.send({ routingKey: AMQP_QUEUE, durable: true, headers }, body)
    return ConsumerStatus.ACK
  }
})
consumer.on('error', (err) => console.error('consumer:', err.message))

process.once('SIGTERM', async () => {
  stopping.abort()
  await consumer.close() // also waits for the current message
  await publisher.close()
  await rabbit.close()
})
