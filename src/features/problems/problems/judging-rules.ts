import { findLanguage, type NamedLanguage } from '@judge-data-layer/languages'
import {
  CASE_FLAGS_BYTES,
  MAX_PROGRAM_BYTES,
  MAX_TEST_GROUPS,
  RESERVED_PREFIX,
  type TestGroup,
} from '@judge-data-layer/problem-format/judging-options'
import { explainDefaultFlags } from '@judge-data-layer/problem-format/validator-program'
import type { Static, TObject } from 'typebox'
import { invalid } from '../../../http/routing/errors.ts'
import type { judgingOptionFields } from './judging-options.ts'

type Sent = Static<TObject<typeof judgingOptionFields>>
type Validation = NonNullable<Sent['validation']>
type Limits = NonNullable<Sent['limits']>

/** Checks what schemas cannot, without numbers of test cases. Throws VALIDATION with the field. */
export function checkJudgingOptions(sent: Sent, languages: readonly NamedLanguage[]): void {
  if (sent.validation) checkValidation(sent.validation, languages)
  if (sent.test_groups) checkSiblings(sent.test_groups, 'test_groups', { groups: 0, cases: new Set() })
  if (sent.limits) checkLimits(sent.limits, languages)
}

/** The columns of judging options, with `max_score`. `judging_options` null: none were sent. */
export function judgingValues({ validation, test_groups, run, limits }: Sent) {
  const max_score = test_groups && sumOfPoints(test_groups)
  const sent = Object.entries({ validation, test_groups, max_score, run, limits })
  const given = sent.filter(([, value]) => value !== undefined && value !== null)
  const removed_options = sent.flatMap(([name, value]) => (value === null ? [name] : []))
  const isSent = given.length + removed_options.length > 0
  return {
    judging_options: isSent ? JSON.stringify(Object.fromEntries(given)) : null,
    removed_options,
  }
}

/** For each field that names test cases: the greatest number in it, or null if it names none. */
export function findNamedCases({ test_groups, validation }: Sent) {
  const flagged = validation?.case_flags?.flatMap(({ cases }) => cases)
  return {
    test_groups: test_groups ? greatestOf(casesIn(test_groups)) : null,
    case_flags: flagged ? greatestOf(flagged) : null,
  }
}

/** Throws VALIDATION if a field names a test case after the last one. */
export function checkCaseNumbers(named: ReturnType<typeof findNamedCases>, cases: number): void {
  const check = (field: string, greatest: number | null, advice: string) => {
    if (greatest !== null && greatest > cases)
      throw invalid(`${field} names test case ${greatest}, but the problem has ${cases}: send ${advice}`)
  }
  check('test_groups', named.test_groups, 'groups that fit, or null')
  check('validation.case_flags', named.case_flags, 'a validation that fits, or null')
}

const greatestOf = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b), 0)
const casesIn = (groups: readonly TestGroup[]): readonly number[] =>
  groups.flatMap((group) => [...(group.cases ?? []), ...casesIn(group.groups ?? [])])

const PROGRAM_FIELDS = ['protocol', 'files', 'language', 'build', 'run'] as const

function checkValidation(validation: Validation, languages: readonly NamedLanguage[]): void {
  const { type, files, language, build, run } = validation
  checkCaseFlags(validation)
  if (type === 'default') {
    const extra = PROGRAM_FIELDS.find((field) => validation[field] !== undefined)
    if (extra) throw invalid(`validation.${extra} is only for the types custom and interactive: remove it`)
    checkDefaultFlags(validation)
    return
  }
  if (files === undefined) throw invalid(`validation.files is required for the type ${type}`)
  checkFiles(files)
  if ((language === undefined) === (run === undefined))
    throw invalid('validation must have either language or run')
  if (build && !run) throw invalid('validation.build needs validation.run, and not validation.language')
  if (language !== undefined) requireLanguage(languages, language, 'validation.language')
}

function checkCaseFlags({ case_flags = [] }: Validation): void {
  const bytes = case_flags.reduce((sum, { flags }) => sum + Buffer.byteLength(flags), 0)
  if (bytes > CASE_FLAGS_BYTES)
    throw invalid(`validation.case_flags must have at most ${CASE_FLAGS_BYTES} bytes of flags together`)
  const seen = new Set<number>()
  case_flags.forEach(({ cases }, i) => {
    for (const number of cases) {
      if (seen.has(number))
        throw invalid(
          `validation.case_flags.${i}.cases must not have ${number}: each test case is in one entry, once`,
        )
      seen.add(number)
    }
  })
}

