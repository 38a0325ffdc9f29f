import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, type TestContext, vi } from 'vitest'
import { readConfiguration } from '../../src/configuration.ts'
import { createRabbitmqSource } from '../../src/rabbitmq-source.ts'
import { StartError } from '../../src/start-error.ts'
import { startWorker } from '../../src/worker.ts'
import { amqpUrl, noBroker } from '../support/broker.ts'
import { createBrokerUser, noBrokerUsers } from '../support/broker-user.ts'
import { type JudgeService, PASSWORD, startJudgeService } from '../support/judge-service.ts'
import { findLeftBehind } from '../support/left-behind.ts'
import { createLineLogger } from '../support/line-logger.ts'
import { testUnless } from '../support/requirements.ts'
import { findClosedHost, startSilentServer } from '../support/unusable-servers.ts'
import { noBubblewrap } from '../support/use-sandbox.ts'

const sandboxArguments = noBubblewrap === undefined ? [] : ['--unsandboxed']
if (noBroker) console.warn(`Failed starts with RabbitMQ are left out: ${noBroker}.`)
else if (noBrokerUsers) console.warn(`Tests with RabbitMQ users of their own are left out: ${noBrokerUsers}.`)

const AMQP_PASSWORD = 'password-of-rabbitmq'
const amqpAt = (host: string) => `amqp://judge:${AMQP_PASSWORD}@${host}`

interface Places {
  readonly service: JudgeService
  readonly silentHost: string
  readonly closedHost: string
  readonly onFinish: TestContext['onTestFinished']
}

type Failure = readonly [variables: Record<string, string>, line: string]

/** Prepares a failed start and returns its variables and the beginning of its message. */
type Prepare = (places: Places) => Failure | Promise<Failure>

const ofService: Record<string, Prepare> = {
  'JUDGE_API_URL when the service does not respond in time': ({ silentHost }) => [
    { JUDGE_API_URL: `http://${silentHost}` },
    `${cannotLogIn(`http://${silentHost}`)}no response from the service within 7000 ms`,
  ],
  'AMQP_URL when RabbitMQ does not respond in time': ({ silentHost }) => [
    {},
    `${cannotConnect(silentHost)}no response within 6 s`,
  ],
  'JUDGE_PASSWORD when the service refuses it': ({ service: { url } }) => [
    { JUDGE_PASSWORD: 'another-password' },
    `JUDGE_PASSWORD: the service at ${url} refuses it; the service and the worker must have the same password`,
  ],
  'JUDGE_API_URL when its port is closed': ({ closedHost }) => [
    { JUDGE_API_URL: `http://${closedHost}/` },
    `${cannotLogIn(`http://${closedHost}`)}connect ECONNREFUSED ${closedHost}`,
  ],
  'JUDGE_API_URL when another server listens there': ({ service: { pages, url } }) => {
    pages.set('POST /v1/login_judge', [200])
    return [{}, `${cannotLogIn(url)}the response is not from the service`]
  },
  'JUDGE_API_URL when the service fails': ({ service: { statuses, url } }) => {
    statuses.set('POST /v1/login_judge', [503])
    return [{}, `${cannotLogIn(url)}the service responded 503`]
  },
  'AMQP_URL when its port is closed': ({ closedHost }) => [
    { AMQP_URL: amqpAt(closedHost) },
    `${cannotConnect(closedHost)}connect ECONNREFUSED ${closedHost}`,
  ],
  'AMQP_URL when another server listens there': ({ service }) => {
    const { host } = new URL(service.url)
    return [{ AMQP_URL: amqpAt(host) }, `${cannotConnect(host)}the server there is not RabbitMQ`]
  },
}

const ofBroker: Record<string, Prepare> = {
  'AMQP_URL when RabbitMQ refuses the password': () => {
    const { host } = new URL(amqpUrl)
    return [{ AMQP_URL: amqpAt(host) }, `${cannotConnect(host)}ACCESS_REFUSED - `]
  },
}

const ofBrokerUsers: Record<string, Prepare> = {
  'AMQP_QUEUE when the queue is missing and may not be declared': async ({ onFinish }) => {
    const user = await createBrokerUser({ configure: '^$', write: '.*', read: '.*' })
    onFinish(user.remove)
    const queue = `test-worker-${randomUUID()}`
    return [
      { AMQP_URL: user.url, AMQP_QUEUE: queue },
      `AMQP_QUEUE: the worker can neither find nor declare the queue "${queue}" of RabbitMQ at ${new URL(amqpUrl).host}: ACCESS_REFUSED - `,
    ]
  },
}

const failures = [
  ...Object.entries(ofService).map((one) => [...one, undefined] as const),
  ...Object.entries(ofBroker).map((one) => [...one, noBroker] as const),
  ...Object.entries(ofBrokerUsers).map((one) => [...one, noBrokerUsers] as const),
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

  for (const [title, prepare, leftOut] of failures)
    testUnless(leftOut)(`names ${title}`, async ({ onTestFinished: onFinish }) => {
      const [service, silent] = await Promise.all([startJudgeService(), startSilentServer()])
      onFinish(() => Promise.all([service.close(), silent.close()]).then(() => {}))
      const places = { service, silentHost: silent.host, closedHost: await findClosedHost(), onFinish }
      const [variables, line] = await prepare(places)
      const environment = {
        ...{ JUDGE_API_URL: service.url, JUDGE_PASSWORD: PASSWORD, WORKER_CONCURRENCY: '1' },
        ...{ AMQP_URL: amqpAt(silent.host), ...variables },
      }
      const { err, logged } = await failStart(environment)
      expect(err).toBeInstanceOf(StartError)
      expect(err).toMatchObject({ message: expect.stringMatching(/^the judge worker cannot start: .+$/) })
      expect(String(err)).toContain(`the judge worker cannot start: ${line}`)
      expect(logged.split('\n').filter((line) => !line.includes('UNSANDBOXED'))).toEqual([''])
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
