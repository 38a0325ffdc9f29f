import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { access, constants, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { connectTo } from './connections.ts'
import { type Database, DatabaseUnavailable, type Requester, type Transactable } from './database.ts'
import { lockDirectory } from './directory-lock.ts'
import { useConnections } from './pg-pool.ts'
import { SessionTurns, type TurnBounds } from './turns.ts'

export interface PgliteOptions {
  readonly dataDir: string
  /** Receives the error that ended the thread; then every statement is `DatabaseUnavailable`. */
  readonly onError?: ((err: Error) => void) | undefined
  /** Default: as in production. */
  readonly bounds?: TurnBounds
}

/**
 * At the usual 500 to 2000 statements a second, 1000 take up to 2 s. A statement that is sent
 * within a transaction, but not through it, would wait forever.
 */
const BOUNDS: TurnBounds = { maxWaiting: 1000, requestMs: 2000, backgroundMs: 30_000 }
const CONNECT_TIMEOUT_MS = 30_000

/**
 * Opens the embedded PostgreSQL under `dataDir` in its own thread; creating it takes about 5 s.
 * Throws if the directory is in use. There is one session: a transaction delays other statements.
 */
export async function openPglite(options: PgliteOptions): Promise<Database> {
  await mkdir(options.dataDir, { recursive: true })
  const unlock = await lockDirectory(options.dataDir)
  try {
    const folder = join(options.dataDir, 'database')
    if (!existsSync(folder)) await createFolder(folder)
    const thread = await startThread(folder)
    thread.on('error', (err) => options.onError?.(err))
    return openOver(thread, new SessionTurns(options.bounds ?? BOUNDS), unlock)
  } catch (err) {
    await unlock()
    throw err
  }
}

// The client is the same as for a server, so values, types and errors are the same too.
function openOver(thread: Worker, turns: SessionTurns, unlock: () => Promise<void>): Database {
  let stream: ThreadStream | undefined
  const database = useConnections(
    connectTo({
      max: 1,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 0,
      ssl: false,
      stream: () => {
        stream = new ThreadStream(thread)
        return stream
      },
    }),
  )
  const close = async (): Promise<void> => {
    await database.close()
    await stopThread(thread).finally(unlock)
  }
  const over = (requester?: Requester): Transactable => ({
    query: (statement, ...values) => {
      stream?.receive()
      return turns.run(requester, () => database.query(statement, ...values))
    },
    transaction: (work) => turns.run(requester, () => database.transaction(work)),
  })
  return {
    ...over(),
    forRequest: over,
    usage: () => ({ ...database.usage(), waiting: turns.waiting }),
    close,
  }
}

// Has another name until it is complete: a killed process leaves no broken database.
async function createFolder(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await stopThread(await startThread(unfinished))
  await rename(unfinished, folder)
}

async function startThread(folder: string): Promise<Worker> {
  const isSource = import.meta.url.endsWith('.ts')
  const thread = new Worker(new URL(`./pglite-worker.${isSource ? 'ts' : 'js'}`, import.meta.url), {
    workerData: folder,
    execArgv: isSource ? ['--import', registerTsx()] : [],
  })
  const ended = once(thread, 'exit').then(() => {
    throw new Error('its thread has ended')
  })
  try {
    await Promise.race([once(thread, 'message'), ended])
  } catch (err) {
    const closed = await findClosedFile(folder)
    const reason = closed === undefined ? String(err) : `this user may not read and write ${closed}`
    throw new Error(`The embedded database in ${folder} cannot be opened: ${reason}`, { cause: err })
  }
  return thread
}

/** A file of the folder that this user may not use: PGlite's own message does not say so. */
async function findClosedFile(folder: string): Promise<string | undefined> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => [])
  for (const name of ['', ...names]) {
    const file = join(folder, name)
    const isClosed = await access(file, constants.R_OK | constants.W_OK).then(
      () => false,
      (err) => err.code === 'EACCES',
    )
    if (isClosed) return file
  }
  return undefined
}

// On Node 20 `--import tsx` has no effect in a thread. This takes 0.2 s.
function registerTsx(): string {
  const url = JSON.stringify(import.meta.url)
  return `data:text/javascript,import{register}from'node:module';register('tsx/esm',{parentURL:${url},data:{}})`
}

async function stopThread(thread: Worker): Promise<void> {
  if (hasEnded(thread)) return
  const exited = once(thread, 'exit')
  thread.postMessage('close')
  await exited
}

function hasEnded(thread: Worker): boolean {
  return thread.threadId === -1
}

/** A connection to the thread, with the socket methods that `pg` calls. */
class ThreadStream extends Duplex {
  readonly #thread: Worker
  readonly #port: MessagePort
  readonly #onExit = (): void => {
    this.destroy(new DatabaseUnavailable('The thread of the embedded database has ended.'))
  }

  constructor(thread: Worker) {
    super()
    const { port1, port2 } = new MessageChannel()
    this.#thread = thread
    this.#port = port1
    port1.on('message', (bytes: Uint8Array) => this.push(bytes))
    thread.once('exit', this.#onExit)
    thread.postMessage(port2, [port2])
  }

  connect(): void {
    if (hasEnded(this.#thread)) this.#onExit()
    else process.nextTick(() => this.emit('connect'))
  }

  /**
   * Reads the responses that have come, so that the thread gets its next statement. Under load the
   * event loop handles hundreds of requests before it reads the port again.
   */
  receive(): void {
    if (this.destroyed) return
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port))
      this.push(next.message)
  }

  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#port.postMessage(chunk)
    done()
  }

  // `pg` corks the messages of one statement; PGlite needs them as one batch.
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#port.postMessage(Buffer.concat(chunks.map(({ chunk }) => chunk)))
    done()
  }

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  override _destroy(err: Error | null, done: (err: Error | null) => void): void {
    this.#thread.off('exit', this.#onExit)
    this.#port.close()
    done(err)
  }
}
