// A small judge worker in one file, to read beside writing-a-worker.md. It judges JavaScript only, one program at a time, and
// leaves the limits of CPU time and of all processes' memory (it bounds Node's heap), and making the queue, to others.
//
// IT ISOLATES NOTHING. A program runs with all the rights of the user who started this worker: it can read every file, use
// the network and stay behind. Never let strangers submit to it.
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
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The service did not answer, or only that one must come later: no fault of the worker's own. */
class ServiceError extends Error {}

/** Sends requests with the judge's token, and answers their status and JSON; throws `ServiceError`. */
function openService() {
  let token
  const send = async (method, path, authorization, body) => {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
    const request = { method, headers, body: body && JSON.stringify(body) }
    try {
      const answer = await fetch(JUDGE_API_URL + path, { ...request, signal: AbortSignal.timeout(60_000) })
      const text = await answer.text()
      return { status: answer.status, json: answer.status === 200 ? JSON.parse(text) : undefined }
    } catch (err) {
      throw new ServiceError(`no answer to ${method} ${path}`, { cause: err })
    }
  }
  return async function ask(method, path, body, isAgain = false) {
    const login = token ? undefined : await send('POST', '/v1/login_judge', JUDGE_PASSWORD)
    token ??= login.json?.token
    if (!token) throw new ServiceError(`${login.status} to the login`)
    const answer = await send(method, path, token, body)
    if ([200, 204, 400, 404, 413].includes(answer.status)) return answer
    if (answer.status !== 401 || isAgain) throw new ServiceError(`${answer.status} to ${method} ${path}`)
    token = undefined
    return ask(method, path, body, true)
  }
}

/** Lets Node.js do something with `input` on stdin; `failure` says how that went wrong, whatever it printed. */
async function runNode(file, input, { accept_timeout, memory_limit }, ...flags) {
  const cwd = await mkdtemp(join(dirname(file), 'run-')) // empty, each time
  const startedAt = performance.now()
  const timeout = Math.ceil(accept_timeout * 1000) // 2.01 * 1000 is 2009.9999999999998, which Node refuses
  const argv = [`--max-old-space-size=${memory_limit}`, ...flags, file]
  // Nothing of this worker's environment: the judge password is in it.
  const options = { cwd, env: {}, timeout, killSignal: 'SIGKILL', maxBuffer: 16 * 2 ** 20 }
  const running = promisify(execFile)(process.execPath, argv, options)
  running.child.stdin.on('error', () => {}) // a program need not read
  running.child.stdin.end(input)
  const ended = await running.catch((err) => err)
  if (typeof ended.code === 'string' && ended.code !== TOO_MUCH) throw ended // Node did not even start
  const failure = ended instanceof Error ? failureOf(ended) : undefined
  const shown = { stdout: ended.stdout.slice(0, 16_384), stderr: ended.stderr.slice(0, 16_384) }
  return { failure, output: ended.stdout, shown, seconds: Math.round(performance.now() - startedAt) / 1000 }
}

function failureOf(err) {
  if (err.code === TOO_MUCH) return 'OUTPUT_LIMIT_EXCEEDED'
  if (err.killed) return 'TIME_LIMIT_EXCEEDED'
  return err.stderr.includes('heap out of memory') ? 'MEMORY_LIMIT_EXCEEDED' : 'RUNTIME_ERROR'
}

function compare(output, expected) {
  // Not trimEnd or \s, to which a no-break space is white space too.
  const trimEnd = (text) => text.slice(0, 1 + text.search(/[^ \t\n\v\f\r][ \t\n\v\f\r]*$/))
  const lines = (text) => trimEnd(text.split('\n').map(trimEnd).join('\n'))
  if (lines(output) === lines(expected)) return 'ACCEPTED'
  const ink = (text) => text.replaceAll(/[ \t\n\v\f\r]/g, '')
  return ink(output) === ink(expected) ? 'PRESENTATION_ERROR' : 'WRONG_ANSWER'
}

