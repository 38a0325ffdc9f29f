import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { READ_PACKAGE } from '../../src/features/problems/problem-packages/calls.ts'
import { PackageProcess } from '../../src/package-process/package-process.ts'
import { PackageProcesses } from '../../src/package-process/package-processes.ts'
import { openTestApp } from '../support/app.ts'
import { closeLater } from '../support/cleanup.ts'
import { readTables } from '../support/database-contents.ts'
import { PACKAGE_SCRIPTS } from '../support/package-processes.ts'
import { ZIP } from '../support/packages.ts'

const CPU_SECONDS = 5
const script = PACKAGE_SCRIPTS['test/support/hostile-reader.ts']

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })

async function openBeside(running: number) {
  const packageProcesses = new PackageProcesses({ script, limits: { cpuSeconds: CPU_SECONDS, running } })
  closeLater(() => packageProcesses.close())
  const { send } = await service.openBeside({ packageProcesses })
  return (behaviour: string) => {
    const request = { method: 'POST', url: '/v1/problem_packages', token: admin.token, headers: ZIP } as const
    return send({ ...request, raw: Buffer.from(behaviour) })
  }
}

const upload = await openBeside(1)
const before = await readTables(service.database)

/** The service is up, and has stored nothing. */
async function expectUnharmed(): Promise<void> {
  expect(await service.anonymous.send('GET', '/health')).toMatchObject({ status: 200 })
  expect(await readTables(service.database)).toEqual(before)
}

describe('a package whose reading reaches a limit of its process gets 400 with the file, and the next one is read', () => {
  it.each([
    ['spins', `more than ${CPU_SECONDS} s of CPU time`],
    ['fillsHeap', 'more than 512 MiB of memory'],
    ['fillsBuffers', 'too much memory'],
    ['recurses', 'too much memory'],
    ['aborts', 'more than 512 MiB of memory'],
  ])('%s', async (behaviour, reason) => {
    const error = `data/secret/1.yaml: reading it takes ${reason}`
    expect(await upload(behaviour)).toMatchObject({ status: 400, body: { error } })
    await expectUnharmed()
  })

  it('hangs, and reaches only the limit of real time', async () => {
    const limits = { cpuSeconds: CPU_SECONDS, keptCpuSeconds: 1, wallSeconds: 1 }
    const reader = await PackageProcess.start(script, limits, () => {})
    const call = reader.take(async () => Buffer.from('waitsFor /nothing'))
    const input = { bytes: 1, query: {}, languages: [], sizes: service.config.sizes }
    await expect(call(READ_PACKAGE, input)).rejects.toMatchObject({ kind: 'VALIDATION' })
    expect(reader.isReusable).toBe(false)
    await reader.ended()
  })
})

describe('a process that ends for another reason is an error in the log, and 503 for the client', () => {
  it.each([
    ['exits', /code 3/],
    ['isKilled', /SIGKILL/],
    ['fails', /the reader has a fault/],
  ])('%s', async (behaviour, reason) => {
    service.log.length = 0
    const response = await upload(behaviour)
    expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(service.log.filter((line) => JSON.parse(line).level === 50).join()).toMatch(reason)
    await expectUnharmed()
  })
})

it('two packages are read at a time, 20 wait, and the next one gets 503 with Retry-After', async () => {
  const send = await openBeside(2)
  const file = join(tmpdir(), `judge-test-${randomUUID()}`)
  onTestFinished(() => rm(file))
  const responses = Array.from({ length: 23 }, () => send(`waitsFor ${file}`))
  const first = await Promise.race(responses)
  expect(first).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  await writeFile(file, '')
  const statuses = (await Promise.all(responses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 400)).toHaveLength(22)
})
