import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDirectory } from '../../src/db/directory-lock.ts'
import { type Child, startChild } from './children/child.ts'

let directory: string
let children: Child[]
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'judge-test-lock-'))
  children = []
})
afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()))
  await rm(directory, { recursive: true })
})

async function startLocker(): Promise<Child> {
  const child = startChild('lock-directory.ts', directory)
  children.push(child)
  expect(await child.nextLine()).toBe('ready')
  return child
}

test('refuses a second process, naming the directory and the process that has it', async () => {
  const [holder, other] = await Promise.all([startLocker(), startLocker()])
  expect(await holder.ask('lock')).toBe('held')
  const refusal = await other.ask('lock')
  expect(refusal).toContain(directory)
  expect(refusal).toContain(`process ${holder.process.pid}:`)
  expect(await holder.ask('release')).toBe('released')
  expect(await other.ask('lock')).toBe('held')
})

test('refuses a second lock within the process, and leaves nothing behind after the release', async () => {
  const release = await lockDirectory(directory)
  await expect(lockDirectory(directory)).rejects.toThrow(`process ${process.pid}:`)
  await release()
  expect(await readdir(directory)).toEqual([])
  const again = await lockDirectory(directory)
  await again()
})

test('is free at once after its process was killed', async () => {
  const holder = await startLocker()
  expect(await holder.ask('lock')).toBe('held')
  await holder.kill()
  expect(await readdir(directory)).toHaveLength(1)
  const release = await lockDirectory(directory)
  expect(await readdir(directory)).toHaveLength(1)
  await release()
  expect(await readdir(directory)).toEqual([])
})

test('at most one of many that start at the same instant has it, among the claims of killed ones', async () => {
  const doomed = await startLocker()
  await doomed.ask('lock')
  await doomed.kill()
  const lockers = await Promise.all(Array.from({ length: 6 }, startLocker))
  let heldRounds = 0
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(lockers.map((child) => child.ask('lock')))
    const held = answers.filter((answer) => answer === 'held')
    expect(held.length).toBeLessThanOrEqual(1)
    expect(answers.filter((answer) => answer.includes(' is in use by process '))).toHaveLength(
      6 - held.length,
    )
    heldRounds += held.length
    await Promise.all(lockers.map((child) => child.ask('release')))
  }
  expect(heldRounds).toBeGreaterThan(0)
})

test('locks a directory whose path is longer than that of a socket may be', async () => {
  const deep = join(directory, 'x'.repeat(100), 'y'.repeat(100))
  await mkdir(deep, { recursive: true })
  const release = await lockDirectory(deep)
  await expect(lockDirectory(deep)).rejects.toThrow(deep)
  await release()
})

test('says so when the directory cannot be locked', async () => {
  await expect(lockDirectory(join(directory, 'missing'))).rejects.toThrow('ENOENT')
})
