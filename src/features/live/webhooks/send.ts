import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { hostOf, type ResolvedAddress } from './target.ts'

/** A request of a webhook. */
export interface Sending {
  readonly url: URL
  /** The checked addresses of its host; it connects to no other. */
  readonly addresses: readonly ResolvedAddress[]
  readonly token: string
  readonly body: string
  /** Certificates of authorities besides the usual ones; for tests. */
  readonly ca?: string | undefined
  readonly connectMs: number
  readonly requestMs: number
  /** Ends the request; it then counts as failed. */
  readonly signal: AbortSignal
}

const MOST_RESPONSE_BYTES = 16 * 1024

/** The errors of OpenSSL and Node about certificates. */
const OF_CERTIFICATES = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_|CRL/

/**
 * Sends one request. Returns undefined after a 2xx, else why it failed: no word of the peer is in
 * it. Redirects and proxies are not followed; the connection is not used again.
 */
export function sendOnce(sending: Sending): Promise<string | undefined> {
  if (sending.addresses.length === 0) return Promise.resolve('The host has no address that is allowed.')
  return new Promise((resolve) => {
    const request = open(sending)
    const end = (failure: string | undefined) => {
      clearTimeout(connecting)
      clearTimeout(running)
      resolve(failure)
      request.destroy()
    }
    const { connectMs, requestMs } = sending
    const connecting = setTimeout(end, connectMs, `There was no connection within ${connectMs / 1000} s.`)
    const running = setTimeout(end, requestMs, `There was no response within ${requestMs / 1000} s.`)
    const connected = sending.url.protocol === 'https:' ? 'secureConnect' : 'connect'
    request.on('socket', (socket) => socket.once(connected, () => clearTimeout(connecting)))
    request.on('error', (err) => end(describeError(err)))
    request.on('close', () => end('The connection ended without a response.'))
    request.on('upgrade', () => end(describeStatus(101)))
    request.on('response', (response) => {
      const outcome = describeStatus(response.statusCode ?? 0)
      let bytes = 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > MOST_RESPONSE_BYTES) end(outcome)
      })
      // The status counts, also if the rest of the response is missing or late.
      clearTimeout(running)
      const reading = setTimeout(end, Math.min(READING_MS, requestMs), outcome)
      response.on('error', () => {})
      response.on('close', () => {
        clearTimeout(reading)
        end(outcome)
      })
    })
    request.end(sending.body)
  })
}

/** How long the body of a response may take, which is ignored. */
const READING_MS = 1000

function open({ url, addresses, token, body, ca, signal }: Sending): ClientRequest {
  const host = hostOf(url)
  const options = {
    method: 'POST',
    host,
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
    path: `${url.pathname}${url.search}`,
    headers: {
      Host: url.host,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'judge-data-layer',
      'Webhook-Token': token,
    },
    // An agent of its own: no connection of an earlier check, and no proxy.
    agent: false,
    lookup: lookupOf(addresses),
    signal,
  } as const
  if (url.protocol === 'http:') return requestHttp(options)
  const servername = isIP(host) === 0 ? host : ''
  return requestHttps({ ...options, servername, rejectUnauthorized: true, ...(ca !== undefined && { ca }) })
}

/** Resolves every name to the checked addresses. */
const lookupOf =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_, { all }, callback) => {
    const [{ address, family } = { address: '', family: 0 }] = addresses
    if (all) callback(null, [...addresses])
    else callback(null, address, family)
  }

function describeStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  const isRedirect = status >= 300 && status < 400
  return `The response had the status ${status}${isRedirect ? '; redirects are not followed' : ''}.`
}

function describeError(err: NodeJS.ErrnoException): string {
  const code = String(err.code ?? '')
  if (OF_CERTIFICATES.test(code)) return 'The certificate is not valid.'
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return 'There was no TLS connection.'
  if (code.startsWith('HPE_')) return 'The response was not HTTP.'
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  return 'The connection failed.'
}
