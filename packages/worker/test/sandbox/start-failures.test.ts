import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, type TestContext, vi } from 'vitest'
import { readConfiguration } from '../../src/configuration.ts'
import { createRabbitmqSource } from '../../src/rabbitmq-source.ts'
import { StartError } from '../../src/start-error.ts'
import { startWorker } from '../../src/worker.ts'
import { amqpUrl, noBroker } from '../support/broker.ts'
import { createBrokerUser, noBrokerUsers } from '../support/broker-user.ts'
import { type JudgeService, startJudgeService } from '../support/judge-service.ts'
import { findLeftBehind } from '../support/left-behind.ts'
import { createLineLogger } from '../support/line-logger.ts'
import { testUnless } from '../support/requirements.ts'
import { missingSandbox } from '../support/sandboxes.ts'
import { findClosedHost, startSilentServer } from '../support/unusable-servers.ts'

const PASSWORD = 'password-of-the-judge'
const sandboxArguments = (await missingSandbox('bubblewrap')) === undefined ? [] : ['--unsandboxed']
if (noBroker) console.warn(`Failed starts with RabbitMQ are left out: ${noBroker}.`)
else if (noBrokerUsers) console.warn(`Tests with RabbitMQ users of their own are left out: ${noBrokerUsers}.`)

const AMQP_PASSWORD = 'password-of-rabbitmq'
const amqpAt = (host: string) => `amqp://judge:${AMQP_PASSWORD}@${host}`

/** Prepares a failed start and returns its variables and the end of its message. */
type Prepare = (setup: {
  readonly service: JudgeService
  readonly silentHost: string
  readonly onFinish: TestContext['onTestFinished']
}) => Promise<[variables: Record<string, string>, line: string]>

const failedStarts: readonly (readonly [title: string, prepare: Prepare, leftOut?: string | undefined])[] = [
  [
    'names JUDGE_API_URL when the service does not respond in time',
    async ({ silentHost }) => [
      { JUDGE_API_URL: `http://${silentHost}` },
      `${cannotLogIn(`http://${silentHost}`)}no response from the service within 7000 ms`,
    ],
  ],
  [
    'names AMQP_URL when RabbitMQ does not respond in time',
    async ({ silentHost }) => [{}, `${cannotConnect(silentHost)}no response within 6 s`],
  ],
  [
    'names JUDGE_PASSWORD when the service refuses it',
    async ({ service: { url } }) => [
      { JUDGE_PASSWORD: 'another-password' },
      `JUDGE_PASSWORD: the service at ${url} refuses it; the service and the worker must have the same password`,
    ],
  ],
  [
    'names JUDGE_API_URL when its port is closed',
    async () => {
      const host = await findClosedHost()
      const line = `${cannotLogIn(`http://${host}`)}connect ECONNREFUSED ${host}`
      return [{ JUDGE_API_URL: `http://${host}/` }, line]
    },
  ],
  [
    'names JUDGE_API_URL when its host does not exist',
    async () => [
      { JUDGE_API_URL: 'http://judge.invalid' },
      `${cannotLogIn('http://judge.invalid')}getaddrinfo `,
    ],
  ],
  [
    'names JUDGE_API_URL when another server listens there',
    async ({ service: { pages, url } }) => {
      pages.set('POST /v1/login_judge', [200])
      return [{}, `${cannotLogIn(url)}the response is not from the service`]
    },
  ],
  [
    'names JUDGE_API_URL when the service fails',
    async ({ service: { statuses, url } }) => {
      statuses.set('POST /v1/login_judge', [503])
      return [{}, `${cannotLogIn(url)}the service responded 503`]
    },
  ],
  [
    'names AMQP_URL when its port is closed',
    async () => {
      const host = await findClosedHost()
      return [{ AMQP_URL: amqpAt(host) }, `${cannotConnect(host)}connect ECONNREFUSED ${host}`]
    },
  ],
  [
    'names AMQP_URL when another server listens there',
    async ({ service }) => {
      const { host } = new URL(service.url)
      return [{ AMQP_URL: amqpAt(host) }, `${cannotConnect(host)}the server there is not RabbitMQ`]
    },
  ],
  [
    'names AMQP_URL when RabbitMQ refuses the password',
    async () => {
      const { host } = new URL(amqpUrl)
      return [{ AMQP_URL: amqpAt(host) }, `${cannotConnect(host)}ACCESS_REFUSED - `]
    },
    noBroker,
  ],
  [
    'names AMQP_URL when the virtual host does not exist',
    async () => {
      const url = new URL(amqpUrl)
      url.pathname = '/nowhere'
      return [{ AMQP_URL: url.href }, `${cannotConnect(url.host)}NOT_ALLOWED - vhost nowhere not found`]
    },
    noBroker,
  ],
  [
    'names AMQP_QUEUE when the queue is missing and may not be declared',
    async ({ onFinish }) => {
      const user = await createBrokerUser({ configure: '^$', write: '.*', read: '.*' })
      onFinish(user.remove)
      const queue = `test-worker-${randomUUID()}`
      return [
        { AMQP_URL: user.url, AMQP_QUEUE: queue },
        `AMQP_QUEUE: the worker can neither find nor declare the queue "${queue}" of RabbitMQ at ${new URL(amqpUrl).host}: ACCESS_REFUSED - `,
      ]
    },
    noBrokerUsers,
  ],
]

