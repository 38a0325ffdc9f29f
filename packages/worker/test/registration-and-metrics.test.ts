import { describe, expect, it } from 'vitest'
import { startRegistration } from '../src/service/registration.ts'
import { ServiceError } from '../src/service/service-error.ts'
import { createLatch } from '../src/shared/latch.ts'
import { silentLogger } from '../src/shared/logger.ts'
import { PASSWORD } from './support/judge-service.ts'
import { right, shell, useTestWorker } from './support/test-worker.ts'
import { waitFor } from './support/wait.ts'

const setup = useTestWorker()

describe('a worker', () => {
  it('registers itself with its installed languages, and says that it stops', async () => {
    const ghost = { ...shell, name: 'Ghost', aliases: [], run: ['ghost'] as [string] }
    const worker = await setup.start({ languages: [shell, ghost], workerName: 'judge 1/a' })
    await waitFor('the registration', () => setup.service.registrations.length > 0)
    await worker.stop()
    const body = {
      ...{ concurrency: 1, version: expect.any(String), judging: [] },
      languages: [{ name: 'Shell', version: '1', aliases: ['sh'] }],
    }
    expect(setup.service.registrations).toEqual([
      { worker: 'judge 1/a', body: { ...body, started: true } },
      { worker: 'judge 1/a', body: { ...body, stopped: true } },
    ])
  })
})

it('a registration is repeated, also after a failure, whose reason it tells', async () => {
  let sent = 0
  const [failed, recovered] = [createLatch(), createLatch()]
  const registration = startRegistration({
    send: async () => {
      sent += 1
      if (sent === 2) throw new ServiceError('no response')
      if (sent === 3) failed.open()
      if (sent === 3) await recovered.opened
    },
    describe: () => ({ languages: [], concurrency: 1 }),
    logger: silentLogger,
    pauseMs: 1,
  })
  await failed.opened
  expect(registration.fault()).toBe('the service cannot be used: no response')
  recovered.open()
  await waitFor('the next registrations', () => sent >= 5)
  expect(registration.fault()).toBe(undefined)
  await registration.stop()
})

/** Starts the worker with a port for operators; the result reads a path there. */
async function startWithPort(changes: Parameters<typeof setup.start>[0] = {}) {
  const { operatorsUrl } = await setup.start({ metricsAddress: { host: '127.0.0.1', port: 0 }, ...changes })
  return async (path: string) => {
    const response = await fetch(`${operatorsUrl}${path}`)
    return { status: response.status, text: await response.text() }
  }
}

it('counts what a worker judges, by kind and status, without ids, names or secrets', async () => {
  const read = await startWithPort()
  const wrong = { ...right, source_code: 'echo wrong' }
  const ids = [setup.service.addSubmission(right), setup.service.addSubmission(wrong)]
  const run = setup.service.addRun('Shell', 'cat', 'x')
  await setup.judge(...ids, run)
  const { status, text } = await read('/metrics')
  expect(status).toBe(200)
  for (const line of [
    'judge_worker_judged_total{kind="submission",status="ACCEPTED"} 1',
    'judge_worker_judged_total{kind="submission",status="WRONG_ANSWER"} 1',
    'judge_worker_judged_total{kind="run",status="ACCEPTED"} 1',
    'judge_worker_judging_duration_seconds_count{kind="submission"} 2',
    'judge_worker_returned_total{kind="submission"} 0',
    'judge_worker_programs 0',
    'judge_worker_slots 1',
    'judge_worker_busy_slots 0',
    'judge_worker_healthy 1',
    'judge_worker_language{language="Shell",language_version="1"} 1',
  ])
    expect(text.split('\n')).toContain(line)
  expect(text).toMatch(/^judge_worker_info\{version="\d+\.\d+\.\d+"\} 1$/m)
  expect(text).toContain('process_cpu_seconds_total')
  for (const secret of [...ids, run, PASSWORD, setup.service.token]) expect(text).not.toContain(secret)
})

it('is healthy while it works, and counts messages that go back', async () => {
  const read = await startWithPort()
  await waitFor('the registration', () => setup.service.registrations.length > 0)
  expect(await read('/health')).toEqual({ status: 200, text: '{"status":"ok"}' })
  setup.service.statuses.set('GET /v1/submissions', [503])
  await setup.judge(setup.service.addSubmission(right))
  const { text } = await read('/metrics')
  expect(text).toContain('judge_worker_returned_total{kind="submission"} 1')
})

it('is unhealthy with the reason while the source gives no messages', async () => {
  let fault: string | undefined
  const consume = async () => ({ stop: async () => {}, fault: () => fault })
  const read = await startWithPort({ source: { consume } })
  fault = 'no messages come'
  const text = '{"status":"unavailable","reasons":["no messages come"]}'
  expect(await read('/health')).toEqual({ status: 503, text })
  expect((await read('/metrics')).text).toContain('judge_worker_healthy 0')
  expect((await read('/v1/languages')).status).toBe(404)
})

it('serves nothing without a port', async () => {
  expect((await setup.start()).operatorsUrl).toBe(undefined)
})
