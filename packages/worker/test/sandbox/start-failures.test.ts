import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest'
import { readConfiguration } from '../../src/configuration.ts'
import { createRabbitmqSource } from '../../src/messages/rabbitmq-source.ts'
import { StartError } from '../../src/shared/start-error.ts'
import { startWorker } from '../../src/worker.ts'
import { amqpUrl, noBroker } from '../support/broker.ts'
import { createBrokerUser, noBrokerUsers } from '../support/broker-user.ts'
import { type JudgeService, PASSWORD, startJudgeService } from '../support/judge-service.ts'
import { createTextLog } from '../support/line-logger.ts'
import { findLeftBehind } from '../support/processes.ts'
import { testUnless } from '../support/requirements.ts'
import { findClosedHost, startSilentServer } from '../support/unusable-servers.ts'
import { noBubblewrap } from '../support/use-sandbox.ts'

const sandboxArguments = noBubblewrap === undefined ? [] : ['--unsandboxed']
if (noBroker) console.warn(`Failed starts with RabbitMQ are left out: ${noBroker}.`)
else if (noBrokerUsers) console.warn(`Tests with RabbitMQ users of their own are left out: ${noBrokerUsers}.`)

const AMQP_PASSWORD = 'password-of-rabbitmq'
const amqpAt = (host: string) => `amqp://judge:${AMQP_PASSWORD}@${host}`
const BROKER = noBroker ? '' : new URL(amqpUrl).host
const starts = {
  JUDGE_API_URL: 'JUDGE_API_URL: the judge cannot log in to the service at http://',
  AMQP_URL: 'AMQP_URL: no connection to RabbitMQ at ',
}

const SAME_PASSWORD = 'the service and the worker must have the same password'
const NO_QUEUE = 'AMQP_QUEUE: the worker can neither find nor declare the queue'

type Host = 'SERVICE' | 'SILENT' | 'CLOSED' | 'BROKER'
type Answer = readonly [kind: 'statuses' | 'pages', status: number]
type Row = [variable: keyof typeof starts, title: string, host: Host, reason: string, login?: Answer]

const [API, AMQP] = ['JUDGE_API_URL', 'AMQP_URL'] as const
const rows: Row[] = [
  [API, 'the service does not respond in time', 'SILENT', 'no response from the service within 7000 ms'],
  [API, 'its port is closed', 'CLOSED', 'connect ECONNREFUSED CLOSED'],
  [API, 'another server is there', 'SERVICE', 'the response is not from the service', ['pages', 200]],
  [API, 'the service fails', 'SERVICE', 'the service responded 503', ['statuses', 503]],
  [AMQP, 'RabbitMQ does not respond in time', 'SILENT', 'no response within 6 s'],
  [AMQP, 'its port is closed', 'CLOSED', 'connect ECONNREFUSED CLOSED'],
  [AMQP, 'another server is there', 'SERVICE', 'the server there is not RabbitMQ'],
  [AMQP, 'RabbitMQ refuses the password', 'BROKER', 'ACCESS_REFUSED - '],
]

/** Starts a worker as the program does; its error begins with the line, and shows no secret. */
async function expectFailure(
  { onTestFinished }: TestContext,
  prepare: (hosts: Record<Host, string>, service: JudgeService) => [Record<string, string>, string],
) {
  const [service, silent] = await Promise.all([startJudgeService(), startSilentServer()])
  onTestFinished(() => Promise.all([service.close(), silent.close()]).then(() => {}))
  const SERVICE = new URL(service.url).host
  const hosts = { SERVICE, SILENT: silent.host, CLOSED: await findClosedHost(), BROKER }
  const [variables, line] = prepare(hosts, service)
  const environment = {
    ...{ JUDGE_API_URL: service.url, JUDGE_PASSWORD: PASSWORD, WORKER_CONCURRENCY: '1' },
    ...{ AMQP_URL: amqpAt(silent.host), ...variables },
  }
  const log = createTextLog()
  const { logger } = log
  const configuration = await readConfiguration(environment, sandboxArguments)
  const { amqpUrl: url = '', queue, queueType, unsandboxed, ...rest } = configuration
  const source = createRabbitmqSource({ url, queue, queueType, logger })
  const sandbox = unsandboxed ? 'unsandboxed' : 'bubblewrap'
  const start = startWorker({ ...rest, source, sandbox, logger, serviceWaitMs: 0 })
  const err = await start.catch((err: unknown) => err)
  expect(err).toBeInstanceOf(StartError)
  expect(err).toMatchObject({ message: expect.stringMatching(/^the judge worker cannot start: .+$/) })
  expect(String(err)).toContain(`the judge worker cannot start: ${line}`)
  expect(log.text.split('\n').filter((line) => !line.includes('UNSANDBOXED'))).toEqual([''])
  for (const secret of [environment.JUDGE_PASSWORD, PASSWORD, new URL(environment.AMQP_URL).password])
    expect(`${err}${log.text}`).not.toContain(secret)
}

describe.concurrent('a start that fails', () => {
  vi.setConfig({ maxConcurrency: 12 })
  let before: readonly string[]
  beforeAll(async () => {
    before = await findLeftBehind(process.pid)
  })
  // All starts are over.
  afterAll(async () => expect(await findLeftBehind(process.pid)).toEqual(before))

  for (const [variable, title, host, reason, login] of rows)
    testUnless(host === 'BROKER' ? noBroker : undefined)(`names ${variable} when ${title}`, (context) =>
      expectFailure(context, (hosts, service) => {
        if (login) service[login[0]].set('POST /v1/login_judge', [login[1]])
        const url = variable === 'AMQP_URL' ? amqpAt(hosts[host]) : `http://${hosts[host]}/`
        return [
          { [variable]: url },
          `${starts[variable]}${hosts[host]}: ${reason.replace('CLOSED', hosts.CLOSED)}`,
        ]
      }),
    )

  it('names JUDGE_PASSWORD when the service refuses it', (context) =>
    expectFailure(context, (_, { url }) => [
      { JUDGE_PASSWORD: 'another-password' },
      `JUDGE_PASSWORD: the service at ${url} refuses it; ${SAME_PASSWORD}`,
    ]))

  testUnless(noBrokerUsers)('names AMQP_QUEUE if it is missing and may not be declared', async (context) => {
    const { url, remove } = await createBrokerUser({ configure: '^$', write: '.*', read: '.*' })
    context.onTestFinished(remove)
    const queue = `test-worker-${randomUUID()}`
    const line = `${NO_QUEUE} "${queue}" of RabbitMQ at ${BROKER}: ACCESS_REFUSED - `
    await expectFailure(context, () => [{ AMQP_URL: url, AMQP_QUEUE: queue }, line])
  })
})