/** Starts a worker as the program does. Resolves to the error and the log. */
async function failStart(environment: Record<string, string>) {
  let logged = ''
  const logger = createLineLogger((line) => {
    logged += line
  })
  const configuration = await readConfiguration(environment, sandboxArguments)
  const { amqpUrl: url = '', queue, queueType, unsandboxed, ...rest } = configuration
  const source = createRabbitmqSource({ url, queue, queueType, logger })
  const sandbox = unsandboxed ? 'unsandboxed' : 'bubblewrap'
  const start = startWorker({ ...rest, source, sandbox, logger, serviceWaitMs: 0 })
  return { err: await start.catch((err: unknown) => err), logged }
}

describe.concurrent('a start that fails', () => {
  vi.setConfig({ maxConcurrency: 12 })
  let before: readonly string[]
  beforeAll(async () => {
    before = await findLeftBehind(process.pid)
  })
  // All starts are over.
  afterAll(async () => expect(await findLeftBehind(process.pid)).toEqual(before))

  for (const [title, prepare, leftOut] of failedStarts)
    testUnless(leftOut)(title, async ({ onTestFinished: onFinish }) => {
      const [service, silent] = await Promise.all([startJudgeService(PASSWORD), startSilentServer()])
      onFinish(async () => {
        await service.close()
        await silent.close()
      })
      const [variables, line] = await prepare({ service, silentHost: silent.host, onFinish })
      const environment = {
        ...{ JUDGE_API_URL: service.url, JUDGE_PASSWORD: PASSWORD, WORKER_CONCURRENCY: '1' },
        ...{ AMQP_URL: amqpAt(silent.host), ...variables },
      }
      const { err, logged } = await failStart(environment)
      expect(err).toBeInstanceOf(StartError)
      expect(err).toMatchObject({ message: expect.stringMatching(/^the judge worker cannot start: .+$/) })
      expect(String(err)).toContain(`the judge worker cannot start: ${line}`)
      const lines = logged.split('\n').filter((line) => !line.includes('UNSANDBOXED'))
      expect(lines).toEqual([''])
      const secrets = [environment.JUDGE_PASSWORD, PASSWORD, new URL(environment.AMQP_URL).password]
      for (const secret of secrets) expect(`${err}${logged}`).not.toContain(secret)
    })
})

function cannotLogIn(url: string): string {
  return `JUDGE_API_URL: the judge cannot log in to the service at ${url}: `
}

function cannotConnect(host: string): string {
  return `AMQP_URL: no connection to RabbitMQ at ${host}: `
}
