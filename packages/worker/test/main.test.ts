import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { amqpUrl, noBroker, openTestQueue, type TestQueue } from './support/broker.ts'
import { type JudgeService, startJudgeService } from './support/judge-service.ts'
import { findProcesses } from './support/processes.ts'
import { testUnless } from './support/requirements.ts'
import { missingSandbox } from './support/sandboxes.ts'
import { waitFor } from './support/wait.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const PASSWORD = 'password-of-the-judge'
const noBubblewrap = await missingSandbox('bubblewrap')

if (noBroker) console.warn(`The tests of the worker as a process are left out: ${noBroker}.`)

/** The worker as a process of its own. */
function startProcess(environment: Record<string, string>, args: readonly string[]) {
  const options = { env: { PATH: process.env.PATH ?? '', ...environment } }
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', MAIN, ...args], options)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const exited = once(child, 'exit')
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    exited,
    pid: child.pid,
    get output() {
      return output
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
      const left = (await readdir(tmpdir())).filter((name) => name.includes(`-${killed.pid}-`))
      expect(left).toEqual([])
    },
  )
})
