import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

// AuthenticationOk and ReadyForQuery. Not left to PGlite, which ends on a startup message that it does not like.
const GREETING = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')

/**
 * Opens PGlite in this thread, which it blocks while it works, and serves one connection after the other. It speaks
 * PostgreSQL's own protocol: a message of a connection's port is a batch of the client's bytes, its answer the server's.
 */
async function serve(main: MessagePort, folder: string): Promise<void> {
  // Its own setting, 160 MiB of buffers, costs 120 MiB more of resident memory.
  const db = await PGlite.create(folder, {
    extensions: { pg_trgm },
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'],
  })
  let current: MessagePort | undefined
  main.on('message', async (message: MessagePort | 'close') => {
    current?.close()
    if (message === 'close') {
      await db.close()
      main.close()
      return
    }
    current = message
    // PGlite has one session for its whole life: nothing of the connection before is to be left.
    await db.exec('rollback')
    await db.exec('discard all')
    message.on('message', (bytes: Uint8Array) => {
      const isStartup = bytes[0] === 0
      message.postMessage(isStartup ? GREETING : db.execProtocolRawSync(bytes))
    })
  })
  main.postMessage('ready')
}

if (parentPort !== null) await serve(parentPort, String(workerData))
