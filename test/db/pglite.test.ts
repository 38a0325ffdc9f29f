import { once } from 'node:events'
import { access, cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { type Database, DatabaseUnavailable, statement } from '../../src/db/database.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { databaseKind } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { startChild } from './children/child.ts'

const one = statement<{ one: number }>('one', 'select 1 as one')
const template = inject('template')
const prepared = template.kind === 'pglite' ? template.dataDir : await makeDatabase()
afterAll(async () => {
  if (databaseKind !== 'pglite') await rm(prepared, { recursive: true })
})

async function makeDatabase(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'judge-test-'))
  const database = await openPglite({ dataDir })
  await database.close()
  return dataDir
}

/** A database of the test's own; making a new one takes 5 s. */
async function copyPrepared(): Promise<string> {
  const dataDir = await makeTemporaryFolder()
  await cp(prepared, dataDir, { recursive: true })
  return dataDir
}

async function readNumbers(database: Database): Promise<number[]> {
  const rows = await database.query(
    statement<{ number: number }>('numbers', 'select number from written order by number'),
  )
  return rows.map((row) => row.number)
}

test('a closed database opens again with its rows, and its directory is free', async () => {
  const dataDir = await copyPrepared()
  const first = await openPglite({ dataDir })
  await first.transaction((tx) =>
    tx.execute(
      'create table written (number integer); insert into written select * from generate_series(1, 10000)',
    ),
  )
  await first.close()
  expect(await readdir(dataDir)).toEqual(['database'])
  const second = await openPglite({ dataDir })
  expect(await readNumbers(second)).toHaveLength(10_000)
  await second.close()
})

test('refuses a directory that is in use, and the one who has it goes on', async () => {
  const dataDir = await copyPrepared()
  const child = startChild('write-rows.ts', dataDir)
  expect(await child.nextLine()).toBe('ready')
  await expect(openPglite({ dataDir })).rejects.toThrow(
    `${dataDir} is in use by process ${child.process.pid}`,
  )
  expect(Number(await child.nextLine())).toBeGreaterThan(0)
  await child.kill()
})

test('a process killed while it writes leaves every row that was answered, time and again', async () => {
  const dataDir = await copyPrepared()
  let answered: number[] = []
  for (const [round, rows] of [150, 40].entries()) {
    const child = startChild('write-rows.ts', dataDir)
    expect(await child.nextLine()).toBe('ready')
    answered = []
    while (answered.length < rows) answered.push(Number(await child.nextLine()))
    await child.kill()
    for (let line = await child.lineLeft(); line !== undefined; line = await child.lineLeft())
      answered.push(Number(line))

    const database = await openPglite({ dataDir })
    const kept = await readNumbers(database)
    expect(kept.slice(0, answered.length), `round ${round}`).toEqual(answered)
    // The one that was under way may be there as well.
    expect(kept.length - answered.length).toBeLessThanOrEqual(1)
    await database.transaction((tx) => tx.execute('truncate written'))
    await database.close()
  }
})

test('a process killed while it makes its database leaves nothing that hinders the next', {
  timeout: 60_000,
}, async () => {
  const dataDir = await makeTemporaryFolder()
  const child = startChild('write-rows.ts', dataDir)
  await vi.waitFor(() => access(join(dataDir, 'database.unfinished', 'PG_VERSION')), {
    timeout: 20_000,
    interval: 1,
  })
  await child.kill()
  const database = await openPglite({ dataDir })
  expect(await database.query(one)).toEqual([{ one: 1 }])
  await database.close()
})

test('a database that cannot be opened is named, and its directory is free again', async () => {
  const dataDir = await copyPrepared()
  await rm(join(dataDir, 'database', 'global'), { recursive: true })
  await expect(openPglite({ dataDir })).rejects.toThrow(
    `The embedded database in ${join(dataDir, 'database')}`,
  )
  expect(await readdir(dataDir)).toEqual(['database'])
})

test('a statement that takes long does not block the process', async () => {
  const database = await openPglite({ dataDir: await copyPrepared() })
  await database.query(one)
  let isDone = false
  let turns = 0
  const busy = database
    .query(statement('busy', 'select count(*) as count from generate_series(1, 2000000)'))
    .finally(() => {
      isDone = true
    })
  while (!isDone) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    turns += 1
  }
  expect(await busy).toEqual([{ count: '2000000' }])
  expect(turns).toBeGreaterThan(20)
  await database.close()
})

test('after the end of its thread everything is unavailability', async () => {
  const threads: Worker[] = []
  const collect = (thread: Worker): number => threads.push(thread)
  process.on('worker', collect)
  const database = await openPglite({ dataDir: await copyPrepared() })
  process.off('worker', collect)
  await database.query(one)
  const underWay = database.transaction(async (tx) => {
    const busy = tx.query(statement('busy', 'select count(*) as count from generate_series(1, 50000000)'))
    await threads[0]?.terminate()
    return busy
  })
  const waiting = database.query(one)
  await expect(underWay).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(waiting).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(database.query(one)).rejects.toThrow('thread of the embedded database has ended')
  await database.close()
})

test.each([
  ['close', 0],
  ['exit', 7],
  ['exit in the middle of a statement', 7],
])('a process that means to end does end: %s', async (way, code) => {
  const child = startChild('open-and-end.ts', await copyPrepared(), way)
  expect(await once(child.process, 'exit', { signal: AbortSignal.timeout(20_000) })).toEqual([code, null])
})
