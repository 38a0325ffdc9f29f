import { EventEmitter, once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../src/db/database.ts'
import { openPostgres, type PostgresOptions } from '../../src/db/postgres.ts'
import { unprepared } from '../../src/db/statement.ts'
import { databaseKind, openTestDatabase, type TestDatabase } from '../support/database.ts'

const one = unprepared<{ one: number }>('select 1 as one')
const sleep = unprepared('select pg_sleep($1)')

function open(url: string, options: Partial<PostgresOptions> = {}): Database {
  const database = openPostgres({
    url,
    poolSize: 2,
    statementTimeoutMs: 5_000,
    connectTimeoutMs: 300,
    ...options,
  })
  onTestFinished(() => database.close())
  return database
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port')
  return address.port
}

async function expectUnavailableWithin(limitMs: number, work: Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(performance.now() - startedAt).toBeLessThan(limitMs)
}

describe('without a server', () => {
  test('a refused connection is unavailability, and so is every later one', async () => {
    const server = createServer()
    const port = await listen(server)
    await new Promise((done) => server.close(done))
    const database = open(`postgres://postgres@127.0.0.1:${port}/postgres`)
    await expectUnavailableWithin(3_000, database.query(one))
    await expectUnavailableWithin(
      3_000,
      database.transaction((tx) => tx.query(one)),
    )
  })

  test('a server that never answers is unavailability in bounded time', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => sockets.push(socket))
    const port = await listen(server)
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const database = open(`postgres://postgres@127.0.0.1:${port}/postgres`)
    await expectUnavailableWithin(
      3_000,
      Promise.all([database.query(one), database.query(one), database.query(one)]),
    )
  })
})

describe.runIf(databaseKind === 'postgres')('with a server', () => {
  let db: TestDatabase
  let url: string
  beforeAll(async () => {
    db = await openTestDatabase()
    url = db.url ?? ''
  })
  afterAll(() => db.close())

  test('a database that does not exist is unavailability', async () => {
    const missing = new URL(url)
    missing.pathname = '/no_such_database'
    await expect(open(missing.href).query(one)).rejects.toThrow(/cannot be reached.*no_such_database/)
  })

  test('a statement that takes too long is unavailability, and the next one is answered', async () => {
    const database = open(url, { statementTimeoutMs: 100 })
    await expectUnavailableWithin(3_000, database.query(sleep, [10]))
    expect(await database.query(one)).toEqual([{ one: 1 }])
  })

  test('waiting in vain for a free connection is unavailability', async () => {
    const database = open(url, { poolSize: 1, connectTimeoutMs: 100 })
    await database.query(one)
    const holding = database.query(sleep, [1])
    await expectUnavailableWithin(900, database.query(one))
    await holding
    expect(await database.query(one)).toEqual([{ one: 1 }])
  })

  test('a connection that the server ends in the middle of a statement is unavailability, and is replaced', async () => {
    const database = open(url, { poolSize: 1, connectTimeoutMs: 5_000 })
    const doomed = database.transaction(async (tx) => {
      const [row] = await tx.query(backendPid)
      await db.database.query(terminate, [row?.pid ?? 0])
      await tx.query(sleep, [5])
    })
    await expectUnavailableWithin(3_000, doomed)
    expect(await database.query(one)).toEqual([{ one: 1 }])
  })

  test('an idle connection that the server ends is reported and replaced', async () => {
    const reports = new EventEmitter()
    const database = open(url, { poolSize: 1, onError: (err) => reports.emit('report', err) })
    const reported = once(reports, 'report')
    const [row] = await database.query(backendPid)
    await db.database.query(terminate, [row?.pid ?? 0])
    expect(String(await reported)).toContain('terminating connection')
    expect(await database.query(one)).toEqual([{ one: 1 }])
  })

  test('a server that vanishes in the middle of a statement is unavailability in bounded time', async () => {
    const { proxyUrl, freeze } = await startProxy(url)
    const database = open(proxyUrl, { statementTimeoutMs: 200, connectTimeoutMs: 200 })
    expect(await database.query(one)).toEqual([{ one: 1 }])
    freeze()
    await expectUnavailableWithin(3_000, database.query(one))
    await expectUnavailableWithin(
      3_000,
      database.transaction((tx) => tx.query(one)),
    )
  })

  test('a refused statement keeps its connection', async () => {
    const database = open(url, { poolSize: 1 })
    const [before] = await database.query(backendPid)
    await expect(database.query(unprepared('select 1 / $1::integer'), [0])).rejects.toMatchObject({
      sqlState: '22012',
    })
    expect(await database.query(backendPid)).toEqual([before])
  })
})

const backendPid = unprepared<{ pid: number }>('select pg_backend_pid() as pid')
const terminate = unprepared('select pg_terminate_backend($1)')

async function startProxy(target: string): Promise<{ proxyUrl: string; freeze(): void }> {
  const { hostname, port } = new URL(target)
  const pairs: [Socket, Socket][] = []
  const server = createServer((inner) => {
    const outer = connect(Number(port || 5432), hostname)
    inner.pipe(outer).pipe(inner)
    for (const socket of [inner, outer]) socket.on('error', () => {})
    pairs.push([inner, outer])
  })
  const proxyUrl = new URL(target)
  proxyUrl.port = String(await listen(server))
  onTestFinished(() => {
    for (const socket of pairs.flat()) socket.destroy()
    server.close()
  })
  const freeze = (): void => {
    server.on('connection', (socket) => socket.pause())
    for (const [inner, outer] of pairs) {
      inner.unpipe()
      outer.unpipe()
    }
  }
  return { proxyUrl: proxyUrl.href, freeze }
}
