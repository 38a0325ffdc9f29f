import { parseFlags } from '../../src/validation/flags.ts'
import type { ByteSource } from '../../src/validation/token-reader.ts'
import { type Validation, validateStreams } from '../../src/validation/validate-output.ts'

/** A stream of the bytes. Each read returns at most the next of `pieces` bytes, again and again. */
function streamOf(bytes: Buffer, pieces: readonly number[] = []): ByteSource {
  let position = 0
  let reads = 0
  return (target, offset, length) => {
    const piece = pieces[reads % pieces.length] ?? length
    reads += 1
    const count = bytes.copy(target, offset, position, position + Math.min(piece, length))
    position += count
    return Promise.resolve(count)
  }
}

/** Texts are bytes: one character is one byte. */
export function validate(
  answer: string,
  output: string,
  flags: string,
  options: { windowBytes?: number; pieces?: readonly number[] } = {},
): Promise<Validation> {
  return validateStreams(
    streamOf(Buffer.from(answer, 'latin1'), options.pieces),
    streamOf(Buffer.from(output, 'latin1'), options.pieces),
    parseFlags(flags),
    options.windowBytes,
  )
}
