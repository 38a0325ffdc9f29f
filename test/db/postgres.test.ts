import { EventEmitter, once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../src/db/database.ts'
import type { PostgresOptions } from '../../src/db/postgres.ts'
import { unprepared } from '../../src/db/statement.ts'
import { findFreePorts, listen } from '../../tools/local-servers/free-ports.ts'
import { databaseKind, openPool, openTestDatabase } from '../support/database.ts'
import { onPostgres } from '../support/needs.ts'
import { gate } from '../support/queue.ts'
import { startProxy } from '../support/tcp-proxy.ts'

const one = unprepared<{ one: number }>('select 1 as one')
const sleep = unprepared('select pg_sleep($1)')
const backendPid = unprepared<{ pid: number }>('select pg_backend_pid() as pid')
const terminate = unprepared('select pg_terminate_backend($1)')

const open = (url: string, options: Partial<PostgresOptions> = {}) =>
  openPool(url, { poolSize: 2, statementTimeoutMs: 5_000, connectTimeoutMs: 300, ...options })

/** Without a time limit, the work of these tests would not end. */
const expectUnavailable = (work: Promise<unknown>) => expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)

const transaction = (database: Database) => database.transaction((tx) => tx.query(one))

describe('the database is unavailable, within a time limit,', () => {
  test('if it refuses connections, each time', async () => {
    const [port] = await findFreePorts(1)
    const database = open(`postgres://postgres@127.0.0.1:${port}/postgres`)
    await expectUnavailable(database.query(one))
    await expectUnavailable(transaction(database))
  })

  test('if it accepts connections and sends nothing', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => sockets.push(socket))
    const port = await listen(server)
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const database = open(`postgres://postgres@127.0.0.1:${port}/postgres`)
    await expectUnavailable(Promise.all([1, 2, 3].map(() => database.query(one))))
  })
})

const db = databaseKind === 'postgres' ? await openTestDatabase() : undefined
const url = db?.url ?? ''

describe('the database is unavailable', onPostgres, () => {
  test('if it does not exist', async () => {
    const missing = new URL(url)
    missing.pathname = '/no_such_database'
    await expect(open(missing.href).query(one)).rejects.toThrow(/cannot be reached.*no_such_database/)
  })

  test('for a statement that takes too long, but not for the next', async () => {
    const database = open(url, { statementTimeoutMs: 100 })
    await expectUnavailable(database.query(sleep, [3600]))
    expect(await database.query(one)).toEqual([{ one: 1 }])
  })

  test('for a statement that gets no connection in time, but not later', async () => {
    const database = open(url, { poolSize: 1, connectTimeoutMs: 100 })
    await database.query(one)
    const held = gate()
    const holding = database.transaction(() => held.passed)
    await expectUnavailable(database.query(one))
    held.open()
    await holding
    expect(await database.query(one)).toEqual([{ one: 1 }])
  })

  test('for a statement whose connection the server ends; the connection is replaced', async () => {
    const database = open(url, { poolSize: 1, connectTimeoutMs: 5_000 })
    const doomed = database.transaction(async (tx) => {
      const [row] = await tx.query(backendPid)
      await db?.database.query(terminate, [row?.pid ?? 0])
      await tx.query(sleep, [3600])
    })
    await expectUnavailable(doomed)
    expect(await database.query(one)).toEqual([{ one: 1 }])
  })

  test('within a time limit, if the server vanishes without closing its connections', async () => {
    const proxied = await startProxy(url)
    const database = open(proxied.url, { statementTimeoutMs: 200, connectTimeoutMs: 200 })
    expect(await database.query(one)).toEqual([{ one: 1 }])
    proxied.proxy.freeze()
    await expectUnavailable(database.query(one))
    await expectUnavailable(transaction(database))
  })
})

describe('the session of a transaction that waits for its client', onPostgres, () => {
  const lockedRow = unprepared('select 1 from frozen where frozen.id = 1 for update')

  test('ends in time: others get its rows, it fails as unavailable, and the next one works', async () => {
    await db?.database.query(unprepared('create table frozen (id integer)'))
    await db?.database.query(unprepared('insert into frozen (id) values (1)'))
    const [frozen, other] = [open(url, { idleInTransactionMs: 300 }), open(url)]
    const [row, held] = [gate(), gate()]
    const doomed = frozen.transaction(async (tx) => {
      await tx.query(lockedRow)
      row.open()
      await held.passed
      await tx.query(unprepared('delete from frozen'))
    })
    const failing = expect(doomed).rejects.toBeInstanceOf(DatabaseUnavailable)
    await row.passed
    // Waits for the end of the other transaction.
    expect(await other.query(lockedRow)).toHaveLength(1)
    held.open()
    await failing
    expect(await frozen.query(unprepared('select from frozen'))).toHaveLength(1)
    expect(await transaction(frozen)).toEqual([{ one: 1 }])
    await db?.database.query(unprepared('drop table frozen'))
  })

  test('has limits for idle transactions and lost clients, beside the operator’s own options', async () => {
    const names = ['idle_in_transaction_session_timeout', 'tcp_user_timeout', 'tcp_keepalives_idle', 'jit']
    const read = async (address: string) => {
      const settings = names.map((name) => `current_setting('${name}') as "${name}"`)
      const [row] = await open(address).query(
        unprepared(`select ${settings}, current_setting('work_mem') as memory`),
      )
      return row
    }
    const usual = { idle_in_transaction_session_timeout: '5s', jit: 'off' }
    expect(await read(url)).toMatchObject({ ...usual, tcp_user_timeout: '20000', tcp_keepalives_idle: '10' })
    const own = new URL(url)
    own.searchParams.set('options', '-c work_mem=9MB -c idle_in_transaction_session_timeout=7s')
    expect(await read(own.href)).toMatchObject({
      ...{ ...usual, idle_in_transaction_session_timeout: '7s' },
      ...{ memory: '9MB', tcp_user_timeout: '20000' },
    })
    const socket = await db?.database.query(
      unprepared<{ folder: string; port: string }>(
        `select split_part(current_setting('unix_socket_directories'), ',', 1) as folder,
                current_setting('port') as port`,
      ),
    )
    const { folder = '', port } = socket?.[0] ?? {}
    const local = `postgres://${own.username}@${own.pathname}?host=${encodeURIComponent(folder.trim())}&port=${port}`
    expect(await read(local)).toMatchObject({ ...usual, tcp_user_timeout: '0' })
  })
})

describe('a connection', onPostgres, () => {
  test('that the server ends while it is idle is reported and replaced', async () => {
    const reports = new EventEmitter()
    const database = open(url, { poolSize: 1, onError: (err) => reports.emit('report', err) })
    const reported = once(reports, 'report')
    const [row] = await database.query(backendPid)
    await db?.database.query(terminate, [row?.pid ?? 0])
    expect(String(await reported)).toContain('terminating connection')
    expect(await database.query(one)).toEqual([{ one: 1 }])
  })

  test('stays open after a failed statement', async () => {
    const database = open(url, { poolSize: 1 })
    const [before] = await database.query(backendPid)
    const failing = database.query(unprepared('select 1 / $1::integer'), [0])
    await expect(failing).rejects.toMatchObject({ sqlState: '22012' })
    expect(await database.query(backendPid)).toEqual([before])
  })
})
