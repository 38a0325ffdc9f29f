import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

// AuthenticationOk and ReadyForQuery. PGlite itself exits on some startup messages.
const GREETING = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')

/**
 * Opens PGlite in this thread, because it blocks its thread, and serves one connection at a time
 * with PostgreSQL's protocol. Each message is a batch of bytes from the client, or the response.
 */
async function serve(main: MessagePort, folder: string): Promise<void> {
  // The default of 160 MiB of buffers takes 120 MiB more of resident memory.
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
    // PGlite has only one session: reset the state of the previous connection.
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
