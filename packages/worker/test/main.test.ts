import { spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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

if (noBroker) console.warn(`The tests of the worker as a process are left out: ${noBroker}.`)
else if (noBrokerUsers) console.warn(`Tests with RabbitMQ users of their own are left out: ${noBrokerUsers}.`)

/** The worker as a process of its own. */
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
  // Not 'exit': its last output may come after that.
  const exited = once(child, 'close')
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    exited,
    pid: child.pid,
    get output() {
      return output
    },
    /** What it has written to stderr. */
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
    const args = noBubblewrap === undefined ? [] : ['--unsandboxed']
    const worker = startProcess({ ...environment, WORKER_CONCURRENCY: '1' }, args)
    started.push(worker)
    return worker
  }
  const verdictsOf = (id: string) => service.submissions.get(id)?.verdicts.map((verdict) => verdict.status)

  it('says all that is wrong with its configuration and exits with 1', async () => {
    const worker = startProcess({ WORKER_CONCURRENCY: 'many' }, ['--fast'])
    expect(await worker.exited).toEqual([1, null])
    for (const name of ['JUDGE_PASSWORD', 'AMQP_URL', 'WORKER_CONCURRENCY', '--fast'])
      expect(worker.output).toContain(name)
    expect(worker.output).not.toContain('    at ')
  })

  testWorker('judges what is queued and stops on SIGTERM with 0', async () => {
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

  testWorker(
    'loses nothing when it is killed in the middle: the message comes back and nothing goes on running',
    async () => {
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
      // Without a sandbox nothing ends the program.
      if (noBubblewrap !== undefined) for (const pid of findProcesses(mark)) process.kill(pid, 'SIGKILL')
      // At once: later, any other worker that starts here would clear it away.
      await waitFor('the program to be gone', () => findProcesses(mark).length === 0, 3000)
      await waitFor('the message to be back', async () => (await queue.count())?.messageCount === 1)
      expect(verdictsOf(id)).toEqual([])

      const submission = service.submissions.get(id)
      if (submission) submission.source_code = 'console.log(1)'
      startWorkerProcess()
      await waitFor('the verdict', () => verdictsOf(id)?.length)
      expect(verdictsOf(id)).toEqual(['ACCEPTED'])
      await waitFor('an empty queue', async () => (await queue.count())?.messageCount === 0)
      expect(await findLeftBehind(killed.pid)).toEqual([])
    },
  )
})

