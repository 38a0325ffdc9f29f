import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../src/db/database.ts'
import { lockDirectory } from '../../src/db/directory-lock.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { openPools } from '../../src/db/pools.ts'
import { unprepared } from '../../src/db/statement.ts'
import { vacuumTables } from '../../src/db/vacuum.ts'
import { findCommand, runCommand } from '../support/documented-commands.ts'
import { problemBody } from '../support/problems.ts'
import { copyEmbeddedDatabase } from '../support/process-database.ts'
import { type ProductionService, startProductionService } from '../support/production-service.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const one = unprepared<{ one: number }>('select 1 as one')
const createTable = unprepared('create table written (number integer primary key)')
const dropTable = unprepared('drop table written')
const insert = unprepared('insert into written (number) values ($1)')
const selectNumbers = unprepared<{ number: number }>('select number from written order by number')
const countTo = (last: number) =>
  unprepared(`select count(*)::integer as count from generate_series(1, ${last})`)

/** A database for the tests of this file: making a new one takes 5 s, a copy 0.5 s. */
const dataDir = await copyEmbeddedDatabase()

/** Opens the database; it is closed after the test, also after a failed one. */
async function openHere(): Promise<Database> {
  const database = await openPglite({ dataDir })
  onTestFinished(() => database.close())
  return database
}

const readNumbers = async (database: Database) =>
  (await database.query(selectNumbers)).map(({ number }) => number)

/** Expects many turns of the event loop until the statement ends. */
async function expectTurnsDuring(statement: Promise<unknown>): Promise<void> {
  let isDone = false
  let turns = 0
  const busy = statement.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    turns += 1
  }
  expect(await busy).toEqual([{ count: 2_000_000 }])
  expect(turns).toBeGreaterThan(20)
}

test('a process has its directory alone, and keeps all acknowledged rows when it is killed', async () => {
  const child = startChild('use-database.ts', dataDir)
  expect(await child.nextLine()).toBe('ready')
  await expect(openPglite({ dataDir })).rejects.toThrow(
    `${dataDir} is in use by process ${child.process.pid}`,
  )
  const acknowledged: number[] = []
  while (acknowledged.length < 150) acknowledged.push(Number(await child.nextLine()))
  await child.kill()
  for (let line = await child.lineLeft(); line !== undefined; line = await child.lineLeft())
    acknowledged.push(Number(line))

  const database = await openPglite({ dataDir })
  const kept = await readNumbers(database)
  expect(kept.slice(0, acknowledged.length)).toEqual(acknowledged)
  // The last statement may have run without a response.
  expect(kept.length - acknowledged.length).toBeLessThanOrEqual(1)
  await database.query(dropTable)
  await database.close()
  expect(await readdir(dataDir)).toEqual(['database'])
})

