import type { Comparison, Findings } from './comparison.ts'
import { compareFields, type FieldDifferences } from './field-differences.ts'
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
    lines: parts.flatMap(({ lines }) => lines),
    kept: parts.flatMap(({ kept }) => kept),
    refusals: parts.flatMap(({ refusals }) => refusals),
  }
}
