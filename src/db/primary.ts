import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** The server that accepts writes, among several of which the others are its standbys. */
export interface Primary {
  /** The primary's URL. Waits for the first search; throws an `AggregateError` if it failed. */
  find(): Promise<string>
  /** Call it after the loss of a connection to this server: another may be the primary now. */
  doubt(url: string): void
  /** Calls `listener` when the primary is another server. */
  onMove(listener: () => void): void
  close(): void
}

/** The answer of a server that accepts writes. */
interface Writable {
  /** The identifier of the database cluster: its servers have the same one. */
  readonly system: string
  /** Each promotion of a standby begins a new timeline. */
  readonly timeline: number
}

/** How long connecting to a server, and its answer, may take. */
const PROBE_MS = 1000
const BETWEEN_SEARCHES_MS = 250
/** An overloaded server loses connections too: it is not asked more often. */
const TRUSTED_MS = 1000
/** A primary whose Patroni hangs serves old rows, and loses no connection. */
const BETWEEN_LOOKS_MS = 2000

/**
 * Watches the servers of these URLs. It asks the others every two seconds, and after a doubt all of
 * them, again and again until one accepts writes; statements go to the last primary meanwhile.
 */
export function watchPrimary(urls: readonly string[]): Primary {
  return new PrimaryWatch(urls)
}

class PrimaryWatch implements Primary {
  readonly #urls: readonly string[]
  readonly #listeners: (() => void)[] = []
  #current: (Writable & { readonly url: string; readonly answeredAtMs: number }) | undefined
  #search: Promise<unknown> | undefined
  #looks: NodeJS.Timeout | undefined
  /** A doubt that no search has cleared up. */
  #isDoubted = false
  #isClosed = false

  constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  async find(): Promise<string> {
    if (this.#current === undefined) await this.#searchWith(() => this.#askAny(this.#urls))
    if (this.#current === undefined) throw new Error('no server accepts writes')
    return this.#current.url
  }

  doubt(url: string): void {
    if (this.#current?.url !== url || performance.now() - this.#current.answeredAtMs < TRUSTED_MS) return
    this.#isDoubted = true
    void this.#searchWith(() => this.#askUntilFound())
  }

  onMove(listener: () => void): void {
    this.#listeners.push(listener)
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#looks)
  }

  /** One search at a time. A doubt during a look at the others waits for its end. */
  #searchWith(search: () => Promise<unknown>): Promise<unknown> {
    this.#search ??= search().finally(() => {
      this.#search = undefined
      if (this.#isDoubted) void this.#searchWith(() => this.#askUntilFound())
    })
    return this.#search
  }

  async #askUntilFound(): Promise<void> {
    while (this.#isDoubted && !this.#isClosed) {
      await this.#askAny(this.#urls).catch(() => sleep(BETWEEN_SEARCHES_MS))
    }
    this.#isDoubted = false
  }

  #lookAtOthers(): void {
    const others = this.#urls.filter((url) => url !== this.#current?.url)
    void this.#searchWith(() => this.#askAny(others).catch(() => {}))
  }

  /** Ends with the first server that accepts writes. Rejects if none does. */
  async #askAny(urls: readonly string[]): Promise<void> {
    await Promise.any(
      urls.map(async (url) => {
        const found = await askServer(url)
        if (this.#isFormer(found)) throw new Error('the server was the primary before the present one')
        this.#use(url, found)
      }),
    )
  }

  /** A primary that was frozen may accept writes for a moment after it. */
  #isFormer({ system, timeline }: Writable): boolean {
    return this.#current?.system === system && timeline < this.#current.timeline
  }

  #use(url: string, found: Writable): void {
    if (this.#isClosed) return
    this.#isDoubted = false
    const last = this.#current
    this.#current = { ...found, url, answeredAtMs: performance.now() }
    this.#looks ??= setInterval(() => this.#lookAtOthers(), BETWEEN_LOOKS_MS).unref()
    if (last !== undefined && last.url !== url) for (const listener of this.#listeners) listener()
  }
}

const IS_PRIMARY = `
  select control.system_identifier::text as system,
         ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline
  from pg_control_system() as control
  where not pg_is_in_recovery() and not current_setting('default_transaction_read_only')::boolean`

/** Throws if the server is out of reach, or does not accept writes. */
async function askServer(connectionString: string): Promise<Writable> {
  const socket = new Socket()
  const client = new pg.Client({
    ...{ connectionString, stream: () => socket, application_name: 'judge-data-layer' },
    ...{ connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS },
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Writable>(IS_PRIMARY)
    if (rows[0] === undefined) throw new Error('the server accepts no writes')
    return rows[0]
  } finally {
    // A lost machine acknowledges no end.
    socket.destroy()
  }
}
