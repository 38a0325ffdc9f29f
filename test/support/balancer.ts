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
  /** The URL of the instance that responded. */
  readonly from: string
}

/**
 * A load balancer: round robin over instances, with connections that it keeps. If an instance
 * refuses the connection, the next one gets the request; clients see all other failures.
 */
export class Balancer {
  readonly #agents = new Map<string, Agent>()
  #turn = 0

  add(url: string): void {
    this.#agents.set(url, new Agent({ keepAlive: true }))
  }

  /** Sends no more requests to the instance; running ones continue. */
  remove(url: string): void {
    this.#agents.delete(url)
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
  }

  async send(sent: BalancedRequest): Promise<BalancedResponse> {
    const targets = [...this.#agents]
    // Other requests take turns during this one.
    const first = this.#turn
    this.#turn += 1
    for (let tried = 0; tried < targets.length; tried += 1) {
      const [url, agent] = targets[(first + tried) % targets.length] ?? []
      if (url === undefined || agent === undefined) break
      try {
        return { ...(await sendOver(agent, url, sent)), from: url }
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
