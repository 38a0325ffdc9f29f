// A whole judge worker in one file, to read beside writing-a-worker.md. It judges JavaScript only.
//
// IT ISOLATES NOTHING. A program runs with all the rights of the user who started this worker: it can read every file, use
// the network and stay behind. Memory is bounded by Node's heap alone, CPU time not at all. Never let strangers submit to it.
//
//   JUDGE_PASSWORD=… AMQP_URL=amqp://… JUDGE_API_URL=http://127.0.0.1:5000 node docs/minimal-worker.mjs --unsandboxed

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Connection, ConsumerStatus } from 'rabbitmq-client'

const { JUDGE_PASSWORD, AMQP_URL, AMQP_QUEUE = 'submission_queue', JUDGE_API_URL } = process.env
const OWN_LIMITS = { accept_timeout: 10, memory_limit: 256 }
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Sends requests with the judge's token; throws where there is no answer, or one that says to try again later. */
function openService() {
  let token
  const send = (method, path, authorization, body) => {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
    const content = { headers, body: body && JSON.stringify(body) }
    return fetch(`${JUDGE_API_URL}${path}`, { method, ...content, signal: AbortSignal.timeout(60_000) })
  }
  const logIn = async () => {
    const answer = await send('POST', '/v1/login_judge', JUDGE_PASSWORD)
    if (answer.status !== 200) throw new Error(`the service answered ${answer.status} to the login`)
    return (await answer.json()).token
  }
  return async function ask(method, path, body, isAgain = false) {
    token ??= await logIn()
    const answer = await send(method, path, token, body)
    if ([200, 204, 400, 404, 413].includes(answer.status)) return answer
    if (answer.status !== 401 || isAgain) throw new Error(`${answer.status} to ${method} ${path}`)
    token = undefined
    return ask(method, path, body, true)
  }
}

/** Lets Node.js do something with `input` on stdin; `failure` says how that went wrong, whatever it printed. */
async function runNode(args, input, { accept_timeout, memory_limit }) {
  const startedAt = performance.now()
  const limits = { timeout: accept_timeout * 1000, killSignal: 'SIGKILL', maxBuffer: 16 * 2 ** 20 }
  const argv = [`--max-old-space-size=${memory_limit}`, ...args]
  // Nothing of this worker's environment: the judge password is in it.
  const running = promisify(execFile)(process.execPath, argv, { ...limits, cwd: tmpdir(), env: {} })
  running.child.stdin.on('error', () => {}) // a program need not read
  running.child.stdin.end(input)
  const ended = await running.catch((err) => err)
  const failure = ended instanceof Error ? failureOf(ended) : undefined
  const shown = { stdout: ended.stdout.slice(0, 16_384), stderr: ended.stderr.slice(0, 16_384) }
  return { failure, output: ended.stdout, shown, seconds: Math.round(performance.now() - startedAt) / 1000 }
}

function failureOf(err) {
  if (err.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'OUTPUT_LIMIT_EXCEEDED'
  if (err.killed) return 'TIME_LIMIT_EXCEEDED'
  return err.stderr.includes('heap out of memory') ? 'MEMORY_LIMIT_EXCEEDED' : 'RUNTIME_ERROR'
}

function compare(output, expected) {
  const trimLine = (line) => line.trimEnd()
  const lines = (text) => text.split('\n').map(trimLine).join('\n').trimEnd()
  if (lines(output) === lines(expected)) return 'ACCEPTED'
  const ink = (text) => text.split(/\s+/).join('')
  return ink(output) === ink(expected) ? 'PRESENTATION_ERROR' : 'WRONG_ANSWER'
}

/** Runs a program on the tests, in order, up to the first that it fails. */
async function judgeTests(file, limits, testCases) {
  const verdict = { status: 'ACCEPTED', time_elapsed: 0, failed_test_case_id: null, test_case_results: [] }
  for (const { id, input, expected_output, hidden } of testCases) {
    const { failure, output, shown, seconds } = await runNode([file], input, limits)
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
  const languages = await (await service('GET', '/v1/languages')).json()
  const language = subject.language ?? languages.find(({ id }) => id === subject.language_id)
  if (language?.name !== 'JavaScript') return fault('This worker judges JavaScript only.')
  const folder = await mkdtemp(join(tmpdir(), 'minimal-worker-'))
  try {
    const file = join(folder, 'main.js')
    await writeFile(file, subject.source_code)
    const check = await runNode(['--check', file], '', OWN_LIMITS)
    if (check.failure) return { status: 'COMPILE_TIME_ERROR', stderr: check.shown.stderr }
    if (type === 'input') {
      const { failure, shown, seconds } = await runNode([file], subject.stdin, OWN_LIMITS)
      return { status: failure ?? 'ACCEPTED', ...shown, runtime: seconds }
    }
    const tests = await service('GET', `/v1/problem_description/${subject.problem_id}/tests`)
    if (tests.status !== 200) return fault('The problem has no tests any more.')
    return await judgeTests(file, subject.problem, (await tests.json()).test_cases)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const fault = (stderr) => ({ status: 'INTERNAL_ERROR', stderr })

/** Judges what a message names. Once it returns there is nothing left to do; where it throws the message must come back. */
async function handle(service, { type, id }) {
  const path = `/v1/${type === 'submission' ? 'submissions' : 'input_submissions'}/${id}`
  for (let round = 1; round <= 3; round += 1) {
    const found = await service('GET', path)
    const subject = found.status === 200 ? await found.json() : undefined
    if (subject?.status !== 'PENDING') return
    const verdict = await judge(service, type, subject)
    const { status } = await service('PATCH', path, { ...verdict, attempt: subject.attempt })
    // 400: the tests were replaced meanwhile, and the verdict names some that are gone. Judge by the new ones.
    if (status !== 400 && status !== 413) return
  }
  await service('PATCH', path, fault('The service did not take the verdict.'))
}

if (!process.argv.includes('--unsandboxed')) throw new Error('This isolates nothing: accept by --unsandboxed')
const service = openService()
const rabbit = new Connection(AMQP_URL)
rabbit.on('error', (err) => console.error('RabbitMQ:', err.message))
const queue = { queue: AMQP_QUEUE, queueOptions: { durable: true }, qos: { prefetchCount: 1 } }
const consumer = rabbit.createConsumer(queue, async ({ body }) => {
  if (!['submission', 'input'].includes(body?.type) || !UUID.test(body.id)) return ConsumerStatus.DROP
  try {
    await handle(service, body)
    return ConsumerStatus.ACK
  } catch (err) {
    console.error('given back:', body, err.message)
    await sleep(1000)
    return ConsumerStatus.REQUEUE
  }
})
consumer.on('error', (err) => console.error('the consumer:', err.message))

process.once('SIGTERM', async () => {
  await consumer.close() // takes no new message, and waits for the one in hand
  await rabbit.close()
})
