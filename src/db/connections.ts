import { Socket } from 'node:net'
import pg from 'pg'
import type { Primary } from './primary.ts'

/** The connections of one pool. */
export interface Connections {
  /** Takes a free connection, or opens one. Rejects if none is free in time. */
  take(): Promise<pg.PoolClient>
  /** Call it if a server was out of reach, or refused writes. */
  reportLoss(): void
  usage(): { readonly open: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

export type OnError = (err: Error) => void

/** Connects to one server; `onError` receives the errors of idle connections. */
export function connectTo(config: pg.PoolConfig, onError?: OnError): Connections {
  const pool = openPool(config, onError)
  return {
    take: () => pool.connect(),
    reportLoss: () => {},
    usage: () => usageOf(pool),
    close: () => pool.end(),
  }
}

/**
 * Connects to the primary; `configOf` makes the configuration for the URL of a server. When the
 * primary is another server, the connections to the last one are closed at once.
 */
export function connectToPrimary(
  primary: Primary,
  configOf: (url: string) => pg.PoolConfig,
  onError?: OnError,
): Connections {
  let opened: { readonly url: string; readonly pool: pg.Pool; readonly sockets: Set<Socket> } | undefined
  const open = (url: string) => {
    const sockets = new Set<Socket>()
    const stream = () => {
      const socket = new Socket()
      sockets.add(socket)
      return socket.once('close', () => sockets.delete(socket))
    }
    return { url, sockets, pool: openPool({ ...configOf(url), stream }, onError) }
  }
  const leave = async () => {
    const { pool, sockets } = opened ?? {}
    opened = undefined
    for (const socket of sockets ?? []) socket.destroy()
    await pool?.end()
  }
  primary.onMove(() => void leave())
  return {
    async take() {
      const url = await primary.find()
      if (opened?.url !== url) {
        void leave()
        opened = open(url)
      }
      return opened.pool.connect().catch((err: unknown) => {
        primary.doubt(url)
        throw err
      })
    },
    reportLoss: () => primary.doubt(opened?.url ?? ''),
    usage: () => (opened === undefined ? { open: 0, idle: 0, waiting: 0 } : usageOf(opened.pool)),
    close: async () => {
      primary.close()
      await opened?.pool.end()
    },
  }
}

const usageOf = (pool: pg.Pool) => ({
  ...{ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
})

function openPool(config: pg.PoolConfig, onError: OnError | undefined): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', (err) => onError?.(err))
  // A broken connection rejects its query. Without a listener its error would also end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
