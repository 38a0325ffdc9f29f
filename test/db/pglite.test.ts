import { once } from 'node:events'
import { access, cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, describe, expect, inject, it, test, vi } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../src/db/database.ts'
import { lockDirectory } from '../../src/db/directory-lock.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { unprepared } from '../../src/db/statement.ts'
import { databaseKind } from '../support/database.ts'
import { findCommand, runCommand } from '../support/documented-commands.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { type Child, startChild } from './children/child.ts'

const one = unprepared<{ one: number }>('select 1 as one')
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
    unprepared<{ number: number }>('select number from written order by number'),
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
  timeout: 180_000,
}, async () => {
  const dataDir = await makeTemporaryFolder()
  const child = startChild('write-rows.ts', dataDir)
  await vi.waitFor(() => access(join(dataDir, 'database.unfinished', 'PG_VERSION')), {
    timeout: 90_000,
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
    .query(unprepared('select count(*) as count from generate_series(1, 2000000)'))
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
    const busy = tx.query(unprepared('select count(*) as count from generate_series(1, 50000000)'))
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

const account = { name: 'Root', email: 'root@example.org', password: 'a password' }

async function ask({ url }: ServiceProcess, path: string, token = '', body?: unknown) {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: token, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.status, text).toBeLessThan(300)
  return text
}

describe('the folder of the embedded database, copied while the service is stopped', () => {
  it('starts as it was: the same bytes, a login, and a new submission', { timeout: 90_000 }, async () => {
    const folder = await makeTemporaryFolder()
    const service = await startServiceProcess({ DATA_DIR: join(folder, 'data') })
    const { token, id: user_id } = JSON.parse(await ask(service, '/v1/basic_register', '', account))
    const problem = {
      ...{ title: 'Echo', identifier: 'echo', prompt: 'Say it again.', difficulty: 'EASY' },
      test_cases: [{ input: '1', expected_output: '1' }],
    }
    const { id: problem_id } = JSON.parse(await ask(service, '/v1/problems', token, problem))
    const [language] = JSON.parse(await ask(service, '/v1/languages'))
    const submission = { user_id, problem_id, language_id: language.id, source_code: 'echo' }
    const { id } = JSON.parse(await ask(service, '/v1/submissions', token, submission))
    const paths = ['/v1/problems', '/v1/languages', '/v1/users', `/v1/submissions/${id}`]
    const read = async (from: ServiceProcess) => {
      const texts: string[] = []
      for (const path of paths) texts.push(await ask(from, path, token))
      return texts
    }
    const before = await read(service)
    expect(await service.end('SIGTERM')).toBe(0)

    await runCommand(findCommand('cp'), folder, { DATA_DIR: join(folder, 'data') })
    // Whatever the copy answers, it has of its own.
    await rename(join(folder, 'data'), join(folder, 'lost'))
    const copied = await startServiceProcess({ DATA_DIR: join(folder, 'judge-data-copy') })
    expect(await read(copied)).toEqual(before)
    await ask(copied, '/v1/basic_login', '', { email: account.email, password: account.password })
    await ask(copied, '/v1/submissions', token, submission)
    expect(await copied.end('SIGTERM')).toBe(0)
  })
})
