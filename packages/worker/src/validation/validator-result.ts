import type { CaseResult, CaseScore } from '../verdicts/case-result.ts'
import type { Judgement } from './protocol.ts'

/** What a validator says about one test case. */
export interface ValidatorResult {
  readonly judgement: Judgement
  readonly score?: CaseScore
  /** For judges and admins. */
  readonly judgeMessage?: string
  /** For the owner of the submission. */
  readonly teamMessage?: string
}

/** The result with what the validator says; INTERNAL_ERROR if the validator failed. */
export function applyValidator(result: CaseResult, validated: ValidatorResult): CaseResult {
  const { judgement, ...details } = validated
  if (judgement.kind !== 'broken')
    return { ...result, ...details, status: STATUS_OF_JUDGEMENT[judgement.kind] }
  const reason = `the validator failed: ${judgement.reason}`
  const judgeMessage = [reason, details.judgeMessage].filter(Boolean).join('\n')
  return { ...result, status: 'INTERNAL_ERROR', judgeMessage }
}

const STATUS_OF_JUDGEMENT = {
  accepted: 'ACCEPTED',
  wrong: 'WRONG_ANSWER',
  presentation: 'PRESENTATION_ERROR',
} as const