function checkDefaultFlags({ flags = '', case_flags = [] }: Validation): void {
  const check = (field: string, text: string) => {
    const fault = explainDefaultFlags(text)
    if (fault !== undefined) throw invalid(`validation.${field} ${fault}`)
  }
  check('flags', flags)
  case_flags.forEach((entry, i) => {
    check(`case_flags.${i}.flags`, entry.flags)
  })
}

function checkFiles(files: NonNullable<Validation['files']>): void {
  const names = new Set(files.map(({ name }) => name))
  const repeated = findRepeated(files)
  if (repeated !== undefined) throw invalid(`validation.files must have each name once: ${repeated}`)
  for (const name of names) {
    const parts = name.split('/')
    if (parts.some((part) => part === '.' || part === '..'))
      throw invalid(`validation.files must not have . or .. in a name: ${name}`)
    if (name.startsWith(RESERVED_PREFIX))
      throw invalid(`validation.files must not have a name that begins with ${RESERVED_PREFIX}: ${name}`)
    if (parts.some((_, i) => i > 0 && names.has(parts.slice(0, i).join('/'))))
      throw invalid(`validation.files must not have a file in another file: ${name}`)
  }
  const bytes = files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  if (bytes > MAX_PROGRAM_BYTES)
    throw invalid(`validation.files must have at most ${MAX_PROGRAM_BYTES} bytes together`)
}

/** The first name that occurs before. */
function findRepeated(list: readonly { readonly name: string }[]): string | undefined {
  return list.find(({ name }, i) => list.findIndex((other) => other.name === name) < i)?.name
}

interface Seen {
  groups: number
  readonly cases: Set<number>
}

function checkSiblings(groups: readonly TestGroup[], place: string, seen: Seen): void {
  seen.groups += groups.length
  if (seen.groups > MAX_TEST_GROUPS)
    throw invalid(`test_groups must have at most ${MAX_TEST_GROUPS} groups in total`)
  const repeated = findRepeated(groups)
  if (repeated !== undefined) throw invalid(`${place} must have each name once: ${repeated}`)
  groups.forEach((group, i) => {
    checkGroup(group, `${place}.${i}`, seen)
  })
}

function checkGroup(group: TestGroup, place: string, seen: Seen): void {
  const { points, aggregation, cases, groups } = group
  if (hundredthsOf(points) / 100 !== points) throw invalid(`${place}.points must have at most two decimals`)
  if ((cases === undefined) === (groups === undefined))
    throw invalid(`${place} must have either cases or groups`)
  for (const number of cases ?? []) {
    if (seen.cases.has(number))
      throw invalid(`${place}.cases must not have ${number}: a case is in one group`)
    seen.cases.add(number)
  }
  if (groups === undefined) return
  checkSiblings(groups, `${place}.groups`, seen)
  if (aggregation === 'sum' && sumOfPoints(groups) !== points)
    throw invalid(`${place}.points must be the sum of the points of its groups`)
  if (aggregation === 'min' && groups.some((inner) => inner.points !== points))
    throw invalid(`${place}.groups must each have the points of ${place}: its aggregation is min`)
}

const hundredthsOf = (points: number) => Math.round(points * 100)
const sumOfPoints = (groups: readonly TestGroup[]) =>
  groups.reduce((sum, { points }) => sum + hundredthsOf(points), 0) / 100

function checkLimits(limits: Limits, languages: readonly NamedLanguage[]): void {
  if (Object.keys(limits).length === 0)
    throw invalid('limits must have at least one limit; null removes them')
  if (limits.time_multipliers === undefined) return
  const names = Object.keys(limits.time_multipliers)
  if (names.length === 0) throw invalid('limits.time_multipliers must have at least one language')
  const found = names.map((name) => requireLanguage(languages, name, 'limits.time_multipliers'))
  if (new Set(found).size < names.length)
    throw invalid('limits.time_multipliers must have each language once')
}

/** The language of this name or alias (D22). Throws VALIDATION. */
function requireLanguage(languages: readonly NamedLanguage[], name: string, field: string): NamedLanguage {
  const found = findLanguage(languages, name)
  if (found !== undefined) return found
  const known = languages.map((language) => language.name).join(', ')
  throw invalid(`${field} must have names of the judge’s languages: ${known}`)
}
