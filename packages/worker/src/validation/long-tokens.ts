import { type Decimal, NumberScanner } from './decimal.ts'
import type { ValidatorSettings } from './flags.ts'
import type { TokenMismatch } from './rejection.ts'
import { findDifference, TokenHead, type TokenReader } from './token-reader.ts'
import { isWithinTolerances } from './tolerance.ts'

export interface LongTokens {
  /** Undefined for tokens that are equal or within a tolerance. */
  readonly mismatch: TokenMismatch | undefined
  readonly answerHead: TokenHead
  readonly outputHead: TokenHead
}

/**
 * Compares the readers' next tokens, of any length, in pieces. It consumes them, unless they
 * differ: then it stops as soon as this is certain.
 */
export async function compareLongTokens(
  answer: TokenReader,
  output: TokenReader,
  settings: ValidatorSettings,
): Promise<LongTokens> {
  const hasTolerance = Boolean(settings.absoluteTolerance || settings.relativeTolerance)
  const expected = new LongToken(answer, hasTolerance)
  const found = new LongToken(output, hasTolerance)
  const done = (mismatch?: TokenMismatch): LongTokens => ({
    mismatch,
    answerHead: expected.head,
    outputHead: found.head,
  })
  let compared = 0
  let difference: number | undefined
  for (;;) {
    const expectedLength = await expected.load()
    const foundLength = await found.load()
    if (expectedLength === 0 && foundLength === 0) break
    const length = Math.min(expectedLength, foundLength)
    if (difference === undefined) {
      const index = findDifference(answer, output, length, settings.caseSensitive)
      if (index < length || length === 0) difference = compared + index
      compared += length
    }
    const isSame = difference === undefined
    const expectedIsNumber = expected.consume(isSame ? length : expectedLength)
    const foundIsNumber = found.consume(isSame ? length : foundLength)
    if (difference !== undefined && !(expectedIsNumber && foundIsNumber)) return done(difference)
  }
  if (difference === undefined) return done()
  const numbers = [expected.finish(), found.finish()] as const
  if (!numbers[0] || !numbers[1]) return done(difference)
  return done(isWithinTolerances(numbers[0], numbers[1], settings) ? undefined : 'distant')
}

class LongToken {
  readonly head = new TokenHead()
  private readonly reader: TokenReader
  /** Undefined for a token that is not a number. */
  private scanner: NumberScanner | undefined

  constructor(reader: TokenReader, mayBeNumber: boolean) {
    this.reader = reader
    this.scanner = mayBeNumber ? new NumberScanner() : undefined
  }

  /** The token's bytes in the window; reads more if there are none. 0: the token has ended. */
  async load(): Promise<number> {
    if (this.reader.position === this.reader.end) await this.reader.fill()
    return this.reader.scanToken(this.reader.position) - this.reader.position
  }

  /** Returns false once the token cannot become a number any more. */
  consume(length: number): boolean {
    const { reader } = this
    const end = reader.position + length
    this.head.add(reader.bytes, reader.position, end)
    if (!this.scanner?.feed(reader.bytes, reader.position, end)) this.scanner = undefined
    reader.position = end
    return this.scanner !== undefined
  }

  finish(): Decimal | undefined {
    return this.scanner?.finish()
  }
}
