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
  let opened: PoolOfServer | undefined
  let isClosed = false
  const leave = () => {
    opened?.leave()
    opened = undefined
  }
  primary.onMove(leave)
  const open = async () => {
    const url = await primary.find()
    if (isClosed) throw new Error('the connections are closed')
    if (opened?.url !== url) {
      leave()
      opened = openPoolOfServer(url, configOf(url), onError)
    }
    return opened
  }
  return {
    async take() {
      for (;;) {
        const { url, take } = await open()
        const client = await take().catch((err: unknown) => {
          primary.doubt(url)
          throw err
        })
        if (client !== 'left') return client
      }
    },
    reportLoss: () => primary.doubt(opened?.url ?? ''),
    usage: () => (opened === undefined ? { open: 0, idle: 0, waiting: 0 } : usageOf(opened.pool)),
    close: async () => {
      isClosed = true
      primary.close()
      await opened?.pool.end()
    },
  }
}

type PoolOfServer = ReturnType<typeof openPoolOfServer>

/** A pool that can be left: its connections are closed at once, and nobody waits for one. */
function openPoolOfServer(url: string, config: pg.PoolConfig, onError: OnError | undefined) {
  const sockets = new Set<Socket>()
  const stream = () => {
    const socket = new Socket()
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }
  const pool = openPool({ ...config, stream }, onError)
  const waiting = new Set<() => void>()
  let isLeft = false
  return {
    url,
    pool,
    /** Takes a connection; 'left' if the pool is left meanwhile. */
    take: () =>
      new Promise<pg.PoolClient | 'left'>((resolve, reject) => {
        const stopWaiting = () => resolve('left')
        waiting.add(stopWaiting)
        const settle = (hasPool: () => void) => {
          waiting.delete(stopWaiting)
          if (isLeft) stopWaiting()
          else hasPool()
        }
        pool.connect().then(
          (client) => {
            if (isLeft) client.release(true)
            settle(() => resolve(client))
          },
          (err: unknown) => settle(() => reject(err)),
        )
      }),
    leave: () => {
      isLeft = true
      for (const stopWaiting of waiting) stopWaiting()
      for (const socket of sockets) socket.destroy()
      void pool.end()
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