describe('a worker that cannot start', () => {
  const LONGEST_START_MS = 15_000
  const AMQP_PASSWORD = 'password-of-rabbitmq'
  let service: JudgeService
  let silent: Awaited<ReturnType<typeof startSilentServer>>

  beforeEach(async () => {
    ;[service, silent] = await Promise.all([startJudgeService(PASSWORD), startSilentServer()])
  })
  afterEach(async () => {
    await service.close()
    await silent.close()
  })

  const amqpAt = (host: string) => `amqp://judge:${AMQP_PASSWORD}@${host}`

  /** Expects exit code 1, nothing left behind and no password; returns the one line on stderr. */
  async function startInVain(environment: Record<string, string>): Promise<string> {
    const startedAt = performance.now()
    const worker = startProcess(
      {
        JUDGE_API_URL: service.url,
        AMQP_URL: amqpAt(silent.host),
        JUDGE_PASSWORD: PASSWORD,
        WORKER_CONCURRENCY: '1',
        ...environment,
      },
      noBubblewrap === undefined ? [] : ['--unsandboxed'],
    )
    expect([await worker.exited, worker.errors]).toEqual([[1, null], expect.stringMatching(/^.+\n$/)])
    expect(performance.now() - startedAt).toBeLessThan(LONGEST_START_MS)
    // Only a warning that programs are not isolated may come before.
    if (noBubblewrap === undefined) expect(worker.output).toBe(worker.errors)
    for (const secret of [PASSWORD, AMQP_PASSWORD, environment.JUDGE_PASSWORD ?? PASSWORD])
      expect(worker.output).not.toContain(secret)
    expect(await findLeftBehind(worker.pid)).toEqual([])
    return worker.errors.trimEnd()
  }

  const cannotLogIn = (url: string) =>
    `the judge worker cannot start: JUDGE_API_URL: the judge cannot log in to the service at ${url}: `
  const cannotConnect = (host: string) =>
    `the judge worker cannot start: AMQP_URL: no connection to RabbitMQ at ${host}: `

  it('names JUDGE_PASSWORD when the service refuses it', async () => {
    expect(await startInVain({ JUDGE_PASSWORD: 'another-password' })).toBe(
      `the judge worker cannot start: JUDGE_PASSWORD: the service at ${service.url} refuses it; the service and the worker must have the same password`,
    )
  })

  it('names JUDGE_API_URL when nothing listens there', async () => {
    const host = await findClosedHost()
    expect(await startInVain({ JUDGE_API_URL: `http://${host}/` })).toBe(
      `${cannotLogIn(`http://${host}`)}connect ECONNREFUSED ${host}`,
    )
  })

  it('names JUDGE_API_URL when its host does not exist', async () => {
    const url = 'http://judge.invalid'
    expect(await startInVain({ JUDGE_API_URL: url })).toContain(`${cannotLogIn(url)}getaddrinfo `)
  })

  it('names JUDGE_API_URL when something other than the service answers there', async () => {
    service.pages.set('POST /v1/login_judge', [200])
    expect(await startInVain({})).toContain(
      `${cannotLogIn(service.url)}something else than the service answered`,
    )
  })

  it('names JUDGE_API_URL when the service fails', async () => {
    service.answers.set('POST /v1/login_judge', [503])
    expect(await startInVain({})).toContain(`${cannotLogIn(service.url)}the service answered 503`)
  })

  it('names JUDGE_API_URL when the service does not answer in time', async () => {
    const url = `http://${silent.host}`
    expect(await startInVain({ JUDGE_API_URL: url })).toContain(
      `${cannotLogIn(url)}the service did not answer`,
    )
  })

  it('names AMQP_URL when nothing listens there', async () => {
    const host = await findClosedHost()
    expect(await startInVain({ AMQP_URL: amqpAt(host) })).toBe(
      `${cannotConnect(host)}connect ECONNREFUSED ${host}`,
    )
  })

  it('names AMQP_URL when something other than RabbitMQ answers there', async () => {
    const { host } = new URL(service.url)
    expect(await startInVain({ AMQP_URL: amqpAt(host) })).toBe(
      `${cannotConnect(host)}something else answers there`,
    )
  })

  it('names AMQP_URL when RabbitMQ does not answer in time', async () => {
    expect(await startInVain({})).toBe(`${cannotConnect(silent.host)}no answer within 6 s`)
  })

  testUnless(noBroker)('names AMQP_URL when RabbitMQ refuses the password', async () => {
    const { host } = new URL(amqpUrl)
    expect(await startInVain({ AMQP_URL: amqpAt(host) })).toContain(`${cannotConnect(host)}ACCESS_REFUSED - `)
  })

  testUnless(noBroker)('names AMQP_URL when the virtual host does not exist', async () => {
    const url = new URL(amqpUrl)
    url.pathname = '/nowhere'
    expect(await startInVain({ AMQP_URL: url.href })).toContain(
      `${cannotConnect(url.host)}NOT_ALLOWED - vhost nowhere not found`,
    )
  })

  const everyQueue = '.*'
  const noQueue = '^$'
  testUnless(noBrokerUsers)('names AMQP_QUEUE when the queue is missing and may not be made', async () => {
    const user = await createBrokerUser({ configure: noQueue, write: everyQueue, read: everyQueue })
    try {
      const name = `test-worker-${randomUUID()}`
      const line = await startInVain({ AMQP_URL: user.url, AMQP_QUEUE: name })
      expect(line).toContain(
        `the judge worker cannot start: AMQP_QUEUE: the worker can neither find nor make the queue "${name}" of RabbitMQ at ${new URL(amqpUrl).host}: ACCESS_REFUSED - `,
      )
      expect(line).not.toContain(user.password)
    } finally {
      await user.remove()
    }
  })
})
