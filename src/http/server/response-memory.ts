import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../routing/address.ts'
import { AppError } from '../routing/errors.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** Shorter responses are neither counted nor refused; sockets hold most of them. */
const COUNTED_BYTES = 64 * KIBIBYTE

/** Longer responses use three quarters of the memory, so that they do not delay shorter ones. */
const LARGE_BYTES = MEBIBYTE

/** How long a response waits for memory. */
const WAIT_MS = 2000

/** A response that needs memory. */
export interface Holder {
  readonly response: ServerResponse
  /** The account or network that reads it: it may hold a quarter of the memory, or one body. */
  readonly owner: string
  /** Is never refused: a write is stored already, and a judge must get on. */
  readonly isUrgent: boolean
}

/**
 * The memory of response bodies that clients have not read yet. A body that several responses share
 * counts once, as it is in memory once. A body of any length is sent if no other one is held.
 */
export class ResponseMemory {
  readonly #budget: number
  readonly #waitMs: number
  /** The number of responses that hold a body. */
  readonly #held = new Map<Buffer, number>()
  readonly #byOwner = new Map<string, number>()
  readonly #waiting = new Set<() => void>()
  #used = 0
  #waitingBytes = 0

  constructor(budget: number, waitMs = WAIT_MS) {
    this.#budget = budget
    this.#waitMs = waitMs
  }

  /** Holds a body until the response is closed. Throws UNAVAILABLE if it does not fit in time. */
  async hold(holder: Holder, body: Buffer): Promise<void> {
    const { response, owner } = holder
    const take = () => !response.destroyed && this.#tryTake(holder, body)
    if (!take()) await this.#untilTaken(response, body.length, take)
    response.once('close', () => this.#release(owner, body))
  }

  #tryTake({ owner, isUrgent }: Holder, body: Buffer): boolean {
    const responses = this.#held.get(body) ?? 0
    if (responses === 0 && !isUrgent && !this.#fits(owner, body.length)) return false
    this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? 0) + body.length)
    this.#held.set(body, responses + 1)
    if (responses === 0) this.#used += body.length
    return true
  }

  #fits(owner: string, bytes: number): boolean {
    const budget = bytes > LARGE_BYTES ? this.#budget * 0.75 : this.#budget
    if (this.#used > 0 && this.#used + bytes > budget) return false
    const ofOwner = this.#byOwner.get(owner) ?? 0
    return ofOwner === 0 || ofOwner + bytes <= this.#budget / 4
  }

  #release(owner: string, body: Buffer): void {
    const ofOwner = (this.#byOwner.get(owner) ?? 0) - body.length
    if (ofOwner > 0) this.#byOwner.set(owner, ofOwner)
    else this.#byOwner.delete(owner)
    for (const retry of this.#waiting) retry()
    const left = (this.#held.get(body) ?? 0) - 1
    if (left > 0) {
      this.#held.set(body, left)
      return
    }
    this.#held.delete(body)
    this.#used -= body.length
    for (const retry of this.#waiting) retry()
  }

  /** Bodies that wait are in memory too: they may have a quarter of the budget. */
  async #untilTaken(response: ServerResponse, bytes: number, take: () => boolean): Promise<void> {
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes > this.#budget / 4) throw noMemory()
    this.#waitingBytes += bytes
    const isTaken = await new Promise<boolean>((resolve) => {
      const end = (taken: boolean) => {
        clearTimeout(timer)
        response.off('close', refuse)
        this.#waiting.delete(retry)
        resolve(taken)
      }
      const refuse = () => end(false)
      const retry = () => void (take() && end(true))
      const timer = setTimeout(refuse, this.#waitMs)
      response.once('close', refuse)
      this.#waiting.add(retry)
    })
    this.#waitingBytes -= bytes
    if (!isTaken) throw noMemory()
  }
}

const noMemory = () =>
  new AppError('UNAVAILABLE', 'Clients have not read enough of earlier responses; try again shortly')

/** Headers of a body that is not sent. */
const BODY_HEADERS = ['content-encoding', 'etag', 'link']

/** Counts the bodies of long responses, and responds 503 to a GET that gets no memory. */
export function countResponses(app: FastifyInstance, memory: ResponseMemory): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const body = request.method === 'HEAD' ? undefined : longBody(payload)
    if (body === undefined) return done()
    const { actor } = request.caller ?? {}
    const holder = {
      response: reply.raw,
      owner: actor?.id ?? networkOf(request),
      isUrgent: actor?.role === 1 || request.method !== 'GET',
    }
    memory.hold(holder, body).then(
      () => done(null, body),
      (err: Error) => {
        for (const name of BODY_HEADERS) reply.removeHeader(name)
        done(err)
      },
    )
  })
}

/** The bytes of a long body: Node copies a text for each socket, but never a buffer. */
function longBody(payload: unknown): Buffer | undefined {
  if (Buffer.isBuffer(payload)) return payload.length < COUNTED_BYTES ? undefined : payload
  if (typeof payload !== 'string' || Buffer.byteLength(payload) < COUNTED_BYTES) return undefined
  return Buffer.from(payload)
}
