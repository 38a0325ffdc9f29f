import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { OutageLog } from '../../background/outage-log.ts'
import { type Viewer, type ViewerStatement, valuesOfViewers } from '../../db/actor-batch.ts'
import type { Queryable } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Actor } from '../routing/actor.ts'
import { networkOf } from '../routing/address.ts'
import { AppError } from '../routing/errors.ts'

/** How many connections one account, and one address, may have open (P25). */
const LIMITS = { ofAccount: 5, ofNetwork: 200 }

/** A client for which more bytes wait does not read. */
const MOST_WAITING_BYTES = 64 * 1024

/** The access of 1,000 connections takes PostgreSQL some 20 ms to read. */
const CHECKED_AT_ONCE = 1000

/** A client that does not read the end loses its connection. */
const END_MS = 1000

/** Proxies close connections that are silent for 60 s. Access ends within 5 s (P25). */
export const LIVE_TIMES = {
  /** Between two signs of life on a connection. */
  pingMs: 15_000,
  /** Between two looks at credentials and access. */
  checkMs: 2000,
  /** An event feed reads changes within this time together. */
  roundMs: 500,
  /** Between two looks of a feed at the awards, which need the whole standings. */
  awardsMs: 5000,
}

export type LiveTimes = Readonly<typeof LIVE_TIMES>

/** What decides what a caller sees; `null`: the account no longer exists, or sees nothing. */
type AccessRow = { access: string | null }

/** The access with which a connection was opened. It ends when `check` reads a different access. */
export interface LiveAccess {
  readonly check: ViewerStatement<AccessRow>
  readonly eventId: number | null
  readonly access: string | null
}

/** A response that goes on until the client leaves or the service ends it. */
export interface LiveConnection {
  /** Sends text, unless the connection has ended. */
  write(text: string): void
  end(): void
}

interface Open extends LiveConnection {
  readonly viewer: Viewer
  readonly expiresAtMs: number
  readonly access: LiveAccess
  readonly ping: (() => string) | undefined
  pingAtMs: number
}

/** How a connection shows signs of life and ends; a feed does both among its own lines. */
export interface LiveBehaviour {
  readonly ping?: () => string
  /** Default: ends the response. */
  readonly end?: () => void
}

/** One of the connections that an account and an address may have, until the response closes. */
export interface LivePlace {
  /** Starts the connection, after the head was sent. */
  start(access: LiveAccess, behaviour: LiveBehaviour): LiveConnection
}

declare module 'fastify' {
  interface FastifyInstance {
    liveConnections: LiveConnections
  }
}

interface LiveOptions {
  /** For quick statements. */
  readonly database: Queryable
  readonly logger: FastifyBaseLogger
  readonly metrics: Metrics | undefined
  readonly times: LiveTimes
}

/**
 * The long-lived responses of this instance: event streams and feeds (P25). Each ends soon after
 * its token, its account or its access does, and at once when the instance stops.
 */
export class LiveConnections {
  readonly #options: LiveOptions
  readonly #outage: OutageLog
  readonly #open = new Set<Open>()
  readonly #places = new Map<string, number>()
  readonly #timers: NodeJS.Timeout[]
  #isChecking = false
  #isDraining = false

