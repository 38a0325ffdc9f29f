import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, gzip } from 'node:zlib'
import Negotiator from 'negotiator'
import pLimit from 'p-limit'
import type { TextInParts } from './text-in-parts.ts'

const compressBytes = promisify(gzip)
const deflateBytes = promisify(deflateRaw)

/** In bytes: shorter bodies gain little. */
const LEAST_LENGTH = 16_384

/** 363 kB of problems become 86 kB in 4 ms; level 6 made 65 kB of them in 17 ms. */
const LEVEL = 1

/** libuv has four threads: password hashes use up to three, compression the fourth. */
export const CONCURRENT_COMPRESSIONS = 1

/**
 * The parts of a text take half a millisecond each, and may use all threads: a hash waits for a few
 * milliseconds at most. With fewer, a text would wait for more turns of a busy event loop.
 */
const PARTS_AT_ONCE = 16

/** More bodies than these do not wait for their turn: they are sent as they are. */
const MOST_WAITING = 8

/** A part is short: zlib needs less memory for it than it allocates by default. */
const PART_OPTIONS = { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 8192, memLevel: 6 }

/** A gzip member without a name and time, from an unknown system (RFC 1952, 2.3). */
const MEMBER_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/** An empty last block (RFC 1951, 3.2.3). */
const LAST_BLOCK = Buffer.from([3, 0])

/** The bytes to send, and the headers that describe them. */
export type Compress = (
  headers: IncomingHttpHeaders,
  body: Buffer | TextInParts,
) => Promise<{ readonly body: Buffer; readonly headers: Record<string, string> }>

/**
 * Compresses long bodies for clients that accept gzip: a buffer once, and a part of a text once,
 * also for later versions that share it. One body is compressed at a time, and a few wait; further
 * ones are sent as they are.
 */
export function createCompression(): Compress {
  const compressed = new WeakMap<Buffer | TextInParts, Promise<Buffer>>()
  const deflated = new WeakMap<Buffer, Buffer>()
  const turn = pLimit(CONCURRENT_COMPRESSIONS)
  const partTurn = pLimit(PARTS_AT_ONCE)

  const deflatePart = async (part: Buffer) => {
    const known = deflated.get(part)
    if (known !== undefined) return known
    const result = await deflateBytes(part, PART_OPTIONS)
    // A copy: the result may be a slice of a larger buffer.
    const copy = Buffer.from(result)
    deflated.set(part, copy)
    return copy
  }
  const compressParts = async (text: TextInParts) => {
    const blocks = await Promise.all(text.parts.map((part) => partTurn(deflatePart, part)))
    return Buffer.concat([MEMBER_HEAD, ...blocks, LAST_BLOCK, memberEnd(text)])
  }
  const compress = (body: Buffer | TextInParts): Promise<Buffer> => {
    const result = turn(() =>
      Buffer.isBuffer(body) ? compressBytes(body, { level: LEVEL }) : compressParts(body),
    )
    compressed.set(body, result)
    return result.catch((err: unknown) => {
      compressed.delete(body)
      throw err
    })
  }
  return async (headers, body) => {
    const known = compressed.get(body)
    const mustBePlain = body.length < LEAST_LENGTH || !acceptsGzip(headers)
    if (mustBePlain || (known === undefined && turn.pendingCount >= MOST_WAITING))
      return { body: Buffer.isBuffer(body) ? body : body.join(), headers: {} }
    return { body: await (known ?? compress(body)), headers: { 'content-encoding': 'gzip' } }
  }
}

/** The checksum and the length of the text (RFC 1952, 2.3.1). */
function memberEnd({ parts, length }: TextInParts): Buffer {
  const end = Buffer.alloc(8)
  // Of an empty buffer, `crc32` returns 0 instead of the sum until then.
  end.writeUInt32LE(parts.reduce((sum, part) => (part.length === 0 ? sum : crc32(part, sum)), 0))
  end.writeUInt32LE(length % 2 ** 32, 4)
  return end
}

/** Without the header any encoding is acceptable, but the client may not decode gzip. */
function acceptsGzip(headers: IncomingHttpHeaders): boolean {
  if (headers['accept-encoding'] === undefined) return false
  return new Negotiator({ headers }).encoding(['gzip', 'identity']) === 'gzip'
}
