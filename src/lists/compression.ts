import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Negotiator from 'negotiator'

const compressBytes = promisify(gzip)

/** In bytes: shorter bodies gain little. */
const LEAST_LENGTH = 16_384

/** 363 kB of problems become 86 kB in 4 ms; level 6 made 65 kB of them in 17 ms. */
const LEVEL = 1

/** libuv has four threads: password hashes use up to three, compression the fourth. */
export const CONCURRENT_COMPRESSIONS = 1

/** The bytes to send, and the headers that describe them. */
export type Compress = (
  headers: IncomingHttpHeaders,
  body: Buffer,
) => Promise<{ readonly body: Buffer; readonly headers: Record<string, string> }>

/**
 * Compresses long bodies for clients that accept gzip, once per buffer. While another body is being
 * compressed, the next one is sent as it is.
 */
export function createCompression(): Compress {
  const compressed = new WeakMap<Buffer, Promise<Buffer>>()
  let running = 0
  const compress = (body: Buffer): Promise<Buffer> => {
    running += 1
    const result = compressBytes(body, { level: LEVEL })
    compressed.set(body, result)
    return result
      .catch((err: unknown) => {
        compressed.delete(body)
        throw err
      })
      .finally(() => {
        running -= 1
      })
  }
  return async (headers, body) => {
    if (body.length < LEAST_LENGTH || !acceptsGzip(headers)) return { body, headers: {} }
    const known = compressed.get(body)
    if (known === undefined && running >= CONCURRENT_COMPRESSIONS) return { body, headers: {} }
    return { body: await (known ?? compress(body)), headers: { 'content-encoding': 'gzip' } }
  }
}

/** Without the header any encoding is acceptable, but the client may not decode gzip. */
function acceptsGzip(headers: IncomingHttpHeaders): boolean {
  if (headers['accept-encoding'] === undefined) return false
  return new Negotiator({ headers }).encoding(['gzip', 'identity']) === 'gzip'
}
