// A judge worker that runs no program: it invents verdicts. It prints deliveries and verdicts. The
// first judging of a slow program takes long; the worker renews it. Verifications are accepted.
import { createHash, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import { connectionOptions } from '@judge-data-layer/runtime/rabbitmq-hosts'
import { type AsyncMessage, Connection, ConsumerStatus } from 'rabbitmq-client'
import { createHttpSession, type HttpSession } from '../../packages/worker/src/service/http-session.ts'
import { CASE_SECONDS, isSlow } from './programs.ts'
import type { WorkerEvent } from './worker.ts'

const { AMQP_URL, AMQP_QUEUE = '', JUDGE_API_URLS = '', JUDGE_PASSWORD: judgePassword = '' } = process.env
const CONCURRENCY = 20
const TIMEOUT_MS = 4000
const PAUSE_MS = 300
/** Longer than a scenario waits before it kills the worker, also on a busy machine. */
const BEATS = 60
const BETWEEN_BEATS_MS = 1000
const STATUSES = [
  ...(['ACCEPTED', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR', 'RUNTIME_ERROR', 'INTERNAL_ERROR'] as const),
]

// Never aborted: each request has a timeout.
const { signal } = new AbortController()
const sessions = JUDGE_API_URLS.split(',').map((apiUrl) =>
  createHttpSession({ apiUrl, judgePassword, signal }),
)
let isStopping = false
let verdicts = 0
let deliveries = 0

const print = (event: WorkerEvent) => process.stdout.write(`${JSON.stringify(event)}\n`)

const processNumber = randomInt(1e6)

/** Different each time, so that a verdict that is stored twice is visible. */
function makeVerdict(id: string, isVerified: boolean) {
  verdicts += 1
  const number = createHash('sha256').update(`${id} ${verdicts}`).digest().readUInt8()
  const status = (!isVerified && STATUSES[number % STATUSES.length]) || 'ACCEPTED'
  return { status, time_elapsed: processNumber + verdicts / 1e6 }
}

async function judge(session: HttpSession, id: string, judging: number): Promise<void> {
  const path = '/v1/submissions/{submission_id}'
  const params = { path: { submission_id: id } }
  const { status, source_code, run, validator, problem_id } = await orThrow(
    session.call(TIMEOUT_MS, (client, signal) => client.GET(path, { params, signal })),
  )
  if (status !== 'PENDING') return
  const isVerified = run !== undefined || validator !== undefined
  if (isSlow(source_code) && judging === 1) await renewForLong(session, id, judging)
  const test_case_results = isVerified ? await acceptCases(session, problem_id) : null
  const verdict = makeVerdict(id, isVerified)
  print({ event: 'verdict', id, judging, ...verdict })
  const body = { ...verdict, attempt: judging, test_case_results }
  await orThrow(session.call(TIMEOUT_MS, (client, signal) => client.PATCH(path, { params, body, signal })))
  print({ event: 'stored', id })
}

/** The results of a program of a verification, or of a validator. */
async function acceptCases(session: HttpSession, id: number) {
  const path = '/v1/problem_description/{id}/test_cases'
  const params = { path: { id } }
  const { test_cases } = await orThrow(
    session.call(TIMEOUT_MS, (client, signal) => client.GET(path, { params, signal })),
  )
  return test_cases.map((one) => ({ test_case_id: one.id, passed: true, time_elapsed: CASE_SECONDS }))
}

/** A failed heartbeat does not end the judging. */
async function renewForLong(session: HttpSession, submission_id: string, judging: number): Promise<void> {
  const params = { path: { submission_id } }
  for (let beat = 0; beat < BEATS && !isStopping; beat += 1) {
    await sleep(BETWEEN_BEATS_MS)
    const { error } = await session.call(TIMEOUT_MS, (client, signal) =>
      client.POST('/v1/submissions/{submission_id}/heartbeat', { params, body: { judging }, signal }),
    )
    if (error === undefined) print({ event: 'renewed', id: submission_id })
    else process.stderr.write(`not renewed: ${submission_id}: ${error.message}\n`)
  }
}

async function handle({ body, headers }: AsyncMessage): Promise<ConsumerStatus> {
  const { id }: { id?: unknown } = Object(body)
  const judging = Number(headers?.judging ?? headers?.attempt)
  if (typeof id !== 'string') throw new Error(`a message without an id: ${JSON.stringify(body)}`)
  print({ event: 'delivery', id, judging })
  deliveries += 1
  const session = sessions[deliveries % sessions.length]
  try {
    if (session !== undefined) await judge(session, id, judging)
    return ConsumerStatus.ACK
  } catch (err) {
    // A shadow judging of a cancelled rejudging: there is nothing to judge.
    if (err instanceof JudgeApiError && err.status === 404) return ConsumerStatus.ACK
    process.stderr.write(`returned: ${id}: ${err}\n`)
    print({ event: 'returned', id })
    await sleep(PAUSE_MS)
    return ConsumerStatus.REQUEUE
  }
}

const connection = new Connection({ ...connectionOptions(AMQP_URL ?? ''), retryLow: 200, retryHigh: 1000 })
connection.on('error', (err) => process.stderr.write(`RabbitMQ: ${err}\n`))
const consumer = connection.createConsumer(
  {
    // The service declares the queue.
    ...{ queue: AMQP_QUEUE, queueOptions: { passive: true } },
    ...{ concurrency: CONCURRENCY, qos: { prefetchCount: CONCURRENCY } },
  },
  handle,
)
consumer.on('error', (err) => process.stderr.write(`the consumer: ${err}\n`))
consumer.on('ready', () => print({ event: 'ready' }))
// The verdicts in hand are sent and their messages acknowledged.
process.once('SIGTERM', async () => {
  isStopping = true
  await consumer.close()
  await connection.close()
  process.exit(0)
})