  constructor(options: LiveOptions) {
    this.#options = options
    this.#outage = new OutageLog(options.logger, 'warn', 'The access of open streams can be checked again.')
    const { pingMs, checkMs } = options.times
    this.#timers = [
      setInterval(() => void this.#check(), checkMs).unref(),
      // In small groups, each connection in its turn.
      setInterval(() => this.#ping(), pingMs / 15).unref(),
    ]
  }

  get times(): LiveTimes {
    return this.#options.times
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size
  }

  /** Takes a place for the request. Throws RATE_LIMIT_EXCEEDED, or UNAVAILABLE if draining. */
  reserve(request: FastifyRequest): LivePlace {
    const { response, caller } = request
    // A place is free again when its response closes: this one has closed already.
    if (response.destroyed) throw new AppError('UNAVAILABLE', 'The client has gone')
    if (this.#isDraining) throw new AppError('UNAVAILABLE', 'This instance is stopping; connect again')
    // Node warns about more listeners: two count places, one the connection.
    response.setMaxListeners(response.getMaxListeners() + 3)
    const actor = caller?.actor
    const isExempt = request.server.failureLimits.isExempt(request)
    const limited = [
      // Judges share one id, and have no account.
      ...(actor !== undefined && actor.role !== 1
        ? [[`account ${actor.id}`, LIMITS.ofAccount] as const]
        : []),
      ...(isExempt ? [] : [[`network ${networkOf(request)}`, LIMITS.ofNetwork] as const]),
    ]
    for (const [key, most] of limited) {
      if ((this.#places.get(key) ?? 0) < most) continue
      throw new AppError('RATE_LIMIT_EXCEEDED', `At most ${most} streams may be open at once; close others`)
    }
    for (const [key] of limited) this.#count(key, 1)
    response.once('close', () => {
      for (const [key] of limited) this.#count(key, -1)
    })
    return { start: (access, behaviour) => this.#start(response, actor, access, behaviour) }
  }

  /** Ends all connections, and refuses new ones. */
  drain(): void {
    this.#isDraining = true
    this.#timers.forEach(clearInterval)
    for (const connection of this.#open) connection.end()
  }

  #count(key: string, change: 1 | -1): void {
    const taken = (this.#places.get(key) ?? 0) + change
    if (taken > 0) this.#places.set(key, taken)
    else this.#places.delete(key)
  }

  #start(
    response: ServerResponse,
    actor: Actor | undefined,
    access: LiveAccess,
    { ping, end = () => void response.end() }: LiveBehaviour,
  ): Open {
    const { metrics, times } = this.#options
    const connection: Open = {
      viewer: viewerOf(actor, access.eventId),
      expiresAtMs: actor?.expiresAtMs ?? Number.POSITIVE_INFINITY,
      access,
      ping,
      pingAtMs: performance.now() + times.pingMs,
      write: (text) => write(response, text),
      end: () => endResponse(response, end),
    }
    if (response.destroyed) return connection
    this.#open.add(connection)
    metrics?.countLive(1)
    response.once('close', () => {
      this.#open.delete(connection)
      metrics?.countLive(-1)
    })
    // The instance may have begun to drain while the access was read.
    if (this.#isDraining) connection.end()
    return connection
  }

  #ping(): void {
    const nowMs = performance.now()
    for (const connection of this.#open) {
      if (connection.pingAtMs > nowMs) continue
      connection.pingAtMs = nowMs + this.#options.times.pingMs
      if (connection.ping !== undefined) connection.write(connection.ping())
    }
  }

  /**
   * Without the database, connections stay open: nothing can be read for them either. They are
   * checked as soon as it is back.
   */
  async #check(): Promise<void> {
    const nowMs = Date.now()
    for (const connection of this.#open) if (connection.expiresAtMs <= nowMs) connection.end()
    if (this.#isChecking || this.#open.size === 0) return
    this.#isChecking = true
    try {
      const all = [...this.#open]
      for (const check of new Set(all.map(({ access }) => access.check))) {
        const connections = all.filter(({ access }) => access.check === check)
        for (let start = 0; start < connections.length; start += CHECKED_AT_ONCE) {
          await this.#endLost(check, connections.slice(start, start + CHECKED_AT_ONCE))
        }
      }
      this.#outage.works()
    } catch (err) {
      this.#outage.failed({ err }, 'The access of open streams cannot be checked.')
    } finally {
      this.#isChecking = false
    }
  }

  async #endLost(check: LiveAccess['check'], connections: readonly Open[]): Promise<void> {
    const values = valuesOfViewers(connections.map(({ viewer }) => viewer))
    const rows = await this.#options.database.query(check, values)
    const present = new Map(rows.map(({ place, access }) => [place, access]))
    for (const [index, connection] of connections.entries()) {
      const access = present.get(index + 1) ?? null
      if (access === null || access !== connection.access.access) connection.end()
    }
  }
}

/** The viewer behind a connection; no actor: an anonymous one. */
export function viewerOf(actor: Actor | undefined, eventId: number | null): Viewer {
  return {
    actor: actor?.id ?? null,
    actorRole: actor?.role ?? 0,
    actorSession: actor?.sessionVersion ?? null,
    eventId,
  }
}

function write(response: ServerResponse, text: string): void {
  if (response.writableEnded || response.destroyed) return
  response.write(text)
  if (response.writableLength > MOST_WAITING_BYTES) response.destroy()
}

function endResponse(response: ServerResponse, end: () => void): void {
  if (response.destroyed) return
  if (!response.writableEnded) end()
  const timer = setTimeout(() => response.destroy(), END_MS).unref()
  response.once('close', () => clearTimeout(timer))
}
