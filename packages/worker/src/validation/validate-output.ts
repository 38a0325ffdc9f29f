import { type FileHandle, open } from 'node:fs/promises'
import type { ValidatorSettings } from './flags.ts'
import { compareLongTokens } from './long-tokens.ts'
import {
  describeExtraToken,
  describeMismatch,
  describeMissingToken,
  describeWhiteSpace,
  type TokenPlace,
} from './rejection.ts'
import {
  areSameLetter,
  type ByteSource,
  findDifference,
  isWhiteSpace,
  TokenHead,
  TokenReader,
} from './token-reader.ts'
import { compareNumberTokens } from './tolerance.ts'

/** The message of a rejection is for staff: it shows parts of the answer. */
export type Validation = { readonly accepted: true } | { readonly accepted: false; readonly message: string }

const WINDOW_BYTES = 256 * 1024

/**
 * The default output validator of the package format (2025-09, "Default output validator
 * specification"). Memory does not depend on the length of the files, lines or tokens.
 *
 * The format leaves these points open, or to the grammar of its numbers:
 * - With a tolerance, infinities are numbers as in the older format: `inf` accepts `Infinity`, and
 *   nothing else is within a tolerance of an infinity.
 * - NaN and hexadecimal numbers are not numbers. In the answer they are compared as strings, in the
 *   output they are never within a tolerance.
 * - Numbers are compared as exact decimals, not as doubles: 0.3 is within 0.1 of 0.2, and 1e400 is
 *   not 1e401. `NumberScanner` says what happens after 1,000 digits.
 * - No size is unreasonable: the output limit is enforced while the program runs.
 * - Bytes above 127 are ordinary bytes, also with `case_sensitive` off.
 *
 * Throws the errors of reading the files.
 */
export async function validateOutput(options: {
  answerFile: string
  outputFile: string
  settings: ValidatorSettings
}): Promise<Validation> {
  const answer = await open(options.answerFile)
  try {
    const output = await open(options.outputFile)
    const streams = [readFrom(answer), readFrom(output)] as const
    return await validateStreams(...streams, options.settings).finally(() => output.close())
  } finally {
    await answer.close()
  }
}

/** Like `validateOutput`, on streams of bytes; `windowBytes` of each are in memory, 10 or more. */
export async function validateStreams(
  answer: ByteSource,
  output: ByteSource,
  settings: ValidatorSettings,
  windowBytes = WINDOW_BYTES,
): Promise<Validation> {
  const message = await new Comparison(answer, output, settings, windowBytes).findMismatch()
  return message === undefined ? { accepted: true } : { accepted: false, message }
}

function readFrom(file: FileHandle): ByteSource {
  return async (target, offset, length) => (await file.read(target, offset, length, null)).bytesRead
}

/**
 * `next`: a token is equal. `more`: more bytes are needed, or a token is longer than the window.
 * The others end the comparison.
 */
type Step = 'next' | 'more' | 'equal' | 'missing' | 'extra' | 'different' | 'distant' | 'white space'

class Comparison {
  private readonly answer: TokenReader
  private readonly output: TokenReader
  private readonly settings: ValidatorSettings
  private readonly hasTolerance: boolean
  private tokens = 0

  constructor(answer: ByteSource, output: ByteSource, settings: ValidatorSettings, windowBytes: number) {
    this.answer = new TokenReader(answer, windowBytes)
    this.output = new TokenReader(output, windowBytes)
    this.settings = settings
    this.hasTolerance = Boolean(settings.absoluteTolerance || settings.relativeTolerance)
  }

  /** The message of a rejection; undefined: the output is accepted. */
  async findMismatch(): Promise<string | undefined> {
    for (;;) {
      const step = this.compareWindows()
      if (step === 'equal') return undefined
      if (step !== 'more') return this.describe(step)
      const hasMoreAnswer = await this.answer.fill()
      const hasMoreOutput = await this.output.fill()
      if (hasMoreAnswer || hasMoreOutput) continue
      const message = await this.compareLongTokens()
      if (message !== undefined) return message
    }
  }

  /** Compares all tokens that are completely in the windows. */
  private compareWindows(): Exclude<Step, 'next'> {
    const { spaceChangeSensitive } = this.settings
    for (;;) {
      let step = spaceChangeSensitive ? this.compareWhiteSpace() : this.skipWhiteSpace()
      if (step === 'next') step = this.compareEnds()
      if (step === 'next') step = this.compareTokens()
      if (step !== 'next') return step
      this.tokens += 1
    }
  }

