import type { Context } from '../shared/cli.ts'
import type { Comparison, Findings } from './comparison.ts'
import { compareFields, type FieldDifferences } from './field-differences.ts'
import type { LockKeeper } from './lock.ts'
import { comparePeople, type PeopleDifferences } from './people-differences.ts'
import { compareProblems, type ProblemDifferences } from './problem-differences.ts'

/** The changes that make the service match a contest file. */
export interface Differences extends FieldDifferences, ProblemDifferences, PeopleDifferences {}

/** Compares a contest file with the service. Pure. */
export function findDifferences(comparison: Comparison): Differences {
  const fields = compareFields(comparison)
  const problems = compareProblems(comparison)
  const people = comparePeople(comparison)
  const parts: readonly Findings[] = [fields, problems, people]
  return {
    ...fields,
    ...problems,
    ...people,
    warnings: [...comparison.wanted.warnings, ...fields.warnings, ...people.warnings],
    lines: parts.flatMap(({ lines }) => lines),
    kept: parts.flatMap(({ kept }) => kept),
    refusals: parts.flatMap(({ refusals }) => refusals),
  }
}

/** Everything that the steps of `contest apply` need. */
export interface Job extends Pick<Comparison, 'wanted' | 'service' | 'contest' | 'isForced'> {
  readonly ctx: Context
  readonly differences: Differences
  readonly keeper: LockKeeper
  readonly slips: string | undefined
  /** Files with valid passwords of an interrupted run: a CSV file, and slips if there are any. */
  readonly left: readonly string[]
}
