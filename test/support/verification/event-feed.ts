import { type ClientRequest, get } from 'node:http'
import { createInterface } from 'node:readline'

/** The objects of a contest by type and id; those of `contest` and `state` have the id ''. */
export type ContestObjects = Map<string, Map<string, unknown>>

/** A line of an event feed (Contest API, Notification format). */
export interface FeedLine {
  readonly type: string
  readonly id: string | null
  readonly data: unknown
  readonly token?: string
}

interface FeedOptions {
  /** The first connection goes to the first port, the next one to the next. */
  readonly ports: readonly number[]
  readonly eventId: number
  readonly token: string | undefined
  readonly pauseMs?: number
  /** A connection without a byte for so long is given up. Default: never. */
  readonly silentMs?: number
  /** Called with the status of a response that is neither a feed nor a refused token. */
  readonly onRefusal?: (status: number | undefined) => void
}

const SINGLETONS = ['contest', 'state']

const byId = (objects: readonly { readonly id: string }[]) =>
  new Map(objects.map((object) => [object.id, object]))

/**
 * A client that keeps the state of an event feed as the Contest API says: it goes on from its last
 * token, and begins again if the service refuses it.
 */
export class FeedReader {
  readonly objects: ContestObjects = new Map()
  readonly lines: FeedLine[] = []
  /** How often it has begun without a token, and how often the service has refused one. */
  begun = 0
  refused = 0
  connections = 0
  readonly #options: FeedOptions
  #token: string | undefined
  #request: ClientRequest | undefined
  #isClosed = false

  constructor(options: FeedOptions) {
    this.#options = options
  }

  /** Connects, and again after the connection has ended, until it is closed. */
  connect(): void {
    if (this.#isClosed) return
    const { ports, eventId, token, silentMs } = this.#options
    const port = ports[this.connections % ports.length]
    this.connections += 1
    if (this.#token === undefined) {
      this.begun += 1
      this.objects.clear()
    }
    const query = this.#token === undefined ? '' : `?since_token=${encodeURIComponent(this.#token)}`
    const path = `/v1/clics/contests/${eventId}/event-feed${query}`
    const headers = token === undefined ? {} : { authorization: token }
    const request = get({ port, path, headers, agent: false })
    this.#request = request
    if (silentMs !== undefined) request.setTimeout(silentMs, () => request.destroy())
    const again = () => this.#connectAgain(request)
    request.once('error', again)
    request.once('response', (response) => {
      if (response.statusCode === 400) this.#forget()
      else if (response.statusCode !== 200) this.#options.onRefusal?.(response.statusCode)
      response.once('close', again)
      response.on('error', () => {})
      const lines = createInterface(response)
      // The interface repeats the error of a lost connection.
      lines.on('error', () => {})
      lines.on('line', (line) => {
        // Lines of an earlier connection may still be in its buffer.
        const isCurrent = this.#request === request && response.statusCode === 200
        if (isCurrent && line !== '') this.#apply(JSON.parse(line))
      })
    })
  }

  /** Whether it has got the whole state once. */
  get hasToken(): boolean {
    return this.#token !== undefined
  }

  /** Loses the connection; the next one goes to another instance. */
  interrupt(): void {
    this.#request?.destroy()
  }

  close(): void {
    this.#isClosed = true
    this.#request?.destroy()
  }

  #forget(): void {
    this.#token = undefined
    this.refused += 1
  }

  #connectAgain(request: ClientRequest): void {
    if (this.#request !== request) return
    this.#request = undefined
    const { pauseMs } = this.#options
    if (pauseMs === undefined) this.connect()
    else setTimeout(() => this.connect(), pauseMs)
  }

  #apply(line: FeedLine): void {
    this.lines.push(line)
    const { type, id, data, token } = line
    const objects = this.objects.get(type) ?? new Map<string, unknown>()
    if (SINGLETONS.includes(type)) this.objects.set(type, new Map([['', data]]))
    else if (id === null) this.objects.set(type, byId(data as { id: string }[]))
    else this.objects.set(type, data === null ? without(objects, id) : objects.set(id, data))
    if (token !== undefined) this.#token = token
  }
}

function without<V>(objects: Map<string, V>, id: string): Map<string, V> {
  objects.delete(id)
  return objects
}

/** Reads a JSON body; throws unless the response is 200. */
type ReadBody = (path: string) => Promise<ReturnType<JSON['parse']>>

/** Reads the state of all endpoints that `access` names. */
export async function readObjects(read: ReadBody, eventId: number): Promise<ContestObjects> {
  const base = `/v1/clics/contests/${eventId}`
  const { endpoints }: { endpoints: { type: string }[] } = await read(`${base}/access`)
  const objects: ContestObjects = new Map()
  for (const { type } of endpoints) {
    const body = await read(type === 'contest' ? base : `${base}/${type}`)
    objects.set(type, SINGLETONS.includes(type) ? new Map([['', body]]) : byId(body))
  }
  return objects
}

/** The types whose objects differ. A collection without objects needs no line. */
export function differingTypes(expected: ContestObjects, found: ContestObjects): string[] {
  const types = new Set([...expected.keys(), ...found.keys()])
  return [...types].filter((type) => textOf(expected.get(type)) !== textOf(found.get(type)))
}

const textOf = (objects: Map<string, unknown> = new Map()) =>
  JSON.stringify([...objects].sort(([a], [b]) => (a < b ? -1 : 1)))
