import { describe, expect, it } from 'vitest'
import { createLatch } from '../src/latch.ts'
import { silentLogger } from '../src/logger.ts'
import { startRegistration } from '../src/registration.ts'
import { ServiceError } from '../src/service-error.ts'
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

  it('judges with a service that has no such route', async () => {
    setup.service.hasRegistrations = false
    const id = setup.service.addSubmission(right)
    await setup.judge(id)
    expect(setup.verdictsOf(id)).toMatchObject([{ status: 'ACCEPTED' }])
    expect(setup.logged).not.toContain('register')
  })
})

describe('a registration', () => {
  const body = { languages: [], concurrency: 1 }

  it('is repeated, also after a failure, whose reason it tells', async () => {
    let sent = 0
    const [failed, recovered] = [createLatch(), createLatch()]
    const registration = startRegistration({
      send: async () => {
        sent += 1
        if (sent === 2) throw new ServiceError('no response')
        if (sent === 3) failed.open()
        if (sent === 3) await recovered.opened
        return true
      },
      describe: () => body,
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
})
