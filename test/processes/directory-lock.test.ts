import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockDirectory } from '../../src/db/directory-lock.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { type Child, startChild } from './children/child.ts'

let lockers: Child[]
beforeAll(async () => {
  lockers = Array.from({ length: 4 }, () => startChild('lock-directory.ts'))
  for (const child of lockers) expect(await child.nextLine()).toBe('ready')
})
afterAll(() => Promise.all(lockers.map((child) => child.kill())))

let directory: string
beforeEach(async () => {
  directory = await makeTemporaryFolder()
})

const lockIn = async (child: Child, directories: string[]): Promise<string[]> =>
  JSON.parse(await child.ask(JSON.stringify(directories)))

test('at most one of six concurrent locks succeeds, and a killed process holds none', async () => {
  const directories = ['1', '2', '3', '4', '5'].map((name) => join(directory, name))
  for (const path of directories) await mkdir(path)
  const killed = lockers.pop()
  if (killed === undefined) throw new Error('there are too few processes')
  expect(new Set(await lockIn(killed, directories))).toEqual(new Set(['held']))
  await killed.kill()
  for (const path of directories) expect(await readdir(path)).toHaveLength(1)

  let holders = 0
  for (let round = 0; round < 2; round += 1) {
    const twice = [...directories, ...directories]
    const results = await Promise.all(lockers.map((child) => lockIn(child, twice)))
    for (const place of directories.keys()) {
      const ofOne = results.flatMap((list) => [list[place], list[place + directories.length]])
      const held = ofOne.filter((result) => result === 'held')
      expect(held.length).toBeLessThanOrEqual(1)
      expect(ofOne.filter((one) => one?.includes(' is in use by process '))).toHaveLength(6 - held.length)
      holders += held.length
    }
    await Promise.all(lockers.map((child) => child.ask('release')))
  }
  expect(holders).toBeGreaterThan(0)
  for (const path of directories) {
    const release = await lockDirectory(path)
    expect(await readdir(path)).toHaveLength(1)
    await release()
    expect(await readdir(path)).toEqual([])
  }
})

test('locks a directory whose path is longer than a socket’s may be, and names the cause if it cannot be locked', async () => {
  const deep = join(directory, 'x'.repeat(100), 'y'.repeat(100))
  await mkdir(deep, { recursive: true })
  const release = await lockDirectory(deep)
  await expect(lockDirectory(deep)).rejects.toThrow(deep)
  await release()
  await expect(lockDirectory(join(directory, 'missing'))).rejects.toThrow('ENOENT')
})
