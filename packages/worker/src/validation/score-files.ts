import type { CaseScore } from '../verdicts/case-result.ts'
import { type Decimal, signOfSum } from './decimal.ts'
import { quote, readNumber } from './flags.ts'
import { JudgeError } from './judge-error.ts'

/**
 * The score that a validator wrote: the texts of `score.txt` and `score_multiplier.txt`, each
 * undefined if the file is absent. A file has one number in the package format's grammar; white
 * space around it does not matter. Undefined: there is no file.
 * Errors: a `JudgeError` for both files, another text, a negative number or a multiplier above 1.
 */
export function parseScoreFiles({ score, multiplier }: ScoreFiles): CaseScore | undefined {
  if (score !== undefined && multiplier !== undefined)
    throw new JudgeError('the validator wrote both score.txt and score_multiplier.txt')
  if (score !== undefined) return { points: readOnly(score, 'score.txt').estimate }
  if (multiplier === undefined) return undefined
  const { exact, estimate } = readOnly(multiplier, 'score_multiplier.txt')
  if (signOfSum([exact, MINUS_ONE]) > 0)
    throw new JudgeError(`score_multiplier.txt must not be above 1: ${quote(multiplier)}`)
  return { multiplier: estimate }
}

interface ScoreFiles {
  readonly score?: string | undefined
  readonly multiplier?: string | undefined
}

const MINUS_ONE: Decimal = { mantissa: -1n, exponent: 0 }

function readOnly(text: string, file: string) {
  const word = text.replace(/^[ \f\n\r\t\v]+|[ \f\n\r\t\v]+$/g, '')
  return readNumber(word, file, 'must contain one number')
}
