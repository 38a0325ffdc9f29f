import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Connection } from 'rabbitmq-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { JUDGE_PASSWORD } from '../support/app.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { WITHIN } from './support.ts'

const amqpUrl = process.env.TEST_AMQP_URL
const workerFile = fileURLToPath(new URL('../../docs/minimal-worker.mjs', import.meta.url))

describe.runIf(amqpUrl)('docs/minimal-worker.mjs with the real service and RabbitMQ (TEST_AMQP_URL)', () => {
  const url = amqpUrl ?? ''
  const queue = `test-minimal-worker-${randomUUID()}`
  let folder: string
  let opened: TestDatabase
  let rabbit: Connection
  let service: ServiceProcess
  let worker: ChildProcess
  let author: { id: string; token: string }
  let problem: { id: number; tests: { id: string }[] }
  let languageId: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'judge-minimal-worker-'))
    opened = await openTestDatabase()
    rabbit = new Connection({ url, acquireTimeout: 5000 })
    rabbit.on('error', () => {})
    const database =
      opened.url === undefined ? { DATA_DIR: join(folder, 'database') } : { DATABASE_URL: opened.url }
    // The judge's token ends while a program runs into its time limit of 3 s, so that its verdict needs a new one.
    const variables = { ...database, AMQP_URL: url, AMQP_QUEUE: queue, JUDGE_TOKEN_TTL: '2' }
    service = await startServiceProcess(variables)
    worker = startWorker()
    await prepareProblem()
  })
  afterAll(async () => {
    worker?.kill('SIGKILL')
    await service?.end('SIGTERM')
    await rabbit?.queueDelete(queue)
    await rabbit?.close()
    await opened?.close()
    await rm(folder, { recursive: true })
  })

  function startWorker(): ChildProcess {
    const env = {
      JUDGE_PASSWORD,
      JUDGE_API_URL: service.url,
      AMQP_URL: url,
      AMQP_QUEUE: queue,
      TMPDIR: folder,
    }
    return spawn(process.execPath, [workerFile, '--unsandboxed'], { env, stdio: 'ignore' })
  }

  async function ask(method: string, path: string, body?: object): Promise<ReturnType<JSON['parse']>> {
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: author?.token ?? '', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    expect(answer.ok, text).toBe(true)
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
  }

  async function prepareProblem(): Promise<void> {
    const account = { name: 'Root', email: 'root@example.org', password: 'a password' }
    author = await ask('POST', '/v1/basic_register', account)
    const { id } = await ask('POST', '/v1/problems', {
      title: 'Double',
      identifier: 'double',
      prompt: 'Print twice the number.',
      difficulty: 'EASY',
      accept_timeout: 3,
      test_cases: [
        { input: '2\n', expected_output: '4\n' },
        { input: '21\n', expected_output: '42\n', hidden: true },
        { input: '5\n', expected_output: '10\n' },
      ],
    })
    problem = { id, tests: (await ask('GET', `/v1/problem_description/${id}/tests`)).test_cases }
    const languages: { id: string; name: string }[] = await ask('GET', '/v1/languages')
    languageId = languages.find(({ name }) => name === 'JavaScript')?.id ?? ''
  }

  /** Submits a program and answers its record once it has a verdict. */
  async function judge(source_code: string) {
    const submission = { user_id: author.id, problem_id: problem.id, language_id: languageId, source_code }
    const { id } = await ask('POST', '/v1/submissions', submission)
    const readRecord = () => ask('GET', `/v1/submissions/${id}`)
    return vi.waitFor(async () => {
      const record = await readRecord()
      expect(record.status).not.toBe('PENDING')
      return record
    }, WITHIN)
  }

  const double = `console.log(2 * require('node:fs').readFileSync(0, 'utf8'))`

  test('accepts a right program, and shows nothing of what it prints in a hidden test', async () => {
    const record = await judge(double)
    expect(record).toMatchObject({ status: 'ACCEPTED', failed_test_case_id: null, stdout: '10\n' })
    expect(record.time_elapsed).toBeGreaterThan(0)
    expect(record.test_case_results).toMatchObject(
      ['4\n', '', '10\n'].map((stdout, index) => ({
        test_case_id: problem.tests[index]?.id,
        stdout,
        passed: true,
      })),
    )
  })

  test('fails a wrong program at its first wrong answer, and runs it no further', async () => {
    const record = await judge(
      `const n = Number(require('node:fs').readFileSync(0, 'utf8')); console.log(n * n)`,
    )
    const [, failed] = problem.tests
    expect(record).toMatchObject({ status: 'WRONG_ANSWER', failed_test_case_id: failed?.id })
    expect(record.test_case_results.map(({ passed }: { passed: boolean }) => passed)).toEqual([true, false])
  })

  test.each([
    ['for (;;) {}', 'TIME_LIMIT_EXCEEDED'],
    ['throw new Error("no")', 'RUNTIME_ERROR'],
    ['console.log(', 'COMPILE_TIME_ERROR'],
    [`process.stdout.write('x'.repeat(2 ** 25))`, 'OUTPUT_LIMIT_EXCEEDED'],
    [
      `console.log([...String(2 * require('node:fs').readFileSync(0, 'utf8'))].join(' '))`,
      'PRESENTATION_ERROR',
    ],
  ])('judges %j as %s', async (sourceCode, status) => {
    expect((await judge(sourceCode)).status).toBe(status)
  })

  test('runs a program on an input of its author’s own', async () => {
    const run = { language_id: languageId, source_code: double, stdin: '8' }
    const id = await ask('POST', '/v1/input_submissions', run)
    const record = await vi.waitFor(async () => {
      const polled = await ask('GET', `/v1/input_submissions/${id}`)
      expect(polled.finished).toBe(true)
      return polled
    }, WITHIN)
    expect(record).toMatchObject({ status: 'ACCEPTED', stdout: '16\n', stderr: '' })
  })

  test('loses nothing when it is killed while it judges', async () => {
    const marker = JSON.stringify(join(folder, 'started'))
    // The first time it prints until nobody reads it any more.
    const record = judge(`
      const fs = require('node:fs')
      if (fs.existsSync(${marker})) ${double}
      else {
        fs.writeFileSync(${marker}, '')
        setInterval(() => console.log('still here'), 20)
      }`)
    await vi.waitFor(() => access(join(folder, 'started')), WITHIN)
    const ended = once(worker, 'exit')
    worker.kill('SIGKILL')
    await ended
    worker = startWorker()
    expect((await record).status).toBe('ACCEPTED')
  })

  test('drops what it does not understand, leaves nothing in the queue, and ends in good order', async () => {
    const publisher = rabbit.createPublisher({ confirm: true })
    for (const body of [
      'no JSON',
      { type: 'other', id: randomUUID() },
      { type: 'submission', id: '../users' },
    ])
      await publisher.send({ routingKey: queue }, body)
    await publisher.close()
    expect((await judge(double)).status).toBe('ACCEPTED')
    const ended = once(worker, 'exit')
    worker.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    // A message that was not acknowledged would be back by now.
    const state = await rabbit.queueDeclare({ queue, passive: true })
    expect(state).toMatchObject({ messageCount: 0, consumerCount: 0 })
  })
})
