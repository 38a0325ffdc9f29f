import { icpc } from './icpc.ts'
import { points } from './points.ts'
import type { Rules } from './rules.ts'

/** The rules by the `scoring` of a contest. */
export const SCORINGS = { icpc, points } as const satisfies Record<string, Rules>

export type Scoring = keyof typeof SCORINGS
