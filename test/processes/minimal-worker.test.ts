import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { startWorker as startNewerWorker } from '@judge-data-layer/worker'
import { Connection } from 'rabbitmq-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRabbitmqSource } from '../../packages/worker/src/messages/rabbitmq-source.ts'
import { amqpUrl } from '../queue/harness.ts'
import { JUDGE_PASSWORD } from '../support/app.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { onRabbitMq } from '../support/needs.ts'
import { type ProductionService, startProductionService } from '../support/production-service.ts'
import { until } from '../support/until.ts'

const workerFile = fileURLToPath(new URL('../../docs/minimal-worker.mjs', import.meta.url))
const double = `console.log(2 * require('node:fs').readFileSync(0, 'utf8'))`
const doubleWith = (space: string) => double.replace(`'utf8')`, `'utf8') + '${space}'`)

const PROBLEM = {
  ...{ title: 'Double', identifier: 'double', prompt: 'Print twice the number.', difficulty: 'EASY' },
  test_cases: [
    { input: '2\n', expected_output: '4\n' },
    { input: '21\n', expected_output: '42\n', hidden: true },
    { input: '5\n', expected_output: '10\n' },
  ],
}

describe('docs/minimal-worker.mjs with the real service and RabbitMQ (TEST_AMQP_URL)', onRabbitMq, () => {
  const url = amqpUrl ?? ''
  const queue = `test-minimal-worker-${randomUUID()}`
  let folder: string
  let opened: TestDatabase
  let rabbit: Connection
  let service: ProductionService
  let worker: ChildProcess
  let author: { id: string; token: string }
  let problem: { id: number; tests: { id: string }[] }
  let shortProblem: { id: number }
  let languageId: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'judge-minimal-worker-'))
    opened = await openTestDatabase()
    rabbit = new Connection({ url, acquireTimeout: 5000 })
    rabbit.on('error', () => {})
    service = await startProductionService({
      ...{ BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: 'root@example.org', AMQP_URL: url },
      ...(opened.url ? { DATABASE_URL: opened.url } : { DATA_DIR: join(folder, 'database') }),
      // The token expires while a program runs into its time limit of 2.01 s.
      ...{ AMQP_QUEUE: queue, JUDGE_TOKEN_TTL: '2', VERDICT_BODY_LIMIT_BYTES: '8192' },
      ...{ RATE_LIMIT_SUBMISSIONS: '1000/1000', RATE_LIMIT_ACCOUNTS: '1000/1000' },
    })
    worker = startWorker()
    await prepareProblem()
  })
  afterAll(async () => {
    worker?.kill('SIGKILL')
    await service?.stop()
    await rabbit?.queueDelete(queue)
    await rabbit?.close()
    await opened?.close()
    await rm(folder, { recursive: true })
  })

  function startWorker(temporaryFolder = folder): ChildProcess {
    const env = {
      ...{ JUDGE_PASSWORD, JUDGE_API_URL: service.url, AMQP_URL: url, AMQP_QUEUE: queue },
      TMPDIR: temporaryFolder,
    }
    return spawn(process.execPath, [workerFile, '--unsandboxed'], { env, stdio: 'ignore' })
  }

  async function request(method: string, path: string, body?: object) {
    const options = { token: author?.token ?? '', ...(body && { body }) }
    // On a busy machine the service may respond 503.
    const response = await until(async () => {
      const received = await service.request(method, path, options)
      expect(received.status, received.text).not.toBe(503)
      return received
    })
    expect(response.status, response.text).toBeLessThan(300)
    return response.body
  }

  async function prepareProblem(): Promise<void> {
    const account = { name: 'Root', email: 'root@example.org', password: 'a password' }
    author = await request('POST', '/v1/basic_register', account)
    // The worker limits the wall time, and Node.js may start slowly on a busy machine.
    const { id } = await request('POST', '/v1/problems', { ...PROBLEM, accept_timeout: 60 })
    problem = { id, tests: (await request('GET', `/v1/problem_description/${id}/tests`)).test_cases }
    // 2.01 * 1000 is not a whole number.
    shortProblem = await request('POST', '/v1/problems', { ...PROBLEM, accept_timeout: 2.01 })
    const languages: { id: string; name: string }[] = await request('GET', '/v1/languages')
    languageId = languages.find(({ name }) => name === 'JavaScript')?.id ?? ''
  }

  async function judge(source_code: string, problem_id = problem.id) {
    const submission = { user_id: author.id, problem_id, language_id: languageId, source_code }
    const { id } = await request('POST', '/v1/submissions', submission)
    return until(async () => {
      const record = await request('GET', `/v1/submissions/${id}`)
      expect(record.status).not.toBe('PENDING')
      return record
    })
  }

  test('accepts a correct program, hides its output of hidden tests, and stops a wrong one at its first failed test', async () => {
    const record = await judge(double)
    expect(record).toMatchObject({ status: 'ACCEPTED', failed_test_case_id: null, stdout: '10\n' })
    expect(record.time_elapsed).toBeGreaterThan(0)
    expect(record.test_case_results).toMatchObject(
      ['4\n', '', '10\n'].map((stdout, n) => ({ test_case_id: problem.tests[n]?.id, stdout, passed: true })),
    )
    const wrong = await judge(`const n = Number(require('fs').readFileSync(0, 'utf8')); console.log(n * n)`)
    expect(wrong).toMatchObject({
      ...{ status: 'WRONG_ANSWER', failed_test_case_id: problem.tests[1]?.id },
      test_case_results: [{ passed: true }, { passed: false }],
    })
  })

  test.each([
    ['throw new Error("no")', 'RUNTIME_ERROR'],
    ['console.log(', 'COMPILE_TIME_ERROR'],
    [`process.stdout.write('x'.repeat(2 ** 25))`, 'RUNTIME_ERROR', 'OUTPUT_LIMIT_EXCEEDED'],
    [double.replace(/2 .*'\)/, `[...String($&)].join(' ')`), 'WRONG_ANSWER', 'PRESENTATION_ERROR'],
    [doubleWith(' \\t\\n \\n'), 'ACCEPTED'],
    // A no-break space is no white space.
    [doubleWith('\\u00a0'), 'WRONG_ANSWER'],
    ['for (;;) {}', 'TIME_LIMIT_EXCEEDED'],
  ])('judges %j as %s', async (sourceCode, status, reason?: string) => {
    const { id } = status === 'TIME_LIMIT_EXCEEDED' ? shortProblem : problem
    const record = await judge(sourceCode, id)
    expect([record.status, record.reason]).toEqual([status, reason])
  })

  test('sends a verdict that is too large again without its texts, and judges only once', async () => {
    const runs = join(folder, 'runs')
    const record = await judge(`
      require('node:fs').appendFileSync(${JSON.stringify(runs)}, 'x')
      console.log('y'.repeat(10_000))`)
    expect(record).toMatchObject({ status: 'WRONG_ANSWER', failed_test_case_id: problem.tests[0]?.id })
    expect(record.stdout ?? '').toBe('')
    expect(await readFile(runs, 'utf8')).toBe('x')
  })

  test('requeues a message after its own failure and gives INTERNAL_ERROR after the third', async () => {
    await kill(worker)
    const missing = join(folder, 'missing')
    worker = startWorker(missing)
    const startedAt = performance.now()
    expect(await judge(double)).toMatchObject({ status: 'INTERNAL_ERROR', test_case_results: [] })
    // A pause of 1 s after the first fault, one of 2 s after the second.
    expect(performance.now() - startedAt).toBeGreaterThan(2900)
    await kill(worker)
    worker = startWorker()
  })

  test('runs a program on its author’s input', async () => {
    const run = { language_id: languageId, source_code: double, stdin: '8' }
    const id = await request('POST', '/v1/input_submissions', run)
    const record = await until(async () => {
      const polled = await request('GET', `/v1/input_submissions/${id}`)
      expect(polled.finished).toBe(true)
      return polled
    })
    expect(record).toMatchObject({ status: 'ACCEPTED', stdout: '16\n', stderr: '' })
  })

  test('loses nothing when it is killed while it judges', async () => {
    const marker = JSON.stringify(join(folder, 'started'))
    // The first run prints until the worker is killed.
    const record = judge(`
      const fs = require('node:fs')
      if (fs.existsSync(${marker})) ${double}
      else {
        fs.writeFileSync(${marker}, '')
        setInterval(() => console.log('still here'), 20)
      }`)
    await until(() => access(join(folder, 'started')))
    await kill(worker)
    worker = startWorker()
    expect((await record).status).toBe('ACCEPTED')
  })

  test('leaves a problem that it cannot judge to a newer worker, and judges the others meanwhile', async () => {
    const validation = { type: 'default', flags: 'float_tolerance 1e-6' }
    const tolerant = await request('POST', '/v1/problems', { ...PROBLEM, validation, accept_timeout: 60 })
    const judging = judge(double.replace('2 *', '1e-9 + 2 *'), tolerant.id)
    await until(() => expect(service.log.some((line) => JSON.parse(line).status === 409)).toBe(true))
    expect((await judge(double)).status).toBe('ACCEPTED')
    const logger = { info() {}, warn() {}, error() {} }
    const newer = await startNewerWorker({
      ...{ apiUrl: service.url, judgePassword: JUDGE_PASSWORD, concurrency: 1, workerName: 'newer' },
      source: createRabbitmqSource({ url, queue, queueType: 'classic', logger }),
      languages: await readLanguages(defaultLanguagesFile),
      sandbox: 'unsandboxed',
    })
    const record = await judging.finally(() => newer.stop())
    expect(record.status).toBe('ACCEPTED')
    const path = `/v1/submissions/${record.id}/judgings`
    expect(await request('GET', path)).toMatchObject([{ status: 'ACCEPTED', worker: 'newer' }])
  })

  test('drops invalid messages, leaves an empty queue, and exits with 0', async () => {
    const publisher = rabbit.createPublisher({ confirm: true })
    for (const body of ['no JSON', { type: 'x', id: randomUUID() }, { type: 'submission', id: '../users' }])
      await publisher.send({ routingKey: queue }, body)
    await publisher.close()
    expect((await judge(double)).status).toBe('ACCEPTED')
    const ended = once(worker, 'exit')
    worker.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    // Unacknowledged messages would be back.
    const state = await rabbit.queueDeclare({ queue, passive: true })
    expect(state).toMatchObject({ messageCount: 0, consumerCount: 0 })
  })
})

async function kill(worker: ChildProcess): Promise<void> {
  const ended = once(worker, 'exit')
  worker.kill('SIGKILL')
  await ended
}