test('a long statement does not block the process; when its thread ends, statements fail as unavailable and no acknowledged row is lost', async () => {
  let thread: Worker | undefined
  process.once('worker', (started) => {
    thread = started
  })
  const database = await openPglite({ dataDir })
  await database.query(createTable)
  for (let number = 1; number <= 40; number += 1) await database.query(insert, [number])
  await expectTurnsDuring(database.query(countTo(2_000_000)))
  const running = database.transaction(async (tx) => {
    await tx.query(insert, [41])
    const busy = tx.query(countTo(50_000_000))
    await thread?.terminate()
    return busy
  })
  const waiting = database.query(one)
  await expect(running).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(waiting).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(database.query(one)).rejects.toThrow('thread of the embedded database has ended')
  await database.close()
  const again = await openPglite({ dataDir })
  expect(await readNumbers(again)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
  await again.query(dropTable)
  await again.close()
})

test('the error names a database that cannot be opened, and its directory is free again', async () => {
  const [folder, away] = [join(dataDir, 'database', 'global'), join(dataDir, 'database', 'away')]
  await rename(folder, away)
  await expect(openPglite({ dataDir })).rejects.toThrow(
    `The embedded database in ${join(dataDir, 'database')}`,
  )
  expect(await readdir(dataDir)).toEqual(['database'])
  await rename(away, folder)
})

test('without a URL an embedded database is made, though a killed process left a part of one', async () => {
  const folder = join(await makeTemporaryFolder(), 'new')
  const unfinished = join(folder, 'database.unfinished')
  await cp(join(dataDir, 'database', 'base'), join(unfinished, 'base'), { recursive: true })
  await cp(join(dataDir, 'database', 'PG_VERSION'), join(unfinished, 'PG_VERSION'))
  const pools = await openPools({ databaseUrl: undefined, dataDir: folder, poolSize: 4 })
  const version = unprepared<{ version: string }>('select version() as version')
  expect((await pools.quick.query(version))[0]?.version).toContain('PGlite')
  await pools.close()
  expect(await readdir(folder)).toEqual(['database'])
})

test('of statements that come at once 1000 wait, and the rest is refused at once', async () => {
  const database = await openHere()
  const ask = () => database.forRequest({ isWaiting: () => true, isUrgent: false }).query(one)
  const asked = Promise.allSettled(Array.from({ length: 5000 }, ask))
  expect(database.usage().waiting).toBe(1000)
  const refused = (await asked).filter(({ status }) => status === 'rejected')
  // On a busy machine some wait for too long.
  expect(refused.length).toBeGreaterThanOrEqual(3999)
  expect(refused.length).toBeLessThan(5000)
  expect(await ask()).toEqual([{ one: 1 }])
})

test('a vacuum frees the space of deleted rows in every table, and fits between other statements', async () => {
  const database = await openHere()
  const tables = ['deleted', '"Odd ""name"""']
  const used = unprepared<{ name: string }>(`select relname as name from pg_class
    where relname in ('deleted', 'Odd "name"') and pg_relation_size(oid) > 0`)
  const fill = async (table: string) => {
    const rows = `select repeat('x', 500) from generate_series(1, 2000)`
    await database.query(unprepared(`insert into ${table} ${rows}`))
    await database.query(unprepared(`delete from ${table}`))
  }
  for (const table of tables) await database.query(unprepared(`create table ${table} (text text)`))
  const order: string[] = []
  for (let round = 0; round < 3; round += 1) {
    for (const table of tables) await fill(table)
    expect(await database.query(used)).toHaveLength(2)
    const vacuum = vacuumTables(database).then(() => order.push('vacuum'))
    await Promise.all([vacuum, database.query(one).then(() => order.push('statement'))])
    expect(await database.query(used)).toEqual([])
  }
  expect(order).toEqual(Array.from({ length: 3 }, () => ['statement', 'vacuum']).flat())
  for (const table of tables) await database.query(unprepared(`drop table ${table}`))
})

const account = { name: 'Root', email: 'root@example.org', password: 'a password' }

const startOn = (folder: string) =>
  startProductionService({
    ...{ BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: account.email, DATA_DIR: folder },
  })

async function ask({ request }: ProductionService, path: string, token = '', body?: object) {
  const method = body === undefined ? 'GET' : 'POST'
  const response = await request(method, path, { token, ...(body && { body }) })
  expect(response.status, response.text).toBeLessThan(300)
  return response.body
}

test('a copy of a stopped service’s DATA_DIR gives the same responses, and accepts logins and submissions', async () => {
  const service = await startOn(dataDir)
  const { token, id: user_id } = await ask(service, '/v1/basic_register', '', account)
  const { id: problem_id } = await ask(service, '/v1/problems', token, problemBody())
  const [language] = await ask(service, '/v1/languages')
  const submission = { user_id, problem_id, language_id: language.id, source_code: 'echo' }
  const { id } = await ask(service, '/v1/submissions', token, submission)
  const readAll = async (from: ProductionService) => {
    const texts: string[] = []
    for (const path of ['problems', 'languages', 'users', `submissions/${id}`])
      texts.push(JSON.stringify(await ask(from, `/v1/${path}`, token)))
    return texts
  }
  const before = await readAll(service)
  await service.stop()

  const folder = await makeTemporaryFolder()
  await runCommand(findCommand('cp'), folder, { DATA_DIR: dataDir })
  // The copy must not need the original.
  await rename(dataDir, `${dataDir}-away`)
  const copied = await startOn(join(folder, 'judge-data-copy')).finally(() =>
    rename(`${dataDir}-away`, dataDir),
  )
  expect(await readAll(copied)).toEqual(before)
  await ask(copied, '/v1/basic_login', '', { email: account.email, password: account.password })
  await ask(copied, '/v1/submissions', token, submission)
  await copied.stop()
})

const lockIn = async (child: Child, directories: string[]): Promise<string[]> =>
  JSON.parse(await child.ask(JSON.stringify(directories)))

test('at most one of six concurrent locks succeeds, and a killed process holds none', async () => {
  const killed = startChild('lock-directory.ts')
  const lockers = Array.from({ length: 3 }, () => startChild('lock-directory.ts'))
  onTestFinished(async () => void (await Promise.all([killed, ...lockers].map((child) => child.kill()))))
  for (const child of [killed, ...lockers]) expect(await child.nextLine()).toBe('ready')
  const directory = await makeTemporaryFolder()
  const directories = ['1', '2', '3', '4', '5'].map((name) => join(directory, name))
  for (const path of directories) await mkdir(path)
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
  const directory = await makeTemporaryFolder()
  const deep = join(directory, 'x'.repeat(100), 'y'.repeat(100))
  await mkdir(deep, { recursive: true })
  const release = await lockDirectory(deep)
  await expect(lockDirectory(deep)).rejects.toThrow(deep)
  await release()
  await expect(lockDirectory(join(directory, 'missing'))).rejects.toThrow('ENOENT')
})

type Child = ReturnType<typeof startChild>

/** Starts a script of `children`, which prints one line for each line that it reads. */
function startChild(script: string, ...args: string[]) {
  const path = fileURLToPath(new URL(`children/${script}`, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const exited = once(child, 'exit')
  /** Resolves to the next line that it printed before its end, if any. */
  const lineLeft = async (): Promise<string | undefined> => {
    const { value, done } = await lines.next()
    return done === true ? undefined : value
  }
  /** Resolves to the next printed line; throws if the process ends before. */
  const nextLine = async (): Promise<string> => {
    const line = await lineLeft()
    if (line === undefined) throw new Error(`${script} ended early`)
    return line
  }
  const ask = (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`)
    return nextLine()
  }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return { process: child, nextLine, lineLeft, ask, kill }
}
