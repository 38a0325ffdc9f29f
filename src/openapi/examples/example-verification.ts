import type { Static } from 'typebox'
import type { VerificationResponse } from '../../features/judging/verifications/schemas.ts'
import { hiddenCase, sumOfTwo } from './example-world.ts'

type Verification = Static<typeof VerificationResponse>

const sum = { path: 'submissions/accepted/sum.py', language: 'Python', expected: 'ACCEPTED' }
const product = { path: 'submissions/wrong_answer/product.py', language: 'Python', expected: 'WRONG_ANSWER' }
const check = { path: 'input_validators/check.py', kind: 'input' as const }

/** A verification whose judgings have no verdict yet. */
export const pendingVerification: Verification = {
  id: '019bc2fa-10c8-7b63-a4d1-6e0f92b7d358',
  problem_id: sumOfTwo.id,
  status: 'PENDING',
  created_at: '2026-01-16T09:40:00Z',
  programs: [
    { ...sum, status: 'PENDING' },
    { ...product, status: 'PENDING' },
  ],
  validators: [{ ...check, status: 'PENDING', rejected: [] }],
  time_limit: { seconds: 5, provisional: false },
}

/** The programs are as expected, but the validator rejects an input. */
export const finishedVerification: Verification = {
  ...pendingVerification,
  status: 'DONE',
  agrees: false,
  programs: [
    { ...sum, status: 'ACCEPTED', slowest_time: 0.021, agrees: true },
    { ...product, status: 'WRONG_ANSWER', slowest_time: 0.02, agrees: true },
  ],
  validators: [
    {
      ...check,
      status: 'REJECTED',
      agrees: false,
      rejected: [{ test_case: hiddenCase.id, message: 'a number above 1000\n[exit code 43]' }],
    },
  ],
  time_limit: { seconds: 5, provisional: false, computed: 1, slowest_accepted: 0.021 },
}
