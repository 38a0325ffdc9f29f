import { spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, type TestContext, vi } from 'vitest'
import { amqpUrl, noBroker, openTestQueue, type TestQueue } from './support/broker.ts'
import { createBrokerUser, noBrokerUsers } from './support/broker-user.ts'
import { type JudgeService, startJudgeService } from './support/judge-service.ts'
import { findLeftBehind } from './support/left-behind.ts'
import { findProcesses } from './support/processes.ts'
import { testUnless } from './support/requirements.ts'
import { missingSandbox } from './support/sandboxes.ts'
import { findClosedHost, startSilentServer } from './support/unusable-servers.ts'
import { waitFor } from './support/wait.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const PASSWORD = 'password-of-the-judge'
const noBubblewrap = await missingSandbox('bubblewrap')
const sandboxArguments = noBubblewrap === undefined ? [] : ['--unsandboxed']

if (noBroker) console.warn(`The tests of the worker as a process are left out: ${noBroker}.`)
else if (noBrokerUsers) console.warn(`Tests with RabbitMQ users of their own are left out: ${noBrokerUsers}.`)

/** Starts the worker as a process. */
function startProcess(environment: Record<string, string>, args: readonly string[]) {
  const options = { env: { PATH: process.env.PATH ?? '', ...environment } }
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', MAIN, ...args], options)
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    errors += chunk.toString()
  })
  // Not 'exit': output may follow it.
  const exited = once(child, 'close')
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    exited,
    pid: child.pid,
    get output() {
      return output
    },
    get errors() {
      return errors
    },
    get hasExited() {
      return child.exitCode !== null || child.signalCode !== null
    },
  }
}

describe('the worker as a process', () => {
  const testWorker = testUnless(noBroker)
  let service: JudgeService
  let queue: TestQueue
  let started: ReturnType<typeof startProcess>[]

  beforeEach(async () => {
    started = []
    service = await startJudgeService(PASSWORD)
    if (!noBroker) queue = await openTestQueue()
  })
  afterEach(async () => {
    for (const worker of started) {
      if (!worker.hasExited) worker.kill('SIGTERM')
      await worker.exited
    }
    await service.close()
    if (!noBroker) await queue.close()
  })

  function startWorkerProcess() {
    const environment = {
      JUDGE_API_URL: service.url,
      AMQP_URL: amqpUrl,
      AMQP_QUEUE: queue.queue,
      JUDGE_PASSWORD: PASSWORD,
    }
    const worker = startProcess({ ...environment, WORKER_CONCURRENCY: '1' }, sandboxArguments)
    started.push(worker)
    return worker
  }
  const verdictsOf = (id: string) => service.submissions.get(id)?.verdicts.map((verdict) => verdict.status)

  it('lists all invalid settings and exits with 1', async () => {
    const worker = startProcess({ WORKER_CONCURRENCY: 'many' }, ['--fast'])
    expect(await worker.exited).toEqual([1, null])
    for (const name of ['JUDGE_PASSWORD', 'AMQP_URL', 'WORKER_CONCURRENCY', '--fast'])
      expect(worker.output).toContain(name)
    expect(worker.output).not.toContain('    at ')
  })

  testWorker('judges a queued submission and exits with 0 on SIGTERM', async () => {
    const worker = startWorkerProcess()
    const tests = [{ input: '1', expected_output: '1' }]
    const id = service.addSubmission({ language: 'js', source_code: 'console.log(1)', tests })
    await queue.declare()
    await queue.publish({ type: 'submission', id })
    await waitFor('the verdict', () => verdictsOf(id)?.length)
    expect(verdictsOf(id)).toEqual(['ACCEPTED'])
    worker.kill('SIGTERM')
    expect(await worker.exited).toEqual([0, null])
    expect(worker.output).not.toMatch(/"level":"error"/)
    expect(worker.output).not.toContain(PASSWORD)
  })

  testWorker('loses nothing when it is killed: its program ends and its message comes back', async () => {
    const mark = `3${randomInt(1e9, 1e10)}`
    const tests = [{ input: '1', expected_output: '1' }]
    const sleeping = `require('child_process').spawnSync('sleep', ['${mark}'])`
    const id = service.addSubmission({ language: 'js', source_code: sleeping, tests })
    await queue.declare()
    await queue.publish({ type: 'submission', id })
    const killed = startWorkerProcess()
    await waitFor('the program to run', () => findProcesses(mark).length > 0)
    killed.kill('SIGKILL')
    await killed.exited
    // Without a sandbox the program continues.
    if (noBubblewrap !== undefined) for (const pid of findProcesses(mark)) process.kill(pid, 'SIGKILL')
    // Before another worker starts and deletes it.
    await waitFor('the end of the program', () => findProcesses(mark).length === 0)
    await waitFor('the message', async () => (await queue.count())?.messageCount === 1)
    expect(verdictsOf(id)).toEqual([])

    const submission = service.submissions.get(id)
    if (submission) submission.source_code = 'console.log(1)'
    startWorkerProcess()
    await waitFor('the verdict', () => verdictsOf(id)?.length)
    expect(verdictsOf(id)).toEqual(['ACCEPTED'])
    await waitFor('an empty queue', async () => (await queue.count())?.messageCount === 0)
    expect(await findLeftBehind(killed.pid)).toEqual([])
  })
})

const AMQP_PASSWORD = 'password-of-rabbitmq'
const amqpAt = (host: string) => `amqp://judge:${AMQP_PASSWORD}@${host}`

