import { describe, expect, it } from 'vitest'
import { PackageProcesses } from '../../src/package-process/package-processes.ts'
import { openTestApp } from '../support/app.ts'
import { closeLater } from '../support/cleanup.ts'
import { PACKAGE_SCRIPTS } from '../support/package-processes.ts'
import { ZIP } from '../support/packages.ts'
import { smallPackage } from '../support/small-package.ts'
import { type ZipEntry, zipEntries } from '../support/zip-packages.ts'

const MEBIBYTE = 1024 * 1024

/** The bytes and the longest list of a message. */
function measure(value: unknown): { bytes: number; entries: number } {
  if (Buffer.isBuffer(value)) return { bytes: value.length, entries: 1 }
  if (typeof value === 'string') return { bytes: Buffer.byteLength(value), entries: 1 }
  if (typeof value !== 'object' || value === null) return { bytes: 8, entries: 1 }
  const parts = Object.values(value).map(measure)
  return {
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
    entries: Math.max(Array.isArray(value) ? parts.length : 1, ...parts.map((part) => part.entries)),
  }
}

/** Adds up what is handled between two turns of the event loop. */
class TurnCounter {
  readonly most = { bytes: 0, entries: 0 }
  bytes = 0
  #turn = { bytes: 0, entries: 0 }
  #isCounting = false

  add(message: unknown): void {
    const { bytes, entries } = measure(message)
    this.bytes += bytes
    this.#turn.bytes += bytes
    this.#turn.entries += entries
    this.most.bytes = Math.max(this.most.bytes, this.#turn.bytes)
    this.most.entries = Math.max(this.most.entries, this.#turn.entries)
    if (this.#isCounting) return
    this.#isCounting = true
    setImmediate(() => {
      this.#isCounting = false
      this.#turn = { bytes: 0, entries: 0 }
    })
  }
}

const counter = new TurnCounter()
const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const packageProcesses = new PackageProcesses({
  limits: service.config.packages,
  script: PACKAGE_SCRIPTS['src/package-process.ts'],
  onMessage: (message) => counter.add(message),
})
closeLater(() => packageProcesses.close())
const { send } = await service.openBeside({ packageProcesses })

const many = (count: number, entryOf: (i: number) => ZipEntry[]): ZipEntry[] =>
  Array.from({ length: count }, (_, i) => entryOf(i)).flat()

const upload = async (method: 'POST' | 'PUT', url: string, entries: ZipEntry[]) => {
  const raw = await zipEntries([...smallPackage(), ...entries], { compress: false })
  return send({ method, url: `/v1/problem_packages${url}`, token: admin.token, raw, headers: ZIP })
}

describe('an upload lets the main thread handle at most 1 MiB and 1,000 entries between two turns of the event loop', () => {
  const tests = many(1500, (i) => [
    [`data/secret/few/${i}.in`, `${i}\n`],
    [`data/secret/few/${i}.ans`, `${i}\n`],
  ])
  const large = [
    ...tests,
    ...many(1, () => [
      ['data/secret/long.in', 'é'.repeat(2 * MEBIBYTE)],
      ['data/secret/long.ans', '1\n'.repeat(MEBIBYTE)],
      ['attachments/long.bin', Buffer.alloc(3 * MEBIBYTE, 1)],
      ['output_validator/validate.py', `#${'x'.repeat(3 * MEBIBYTE)}\n`],
      ['data/secret/test_group.yaml', `input_validator_args: [${'x'.repeat(1000)}]\n`],
    ]),
    ...many(2500, (i) => [[`attachments/${i}`, i % 2 === 0 ? '' : `${i}`]]),
    ...many(1500, (i) => [[`nothing-${i}`, '']]),
  ]
  let id = 0

  it('for a new problem', async () => {
    const { status, text, body } = await upload('POST', '', large)
    expect(status, text).toBe(201)
    expect(body.imported).toMatchObject({ test_cases: 1503, files: 2505 })
    expect(body.warnings).toHaveLength(1001)
    id = body.problem_id
    expect(counter.bytes).toBeGreaterThan(20 * MEBIBYTE)
    expect(counter.most.bytes).toBeLessThanOrEqual(MEBIBYTE)
    expect(counter.most.entries).toBeLessThanOrEqual(1000)
    const { test_cases } = await admin.get(`/v1/problem_description/${id}/tests`)
    expect(test_cases.find(({ name }: { name: string }) => name === 'secret/long')).toMatchObject({
      input: 'é'.repeat(2 * MEBIBYTE),
      expected_output: '1\n'.repeat(MEBIBYTE),
    })
  })

  it('for a problem that is replaced, whose test cases keep their ids', async () => {
    const idsOf = async () =>
      (await admin.get(`/v1/problem_description/${id}/tests`)).test_cases.map((one: { id: string }) => one.id)
    const before: string[] = await idsOf()
    const { status, text } = await upload('PUT', `/${id}`, large)
    expect(status, text).toBe(200)
    expect(await idsOf()).toEqual(before)
    expect((await upload('PUT', `/${id}`, [])).status).toBe(200)
    expect((await idsOf()).filter((one: string) => before.includes(one))).toHaveLength(2)
    expect(counter.most.bytes).toBeLessThanOrEqual(MEBIBYTE)
    expect(counter.most.entries).toBeLessThanOrEqual(1000)
  })
})
