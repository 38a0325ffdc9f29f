import Type from 'typebox'
import { AppError } from '../../../http/routing/errors.ts'
import { Nullable } from '../../../http/routing/schema.ts'

const bounds = { minimum: 1, maximum: 2_147_483_647 }

/** The number of a judging in responses for judges; older workers read it as `attempt`. */
export const judgingNumber = {
  judging: Type.Integer({
    ...bounds,
    description: 'The number of the judging: 1, and one more each time the program is queued again.',
  }),
  attempt: Type.Integer({
    ...bounds,
    deprecated: true,
    description: 'The same number as `judging`, for older workers.',
  }),
}

/** The number of the judging that a verdict belongs to; older workers send it as `attempt`. */
export const judgingOfVerdict = {
  judging: Nullable(
    Type.Integer({
      ...bounds,
      description:
        'The judging that the verdict belongs to; default: the newest. The service drops the verdict if it has the verdict of a later judging.',
    }),
  ),
  attempt: Nullable(
    Type.Integer({ ...bounds, deprecated: true, description: 'The older name of `judging`.' }),
  ),
}

interface SentJudging {
  readonly judging?: number | null
  readonly attempt?: number | null
}

/** The number under either name; null: the newest judging. Throws VALIDATION if they differ. */
export function readJudging({ judging, attempt }: SentJudging): number | null {
  const number = judging ?? attempt ?? null
  if (number !== (attempt ?? number)) throw new AppError('VALIDATION', 'judging and attempt must not differ')
  return number
}

/** The JSON fields of a judging. Its column keeps the older name: releases share tables. */
export const judgingFields = (record: string) => `
      'judging', ${record}.attempt,
      'attempt', ${record}.attempt`