/** A worker that cannot start, and the line on its stderr. */
interface FailedStart {
  readonly when: string
  readonly leftOut?: string | undefined
  /** Prepares the judge service and returns the variables and the end of the line. */
  prepare(
    service: JudgeService,
    silentHost: string,
    onFinish: TestContext['onTestFinished'],
  ): Promise<[Record<string, string>, string]>
}

const failedLogins: readonly FailedStart[] = [
  {
    when: 'names JUDGE_PASSWORD when the service refuses it',
    prepare: async ({ url }) => [
      { JUDGE_PASSWORD: 'another-password' },
      `JUDGE_PASSWORD: the service at ${url} refuses it; the service and the worker must have the same password`,
    ],
  },
  {
    when: 'names JUDGE_API_URL when its port is closed',
    async prepare() {
      const host = await findClosedHost()
      return [
        { JUDGE_API_URL: `http://${host}/` },
        `${cannotLogIn(`http://${host}`)}connect ECONNREFUSED ${host}`,
      ]
    },
  },
  {
    when: 'names JUDGE_API_URL when its host does not exist',
    prepare: async () => [
      { JUDGE_API_URL: 'http://judge.invalid' },
      `${cannotLogIn('http://judge.invalid')}getaddrinfo `,
    ],
  },
  {
    when: 'names JUDGE_API_URL when another server listens there',
    async prepare({ pages, url }) {
      pages.set('POST /v1/login_judge', [200])
      return [{}, `${cannotLogIn(url)}the response is not from the service`]
    },
  },
  {
    when: 'names JUDGE_API_URL when the service fails',
    async prepare({ statuses, url }) {
      statuses.set('POST /v1/login_judge', [503])
      return [{}, `${cannotLogIn(url)}the service responded 503`]
    },
  },
  {
    when: 'names JUDGE_API_URL when the service does not respond in time',
    prepare: async (_, silentHost) => [
      { JUDGE_API_URL: `http://${silentHost}` },
      `${cannotLogIn(`http://${silentHost}`)}no response from the service within 7000 ms`,
    ],
  },
]

const failedConnections: readonly FailedStart[] = [
  {
    when: 'names AMQP_URL when its port is closed',
    async prepare() {
      const host = await findClosedHost()
      return [{ AMQP_URL: amqpAt(host) }, `${cannotConnect(host)}connect ECONNREFUSED ${host}`]
    },
  },
  {
    when: 'names AMQP_URL when another server listens there',
    async prepare({ url }) {
      const { host } = new URL(url)
      return [{ AMQP_URL: amqpAt(host) }, `${cannotConnect(host)}the server there is not RabbitMQ`]
    },
  },
  {
    when: 'names AMQP_URL when RabbitMQ does not respond in time',
    prepare: async (_, silentHost) => [{}, `${cannotConnect(silentHost)}no response within 6 s`],
  },
  {
    when: 'names AMQP_URL when RabbitMQ refuses the password',
    leftOut: noBroker,
    async prepare() {
      const { host } = new URL(amqpUrl)
      return [{ AMQP_URL: amqpAt(host) }, `${cannotConnect(host)}ACCESS_REFUSED - `]
    },
  },
  {
    when: 'names AMQP_URL when the virtual host does not exist',
    leftOut: noBroker,
    async prepare() {
      const url = new URL(amqpUrl)
      url.pathname = '/nowhere'
      return [{ AMQP_URL: url.href }, `${cannotConnect(url.host)}NOT_ALLOWED - vhost nowhere not found`]
    },
  },
  {
    when: 'names AMQP_QUEUE when the queue is missing and may not be declared',
    leftOut: noBrokerUsers,
    async prepare(_service, _silentHost, onFinish) {
      const user = await createBrokerUser({ configure: '^$', write: '.*', read: '.*' })
      onFinish(user.remove)
      const queue = `test-worker-${randomUUID()}`
      return [
        { AMQP_URL: user.url, AMQP_QUEUE: queue },
        `AMQP_QUEUE: the worker can neither find nor declare the queue "${queue}" of RabbitMQ at ${new URL(amqpUrl).host}: ACCESS_REFUSED - `,
      ]
    },
  },
]

describe.concurrent('a worker that cannot start exits with 1 and', () => {
  vi.setConfig({ testTimeout: 60_000 })
  for (const { when, leftOut, prepare } of [...failedLogins, ...failedConnections])
    testUnless(leftOut)(when, async ({ onTestFinished }) => {
      const [service, silent] = await Promise.all([startJudgeService(PASSWORD), startSilentServer()])
      onTestFinished(async () => {
        await service.close()
        await silent.close()
      })
      const [variables, line] = await prepare(service, silent.host, onTestFinished)
      const environment = {
        ...{ JUDGE_API_URL: service.url, JUDGE_PASSWORD: PASSWORD, WORKER_CONCURRENCY: '1' },
        ...{ AMQP_URL: amqpAt(silent.host), ...variables },
      }
      const worker = startProcess(environment, sandboxArguments)
      expect([await worker.exited, worker.errors]).toEqual([[1, null], expect.stringMatching(/^.+\n$/)])
      expect(worker.errors).toContain(`the judge worker cannot start: ${line}`)
      // Without a sandbox the worker logs a warning before.
      if (noBubblewrap === undefined) expect(worker.output).toBe(worker.errors)
      const secrets = [environment.JUDGE_PASSWORD, PASSWORD, new URL(environment.AMQP_URL).password]
      for (const secret of secrets) expect(worker.output).not.toContain(secret)
      expect(await findLeftBehind(worker.pid)).toEqual([])
    })
})

function cannotLogIn(url: string): string {
  return `JUDGE_API_URL: the judge cannot log in to the service at ${url}: `
}

function cannotConnect(host: string): string {
  return `AMQP_URL: no connection to RabbitMQ at ${host}: `
}
