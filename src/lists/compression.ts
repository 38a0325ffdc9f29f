import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

const compressBytes = promisify(gzip)

/** In bytes: shorter ones are a dozen packets anyway. */
const LEAST_LENGTH = 16_384

/** 200 problems of 363 kB become 86 kB in 4 ms; level 6 made 65 kB of them, but took 17. */
const LEVEL = 1

/** How many are compressed at a time: of libuv's four threads, passwords take three where there are the cores, and this the fourth for some ms. */
export const COMPRESSED_AT_ONCE = 1

/** Answers a body as it is to be sent, and writes the headers that say so. */
type Compress = <Body extends string | Buffer | undefined>(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
) => Promise<Body | Buffer>

/**
 * Compresses the bytes of what is long enough for a client that takes gzip, once for all who are sent the same buffer; while there is too much to
 * compress, the next goes as it is.
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
  return async (request, reply, body) => {
    const varied = [reply.getHeader('vary'), 'Accept-Encoding'].filter((name) => name !== undefined)
    reply.header('vary', varied.join(', '))
    if (!Buffer.isBuffer(body) || body.length < LEAST_LENGTH || !takesGzip(request)) return body
    const known = compressed.get(body)
    if (known === undefined && running >= COMPRESSED_AT_ONCE) return body
    const bytes = await (known ?? compress(body))
    reply.header('content-encoding', 'gzip')
    return bytes
  }
}

/** A request without the header would take anything; whoever sends none may well be a client that cannot decode. */
function takesGzip({ headers }: FastifyRequest): boolean {
  if (headers['accept-encoding'] === undefined) return false
  return new Negotiator({ headers }).encoding(['gzip', 'identity']) === 'gzip'
}