  private skipWhiteSpace(): Step {
    const answerIsComplete = this.answer.skipWhiteSpace()
    const outputIsComplete = this.output.skipWhiteSpace()
    return answerIsComplete && outputIsComplete ? 'next' : 'more'
  }

  /** Consumes equal white space. */
  private compareWhiteSpace(): Step {
    const { answer, output } = this
    const length = Math.min(answer.end - answer.position, output.end - output.position)
    let index = 0
    for (; index < length; index += 1) {
      const byte = output.bytes[output.position + index]
      if (answer.bytes[answer.position + index] !== byte || !isWhiteSpace(byte)) break
      if (byte === 10) output.line += 1
    }
    answer.position += index
    output.position += index
    if (answer.mayGoOn(answer.position) || output.mayGoOn(output.position)) return 'more'
    // At the end of a stream the byte is undefined.
    const { next: expected } = answer
    const { next: found } = output
    const expectsSpace = expected !== undefined && isWhiteSpace(expected)
    const findsSpace = found !== undefined && isWhiteSpace(found)
    return expectsSpace || findsSpace ? 'white space' : 'next'
  }

  private compareEnds(): Step {
    if (this.answer.isDone) return this.output.isDone ? 'equal' : 'extra'
    return this.output.isDone ? 'missing' : 'next'
  }

  /** Consumes the next tokens if they are equal. */
  private compareTokens(): Step {
    const { answer, output } = this
    const { caseSensitive } = this.settings
    let answerEnd = answer.position
    let outputEnd = output.position
    for (;;) {
      const expected = answer.bytes[answerEnd] ?? 32
      const found = output.bytes[outputEnd] ?? 32
      if (expected === found ? isWhiteSpace(expected) : caseSensitive || !areSameLetter(expected, found))
        break
      answerEnd += 1
      outputEnd += 1
    }
    // White space at the end of a window is not the end of its token.
    const isEqual = isWhiteSpace(answer.bytes[answerEnd]) && isWhiteSpace(output.bytes[outputEnd])
    if (!isEqual) {
      answerEnd = answer.scanToken(answerEnd)
      outputEnd = output.scanToken(outputEnd)
    }
    if (answer.mayGoOn(answerEnd) || output.mayGoOn(outputEnd)) return 'more'
    if (!isEqual) {
      const step = this.compareNumbers(answerEnd, outputEnd)
      if (step !== 'next') return step
    }
    answer.position = answerEnd
    output.position = outputEnd
    return 'next'
  }

  private compareNumbers(answerEnd: number, outputEnd: number): Step {
    const { answer, output } = this
    if (!this.hasTolerance) return 'different'
    const isWithin = compareNumberTokens(
      { bytes: answer.bytes, start: answer.position, end: answerEnd },
      { bytes: output.bytes, start: output.position, end: outputEnd },
      this.settings,
    )
    if (isWithin === undefined) return 'different'
    return isWithin ? 'next' : 'distant'
  }

  private async compareLongTokens(): Promise<string | undefined> {
    const place = this.place()
    const { answer, output } = this
    const { mismatch, answerHead, outputHead } = await compareLongTokens(answer, output, this.settings)
    this.tokens += 1
    if (mismatch === undefined) return undefined
    const expected = await answerHead.complete(answer)
    return describeMismatch(place, mismatch, expected, await outputHead.complete(output))
  }

  /** Reads on to show the tokens: nothing can be compared afterwards. */
  private async describe(step: Exclude<Step, 'next' | 'more' | 'equal'>): Promise<string> {
    const { answer, output } = this
    const place = this.place()
    if (step === 'white space')
      return describeWhiteSpace({ token: this.tokens, line: output.line }, answer.next, output.next)
    if (step === 'missing') return describeMissingToken(place, await new TokenHead().complete(answer))
    if (step === 'extra') return describeExtraToken(place, await new TokenHead().complete(output))
    const lengths = [answer, output].map((reader) => reader.scanToken(reader.position) - reader.position)
    const difference = findDifference(answer, output, Math.min(...lengths), this.settings.caseSensitive)
    const expected = await new TokenHead().complete(answer)
    const found = await new TokenHead().complete(output)
    return describeMismatch(place, step === 'distant' ? step : difference, expected, found)
  }

  private place(): TokenPlace {
    return { token: this.tokens + 1, line: this.output.line }
  }
}
