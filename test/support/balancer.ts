export interface BalancedRequest {
  readonly method: string
  readonly path: string
  readonly token: string
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
  readonly #urls = new Set<string>()
  #turn = 0

  add(url: string): void {
    this.#urls.add(url)
  }

  /** Sends no more requests to the instance; running ones continue. */
  remove(url: string): void {
    this.#urls.delete(url)
  }

  async send({ method, path, token, body }: BalancedRequest): Promise<BalancedResponse> {
    const urls = [...this.#urls]
    // Other requests take turns during this one.
    const first = this.#turn
    this.#turn += 1
    const headers = { authorization: token, 'content-type': 'application/json' }
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    for (const from of [...urls.slice(first % urls.length), ...urls.slice(0, first % urls.length)]) {
      try {
        const response = await fetch(from + path, request)
        return { status: response.status, text: await response.text(), from }
      } catch (err) {
        if (Object(Object(err).cause).code !== 'ECONNREFUSED') throw err
      }
    }
    throw new Error('every instance refuses connections')
  }
}
