import { type IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/** A client at 16 KiB/s reads a slice in 4 s. */
const SLICE_BYTES = 64 * 1024

/**
 * A response that hands a long body to its socket in slices, as the client reads them. Node counts
 * a body as written at once, so its progress could not be measured.
 */
export class PacedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override end(...given: unknown[]): this {
    const [body] = given
    if (!Buffer.isBuffer(body) || body.length <= SLICE_BYTES) {
      return Reflect.apply(super.end, this, given)
    }
    Readable.from(slicesOf(body), { objectMode: false, highWaterMark: SLICE_BYTES }).pipe(this)
    return this
  }
}

function* slicesOf(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; start += SLICE_BYTES) {
    yield body.subarray(start, start + SLICE_BYTES)
  }
}
