import { readdir, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import { readTables } from '../support/database-contents.ts'
import { sendPackage } from '../support/packages.ts'
import { smallPackage } from '../support/small-package.ts'
import { zipEntries } from '../support/zip-packages.ts'
import { badPackages, busyContents, doubtfulPackages, hostileContents } from './bad-packages.ts'
import { hostileArchives } from './hostile-archives.ts'

const MOST_MEMORY_GROWTH_KIB = 256 * 1024

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const right = await sendPackage(service, admin.token, await zipEntries(smallPackage()))
const problemId: number = right.body.problem_id
const atStart = await readTables(service.database)

/** Uploads on disk, with and without a name. */
async function findUploads(): Promise<string[]> {
  const open = process.platform === 'linux' ? await readdir('/proc/self/fd') : []
  const targets = open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  const names = [...(await readdir(tmpdir())), ...(await Promise.all(targets))]
  return names.filter((name) => name.includes('judge-package-'))
}

/** Sends an archive as a new problem and in place of one; returns the message of both refusals. */
async function expectRefused(zip: Buffer): Promise<string> {
  const memoryKib = process.resourceUsage().maxRSS
  const created = await sendPackage(service, admin.token, zip)
  const replaced = await sendPackage(service, admin.token, zip, { problemId })
  expect(process.resourceUsage().maxRSS - memoryKib).toBeLessThan(MOST_MEMORY_GROWTH_KIB)
  expect([created.status, replaced.status], created.text).toEqual([400, 400])
  expect(replaced.body.error).toBe(created.body.error)
  return created.body.error
}

it('a right package is imported', () => {
  expect(right.status, right.text).toBe(201)
  expect(right.body.warnings).toEqual([])
})

describe('an archive is refused with a message, and leaves nothing', () => {
  it.each(hostileArchives)('$title', async ({ write, message }) => {
    expect(await expectRefused(write())).toMatch(message)
  })
})

describe('a faulty package is refused with the file and the line, and leaves nothing', () => {
  it.each([...badPackages, ...hostileContents])('$title', async ({ changes, file, line }) => {
    const message = await expectRefused(await zipEntries(smallPackage(changes)))
    expect(message).toContain(file)
    if (line !== undefined) expect(message).toContain(`line ${line}`)
  })
})

it('refused packages store nothing and leave no file', async () => {
  expect(await readTables(service.database)).toEqual(atStart)
  expect(await findUploads()).toEqual([])
})

describe('a doubtful package is imported with a warning', () => {
  it.each(doubtfulPackages)('$title', async ({ changes, file, line }) => {
    expect((await importForOnce(await zipEntries(smallPackage(changes)))).warnings).toContainEqual(
      expect.objectContaining({ file, ...(line !== undefined && { line }) }),
    )
  })
})

describe('a package that would keep a careless reader busy is imported', () => {
  it.each(busyContents)('$title', async ({ changes }) => {
    await importForOnce(await zipEntries(smallPackage(changes)))
  })
})

/** Imports a package, and deletes the problem. */
async function importForOnce(zip: Buffer) {
  const { status, text, body } = await sendPackage(service, admin.token, zip)
  expect(status, text).toBe(201)
  await admin.delete(`/v1/problems/${body.problem_id}`)
  return body
}