/** Runs a program on the tests, in order, up to the first that it fails. */
async function judgeTests(file, limits, testCases) {
  const verdict = { status: 'ACCEPTED', time_elapsed: 0, failed_test_case_id: null, test_case_results: [] }
  for (const { id, input, expected_output, hidden } of testCases) {
    const { failure, output, shown, seconds } = await runNode(file, input, limits)
    const status = failure ?? compare(output, expected_output)
    // A program can print its input: what it prints in a hidden test would give the test away.
    const texts = hidden ? { stdout: '', stderr: '' } : shown
    verdict.test_case_results.push({ test_case_id: id, ...texts, passed: status === 'ACCEPTED' })
    Object.assign(verdict, texts, { status, time_elapsed: Math.max(verdict.time_elapsed, seconds) })
    if (status !== 'ACCEPTED') return { ...verdict, failed_test_case_id: id }
  }
  return verdict
}

/** Answers the verdict on a submission, or on a run of one's own input, as the body of its PATCH. */
async function judge(service, type, subject) {
  const languages = (await service('GET', '/v1/languages')).json
  const language = subject.language ?? languages.find(({ id }) => id === subject.language_id)
  if (!JAVASCRIPT.includes(language?.name.toLowerCase())) return fault('This worker judges JavaScript only.')
  const folder = await mkdtemp(join(tmpdir(), 'minimal-worker-'))
  try {
    const file = join(folder, 'main.js')
    await writeFile(file, subject.source_code)
    const check = await runNode(file, '', OWN_LIMITS, '--check')
    if (check.failure) return { status: 'COMPILE_TIME_ERROR', stderr: check.shown.stderr }
    if (type === 'input') {
      const { failure, shown, seconds } = await runNode(file, subject.stdin, OWN_LIMITS)
      return { status: failure ?? 'ACCEPTED', ...shown, runtime: seconds }
    }
    const tests = (await service('GET', `/v1/problem_description/${subject.problem_id}/tests`)).json
    if (!tests?.test_cases.length) return fault('The problem has no tests any more.')
    return await judgeTests(file, subject.problem, tests.test_cases)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const fault = (stderr) => ({ status: 'INTERNAL_ERROR', stderr })

/** The verdict on the third fault of the worker's own on the same id; throws before that, and whatever is no such fault. */
function giveUp(err, faults, id) {
  if (err instanceof ServiceError) throw err
  faults.set(id, (faults.get(id) ?? 0) + 1)
  if (faults.get(id) < 3) throw err
  return fault('The judge failed to run this program.')
}

/** Judges what a message names. Once it returns there is nothing left to do; where it throws the message must come back. */
async function handle(service, faults, { type, id }) {
  const path = `/v1/${type === 'submission' ? 'submissions' : 'input_submissions'}/${id}`
  for (let round = 1; round <= 4; round += 1) {
    const subject = (await service('GET', path)).json
    if (subject?.status !== 'PENDING') return
    const judging = round < 4 ? judge(service, type, subject) : fault('The verdict was refused three times.')
    const verdict = await Promise.resolve(judging).catch((err) => giveUp(err, faults, id))
    const { stdout, stderr, test_case_results, ...rest } = { ...verdict, attempt: subject.attempt }
    const { status } = await service('PATCH', path, { ...rest, stdout, stderr, test_case_results })
    if (status === 413) await service('PATCH', path, rest)
    // 400: the tests were replaced meanwhile, and the verdict names some that are gone. Judge by the new ones.
    if (status !== 400) return
  }
}

if (!process.argv.includes('--unsandboxed')) throw new Error('This isolates nothing: accept by --unsandboxed')
const service = openService()
const faults = new Map()
const stopping = new AbortController()
let pauseMs = 1000
const rabbit = new Connection(AMQP_URL)
rabbit.on('error', (err) => console.error('RabbitMQ:', err.message))
// Passive: the service has made the queue, or this waits until it has.
const queue = { queue: AMQP_QUEUE, queueOptions: { passive: true }, qos: { prefetchCount: 1 } }
const consumer = rabbit.createConsumer(queue, async ({ body }) => {
  if (!['submission', 'input'].includes(body?.type) || !UUID.test(body.id)) {
    console.error('not understood:', body)
    return ConsumerStatus.DROP
  }
  try {
    await handle(service, faults, body)
    faults.delete(body.id)
    pauseMs = 1000
    return ConsumerStatus.ACK
  } catch (err) {
    console.error('given back:', body, err)
    await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    pauseMs = Math.min(2 * pauseMs, 30_000)
    return ConsumerStatus.REQUEUE
  }
})
consumer.on('error', (err) => console.error('the consumer:', err.message))

process.once('SIGTERM', async () => {
  stopping.abort()
  await consumer.close() // takes no new message, and waits for the one in hand
  await rabbit.close()
})
