import { Agent, type IncomingMessage, request } from 'node:http'

export interface BalancedRequest {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly body?: unknown
}

export interface BalancedResponse {
  readonly status: number
  readonly text: string
  /** The instance that answered. */
  readonly from: string
}

/**
 * A round robin over instances on connections that are kept, as a load balancer has them. It tries the next instance where a
 * connection is refused, which is before anything was sent; every other failure is its client's.
 */
export class Balancer {
  readonly #agents = new Map<string, Agent>()
  #turn = 0

  /** Sends requests to the instance at `url` too. */
  add(url: string): void {
    this.#agents.set(url, new Agent({ keepAlive: true }))
  }

  /** Sends it nothing more; what is under way ends by itself. */
  remove(url: string): void {
    this.#agents.delete(url)
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
  }

  async send(asked: BalancedRequest): Promise<BalancedResponse> {
    const targets = [...this.#agents]
    // Others take their turns while this one waits.
    const first = this.#turn
    this.#turn += 1
    for (let tried = 0; tried < targets.length; tried += 1) {
      const [url, agent] = targets[(first + tried) % targets.length] ?? []
      if (url === undefined || agent === undefined) break
      try {
        return { ...(await sendOver(agent, url, asked)), from: url }
      } catch (err) {
        if (!(err instanceof Error && 'code' in err && err.code === 'ECONNREFUSED')) throw err
      }
    }
    throw new Error('every instance refuses connections')
  }
}

async function sendOver(agent: Agent, url: string, { method, path, token, body }: BalancedRequest) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      ...(token !== undefined && { authorization: token }),
      ...(text !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      }),
    }
    request(`${url}${path}`, { agent, method, headers }, resolve).on('error', reject).end(text)
  })
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }
}
