import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { startWorker } from '@judge-data-layer/worker'
import { expect, onTestFinished, test } from 'vitest'
import { createRabbitmqSource } from '../../packages/worker/src/rabbitmq-source.ts'
import { deleteQueue } from '../../tools/local-servers/rabbitmq.ts'
import { ROOT } from '../../tools/local-servers/submitter.ts'
import { JUDGE_PASSWORD } from '../support/app.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { type ProductionService, startProductionService } from '../support/production-service.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const url = process.env.TEST_AMQP_URL ?? ''
const minimalWorker = fileURLToPath(new URL('../../docs/minimal-worker.mjs', import.meta.url))
const NEWER = 'a newer worker'

const read = `Number(require('node:fs').readFileSync(0, 'utf8'))`
/** Takes a second, so that two messages go to two workers. */
const double = `setTimeout(() => console.log(2 * ${read}), 1000)`
/** Right with a tolerance only. */
const roughly = `console.log(2 * ${read} + 1e-9)`
/** Right in the first test case only. */
const constant = 'console.log(42)'

const plain = { fields: {}, source_code: double, status: 'ACCEPTED', score: undefined }
const tolerant = {
  fields: { validation: { type: 'default', flags: 'float_tolerance 1e-6' } },
  ...{ source_code: roughly, status: 'ACCEPTED', score: undefined },
}
const special = [
  tolerant,
  {
    fields: {
      test_groups: [
        { name: 'first', points: 40, aggregation: 'sum', cases: [1] },
        { name: 'second', points: 60, aggregation: 'sum', cases: [2] },
      ],
    },
    ...{ source_code: constant, status: 'WRONG_ANSWER', score: 40 },
  },
  {
    fields: { limits: { output: 1 } },
    source_code: `process.stdout.write('x'.repeat(3 * 2 ** 20))`,
    ...{ status: 'OUTPUT_LIMIT_EXCEEDED', score: undefined },
  },
]

/** A problem, a program and its verdict. */
type Row = typeof plain | (typeof special)[number]

/** Creates a problem for each row on its first submission. */
async function openClient(service: ProductionService) {
  const send = async (method: string, path: string, body?: object, token = '') => {
    const response = await service.request(method, path, { token, ...(body && { body }) })
    expect(response.status, response.text).toBeLessThan(300)
    return response.body
  }
  const { id: user_id, token } = await send('POST', '/v1/basic_register', ROOT)
  const languages: { id: string; name: string }[] = await send('GET', '/v1/languages', undefined, token)
  const language_id = languages.find(({ name }) => name === 'JavaScript')?.id
  const problems = new Map<Row, number>()
  const createProblem = async (row: Row): Promise<number> => {
    const problem = {
      ...{ title: `Double ${problems.size}`, identifier: `double-${problems.size}`, prompt: 'Double it.' },
      ...{ difficulty: 'EASY', accept_timeout: 8, execution_timeout: 4 },
      test_cases: ['21', '4'].map((input) => ({ input, expected_output: String(2 * Number(input)) })),
      ...row.fields,
    }
    const { id } = await send('POST', '/v1/problems', problem, token)
    problems.set(row, id)
    return id
  }
  return {
    async submit(row: Row): Promise<string> {
      const problem_id = problems.get(row) ?? (await createProblem(row))
      const body = { user_id, problem_id, language_id, source_code: row.source_code }
      return (await send('POST', '/v1/submissions', body, token)).id
    },
    readStatus: async (id: string) =>
      (await send('GET', `/v1/submissions/${id}/status`, undefined, token)).status,
    /** Waits for the verdict; returns all judgings. */
    readJudgings: (id: string): Promise<{ status: string; score?: number; worker?: string }[]> =>
      until(async () => {
        const judgings = await send('GET', `/v1/submissions/${id}/judgings`, undefined, token)
        expect(judgings[0].status).not.toBe('PENDING')
        return judgings
      }),
  }
}

function startOlderWorker(service: ProductionService, queue: string, folder: string): void {
  const env = {
    ...{ JUDGE_PASSWORD, JUDGE_API_URL: service.url, AMQP_URL: url, AMQP_QUEUE: queue, TMPDIR: folder },
  }
  const worker = spawn(process.execPath, [minimalWorker, '--unsandboxed'], { env, stdio: 'ignore' })
  onTestFinished(async () => {
    const ended = once(worker, 'exit')
    worker.kill('SIGKILL')
    await ended
  })
}

async function startNewerWorker(service: ProductionService, queue: string): Promise<void> {
  const logger = { info() {}, warn() {}, error() {} }
  const worker = await startWorker({
    ...{ apiUrl: service.url, judgePassword: JUDGE_PASSWORD, concurrency: 1, workerName: NEWER },
    source: createRabbitmqSource({ url, queue, queueType: 'classic', logger }),
    languages: await readLanguages(defaultLanguagesFile),
    sandbox: 'bubblewrap',
  })
  onTestFinished(() => worker.stop())
}

test.runIf(url)('an older worker judges the other problems beside a newer one (TEST_AMQP_URL)', async () => {
  const queue = `test-older-worker-${randomUUID()}`
  onTestFinished(async () => void (await deleteQueue(url, queue)))
  const service = await startProductionService({
    ...{ BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: ROOT.email, AMQP_URL: url, AMQP_QUEUE: queue },
    ...(await freshDatabaseVariables()),
    ...{ RATE_LIMIT_SUBMISSIONS: '1000/1000' },
  })
  const countRefusals = () => service.log.filter((line) => JSON.parse(line).status === 409).length
  const { submit, readStatus, readJudgings } = await openClient(service)
  startOlderWorker(service, queue, await makeTemporaryFolder())
  const startedAtMs = performance.now()

  // Alone, it leaves the special problem alone and judges the plain one behind it.
  const waiting = await submit(tolerant)
  await until(() => expect(countRefusals()).toBeGreaterThan(0))
  expect(await readJudgings(await submit(plain))).toEqual([expect.objectContaining({ status: 'ACCEPTED' })])
  expect(await readStatus(waiting)).toBe('PENDING')

  await startNewerWorker(service, queue)
  expect(await readJudgings(waiting)).toMatchObject([{ status: 'ACCEPTED', worker: NEWER }])
  const rows = [plain, plain, plain, ...special, plain, ...special, plain, plain]
  const submitted: { row: Row; id: string }[] = []
  for (const row of rows) submitted.push({ row, id: await submit(row) })
  const workersOfPlain = new Set<string | undefined>()
  for (const { row, id } of submitted) {
    const [judging, ...others] = await readJudgings(id)
    expect(others).toEqual([])
    expect([judging?.status, judging?.score]).toEqual([row.status, row.score])
    if (row === plain) workersOfPlain.add(judging?.worker)
    else expect(judging?.worker).toBe(NEWER)
  }
  expect(workersOfPlain).toEqual(new Set([undefined, NEWER]))
  // The older worker waits at least a second after each.
  expect(countRefusals()).toBeLessThanOrEqual(1 + (performance.now() - startedAtMs) / 1000)
})
