import type { CaseScore } from '../verdicts/case-result.ts'
import { type Decimal, parseDecimal, signOfSum } from './decimal.ts'
import { quote } from './flags.ts'
import { JudgeError } from './judge-error.ts'

/**
 * The score that a validator wrote: the texts of `score.txt` and `score_multiplier.txt`, each
 * undefined if the file is absent. A file has one number in the package format's grammar; white
 * space around it does not matter. Undefined: there is no file.
 * Errors: a `JudgeError` for both files, another text, a negative number or a multiplier above 1.
 */
export function parseScoreFiles(files: { score?: string; multiplier?: string }): CaseScore | undefined {
  if (files.score !== undefined && files.multiplier !== undefined)
    throw new JudgeError('the validator wrote both score.txt and score_multiplier.txt')
  if (files.score !== undefined) return { points: parseNumber('score.txt', files.score).value }
  if (files.multiplier === undefined) return undefined
  const { decimal, value } = parseNumber('score_multiplier.txt', files.multiplier)
  if (signOfSum([decimal, MINUS_ONE]) > 0)
    throw new JudgeError(`score_multiplier.txt must not be above 1: ${quote(files.multiplier)}`)
  return { multiplier: value }
}

const MINUS_ONE: Decimal = { mantissa: -1n, exponent: 0 }

/** The exact number, and the double next to it. */
function parseNumber(file: string, text: string): { decimal: Decimal; value: number } {
  const word = text.replace(/^[ \f\n\r\t\v]+|[ \f\n\r\t\v]+$/g, '')
  const decimal = parseDecimal(Buffer.from(word))
  if (decimal === undefined) throw new JudgeError(`${file} must contain one number, not ${quote(word)}`)
  if (decimal.mantissa < 0n) throw new JudgeError(`${file} must not be negative: ${quote(word)}`)
  const value = Math.abs(Number(word))
  if (!Number.isFinite(value)) throw new JudgeError(`${file} is too large: ${quote(word)}`)
  return { decimal, value }
}
