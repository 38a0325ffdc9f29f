import { expect } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { startService } from '../../src/service.ts'
import { logInMemory, SECRETS } from './app.ts'
import { closeLater, once } from './cleanup.ts'
import { openContractFetch } from './verification/contract.ts'

interface RequestOptions {
  readonly token?: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

/** Starts a service as in production, on a free port; it stops with the test or the file. */
export async function startProductionService(variables: Record<string, string>) {
  const config = loadConfig({ ...SECRETS, HOST: '127.0.0.1', PORT: '0', ...variables })
  const { lines: log, logger } = logInMemory()
  const service = await startService(config, logger)
  const contract = await openContractFetch(service.url)
  const stop = once(service.stop)
  closeLater(async () => {
    await stop()
    expect(contract.violations).toEqual([])
  })
  return {
    ...{ ...service, log, stop },
    /** Sends a request; every response is checked against the OpenAPI document. */
    async request(method: string, path: string, options: RequestOptions = {}) {
      const { token, body, headers } = options
      const init = {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: token }), ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      }
      const response = await contract.fetch(new Request(service.url + path, init))
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      const { status, headers: received } = response
      return { status, headers: received, body: isJson ? JSON.parse(text) : text, text }
    },
  }
}

export type ProductionService = Awaited<ReturnType<typeof startProductionService>>
export type ServiceResponse = Awaited<ReturnType<ProductionService['request']>>

/** Expects 503 UNAVAILABLE with `Retry-After: 5`. */
export function expectUnavailable({ status, headers, body }: ServiceResponse): void {
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' })
  expect(headers.get('retry-after')).toBe('5')
}
