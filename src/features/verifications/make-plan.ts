import { findLanguage } from '@judge-data-layer/languages'
import { expandConstants } from '../../problem-format/constants.ts'
import { Warnings } from '../../problem-format/package-files.ts'
import { wallTimeOf } from '../../problem-format/read-package.ts'
import { languageOf } from '../../problem-format/submissions/language-names.ts'
import { type ExampleProgram, readPrograms } from '../../problem-format/submissions/submissions.ts'
import { nameGroups } from './groups.ts'
import { JudgingList } from './judging-list.ts'
import { type Plan, type PlannedJudging, type PlannedProgram, type PlanSource, readLenient } from './plan.ts'
import { planValidators } from './validators.ts'

/** The limit of a verification of a provisional time limit, in seconds. */
const UNKNOWN_LIMIT = 10

/** Reads what a verification judges. Throws `PackageError`. */
export async function makePlan(
  source: PlanSource,
): Promise<{ plan: Plan; judgings: readonly PlannedJudging[] }> {
  const { metadata, max_score, test_groups, tests_version, cases } = source
  const seconds = Math.min(source.accept_timeout, source.execution_timeout)
  const limit = { seconds, provisional: source.timeout_is_provisional }
  const groups =
    test_groups &&
    nameGroups(
      test_groups,
      cases.map(({ name }) => name),
    )
  const judgings = new JudgingList()
  const programs: PlannedProgram[] = []
  for (const program of await readPrograms(source.files, metadata, new Warnings()))
    programs.push(await planProgram(program, limit, source, judgings))
  const validators = await planValidators(source, judgings)
  const plan = {
    ...{ limit, package_limits: metadata.limits, programs, validators, tests_version },
    case_names: Object.fromEntries(cases.map(({ id, name }) => [id, name])),
    ...(max_score !== null && { max_score }),
    ...(groups && { groups }),
  }
  return { plan, judgings: judgings.all }
}

/** The CPU limit of the judgings, in seconds: slow programs show how slow they are. */
export function raiseLimit({ limit, package_limits }: Pick<Plan, 'limit' | 'package_limits'>): number {
  if (limit.provisional) return UNKNOWN_LIMIT
  const { time_limit_to_tle = 1.5 } = package_limits.time_multipliers ?? {}
  return Math.max(2 * limit.seconds, limit.seconds * time_limit_to_tle + 1)
}

async function planProgram(
  program: ExampleProgram,
  limit: Plan['limit'],
  source: PlanSource,
  judgings: JudgingList,
): Promise<PlannedProgram> {
  const { path, expected, rules } = program
  const language = languageOf(program.language ?? program.extension, describeOffered(source))
  const planned = {
    ...{ path, expected, rules, factor: language ? factorOf(language.name, source) : 1 },
    ...(language && { language: language.name }),
  }
  if (program.source === undefined)
    return { ...planned, message: 'The service judges only programs of one file' }
  if (language === undefined) return { ...planned, message: 'The service has no language for this program' }
  if (program.source.bytes > source.mostSourceBytes)
    return {
      ...planned,
      message: `The service judges only programs of at most ${source.mostSourceBytes} bytes`,
    }
  const full = judgings.explainFull(program.source.bytes)
  if (full !== undefined) return { ...planned, message: full }
  const execution_timeout = raiseLimit({ limit, package_limits: source.metadata.limits })
  const judging = judgings.add({
    language_id: language.id,
    source_code: expandConstants(path, await readLenient(program.source), source.metadata),
    task: { run: 'all', execution_timeout, accept_timeout: wallTimeOf(execution_timeout) },
  })
  return { ...planned, ...judging }
}

/** The offered languages with the other names of the language file. */
function describeOffered({ offered, languages }: PlanSource) {
  return offered.map((language) => {
    const known = findLanguage(languages, language.name)
    return { ...language, aliases: [...(known?.aliases ?? []), ...(known?.extensions ?? [])] }
  })
}

/** The problem's own factor for the time limits of a language, else that of the language file. */
function factorOf(name: string, { languages, time_multipliers }: PlanSource): number {
  const language = findLanguage(languages, name)
  if (language === undefined) return 1
  const own = Object.entries(time_multipliers ?? {}).find(([key]) => findLanguage([language], key))
  return own?.[1] ?? language.timeMultiplier
}
