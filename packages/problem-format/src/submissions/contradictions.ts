import { groupBy } from '../package/collections.ts'
import { PackageError, type Warnings } from '../package/package-files.ts'
import { ALL_VERDICTS, type Rule, type Verdict } from './expectations.ts'
import { SUBMISSIONS_YAML, type SubmissionEntry } from './submissions-yaml.ts'

/** Warns of rules that contradict each other. Throws `PackageError` for `use_for_time_limit`. */
export function checkContradictions(
  path: string,
  rules: readonly Rule[],
  matching: readonly SubmissionEntry[],
  warnings: Warnings,
): void {
  const found = findContradiction(rules)
  if (found === undefined) return
  const place = found.cases === undefined ? '' : ` in ${found.cases}`
  const isAboutTime = found.required?.every((verdict) => verdict === 'TLE') ?? false
  const use = matching
    .flatMap(({ timeLimitUses }) => timeLimitUses)
    .find(({ cases, value }) => cases === found.cases || (cases === undefined && value === 'lower'))
  if (isAboutTime && use)
    throw new PackageError(
      SUBMISSIONS_YAML,
      `use_for_time_limit: ${use.value} contradicts other rules of ${path}${place}`,
      use.line,
    )
  const verdicts = found.required ? 'permitted and required' : 'permitted'
  const message = `no result of ${path} can agree with all ${verdicts} verdicts${place}`
  warnings.add(SUBMISSIONS_YAML, message, matching.at(-1)?.line)
}

/**
 * The first contradiction; those in all test cases before those in some. Its verdicts cannot be
 * `required`; without them, none is permitted.
 */
function findContradiction(rules: readonly Rule[]) {
  const groups = groupBy(rules, ({ cases }) => cases)
  const everywhere = groups.get(undefined) ?? []
  const possible = intersect(everywhere, ALL_VERDICTS)
  for (const [cases, group] of [[undefined, everywhere] as const, ...groups]) {
    const permitted = intersect(group, possible)
    if (permitted.length === 0) return { cases, required: undefined }
    const broken = group.find(({ required }) => required && !required.some((one) => permitted.includes(one)))
    if (broken?.required) return { cases, required: broken.required }
  }
  return undefined
}

/** The verdicts that all rules permit. */
function intersect(rules: readonly Rule[], verdicts: readonly Verdict[]): readonly Verdict[] {
  return verdicts.filter((verdict) => rules.every(({ permitted }) => permitted?.includes(verdict) ?? true))
}
