import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { amqpUrl, noBroker, openTestQueue, type TestQueue } from '../support/broker.ts'
import { type JudgeService, PASSWORD, startJudgeService } from '../support/judge-service.ts'
import { findLeftBehind, findProcesses } from '../support/processes.ts'
import { testUnless } from '../support/requirements.ts'
import { findClosedHost } from '../support/unusable-servers.ts'
import { noBubblewrap } from '../support/use-sandbox.ts'
import { waitFor } from '../support/wait.ts'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const sandboxArguments = noBubblewrap === undefined ? [] : ['--unsandboxed']

if (noBroker) console.warn(`The tests of the worker as a process are left out: ${noBroker}.`)

function startProcess(environment: Record<string, string>, args: readonly string[]) {
  const options = { env: { PATH: process.env.PATH ?? '', ...environment } }
  const child = spawn(process.execPath, [MAIN, ...args], options)
  const logged = { output: '', errors: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    logged.output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    logged.errors += chunk.toString()
  })
  // Not 'exit': output may follow it.
  const exited = once(child, 'close')
  const hasExited = () => child.exitCode !== null || child.signalCode !== null
  return Object.assign(logged, { child, exited, hasExited })
}

describe('the worker as a process', () => {
  const testWorker = testUnless(noBroker)
  let service: JudgeService
  let queue: TestQueue
  let started: ReturnType<typeof startProcess>[]

  beforeEach(async () => {
    started = []
    service = await startJudgeService()
    if (!noBroker) queue = await openTestQueue()
  })
  afterEach(async () => {
    for (const worker of started) {
      if (!worker.hasExited()) worker.child.kill('SIGTERM')
      await worker.exited
    }
    await service.close()
    if (!noBroker) await queue.close()
  })

  function startWorkerProcess() {
    const environment = {
      ...{ JUDGE_API_URL: service.url, JUDGE_PASSWORD: PASSWORD, WORKER_CONCURRENCY: '1' },
      ...{ AMQP_URL: amqpUrl, AMQP_QUEUE: queue.queue },
    }
    const worker = startProcess(environment, sandboxArguments)
    started.push(worker)
    return worker
  }
  const verdictsOf = (id: string) => service.submissions.get(id)?.verdicts.map((verdict) => verdict.status)
  const publish = async (source_code: string) => {
    const tests = [{ input: '1', expected_output: '1' }]
    const id = service.addSubmission({ language: 'js', source_code, tests })
    await queue.declare()
    await queue.publish({ type: 'submission', id })
    return id
  }

  testWorker('judges a queued submission and exits with 0 on SIGTERM', async () => {
    const worker = startWorkerProcess()
    const id = await publish('console.log(1)')
    await waitFor('the verdict', () => verdictsOf(id)?.length)
    expect(verdictsOf(id)).toEqual(['ACCEPTED'])
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toEqual([0, null])
    const lines = worker.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const judged = { level: 30, time: expect.any(Number), msg: 'judged', id }
    expect(lines).toContainEqual(expect.objectContaining(judged))
    expect(lines.filter(({ level }) => level >= 50)).toEqual([])
    expect(worker.output + worker.errors).not.toContain(PASSWORD)
  })

  testWorker('loses no message when it is killed, and its program ends', async () => {
    const mark = `3${randomInt(1e9, 1e10)}`
    const id = await publish(`require('child_process').spawnSync('sleep', ['${mark}'])`)
    const killed = startWorkerProcess()
    await waitFor('the program to run', () => findProcesses(mark).length > 0)
    killed.child.kill('SIGKILL')
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
    expect(await findLeftBehind(killed.child.pid)).toEqual([])
  })
})

describe.concurrent('a worker that cannot start', () => {
  it('exits with 1 and lists all invalid settings', async () => {
    const worker = startProcess({ WORKER_CONCURRENCY: 'many' }, ['--fast'])
    expect(await worker.exited).toEqual([1, null])
    for (const name of ['JUDGE_PASSWORD', 'AMQP_URL', 'WORKER_CONCURRENCY', '--fast'])
      expect(worker.errors).toContain(name)
    expect(worker.errors).not.toContain('    at ')
  })

  it('exits with 1 and one line about the reason, and leaves nothing behind', async () => {
    const service = await startJudgeService()
    onTestFinished(() => service.close())
    const environment = {
      ...{ JUDGE_API_URL: service.url, JUDGE_PASSWORD: PASSWORD, WORKER_CONCURRENCY: '1' },
      AMQP_URL: `amqp://judge:password-of-rabbitmq@${await findClosedHost()}`,
    }
    const worker = startProcess(environment, sandboxArguments)
    expect(await worker.exited).toEqual([1, null])
    expect(worker.errors).toMatch(/^the judge worker cannot start: AMQP_URL: .+\n$/)
    // Without a sandbox the worker logs a warning before.
    if (noBubblewrap === undefined) expect(worker.output).toBe('')
    for (const secret of [PASSWORD, 'password-of-rabbitmq'])
      expect(worker.output + worker.errors).not.toContain(secret)
    expect(await findLeftBehind(worker.child.pid)).toEqual([])
  })
})
