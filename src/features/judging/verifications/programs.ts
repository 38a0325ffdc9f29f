import { dirname } from 'node:path/posix'
import { findLanguage } from '@judge-data-layer/languages'
import {
  describeFiles,
  findLanguages,
  isNamedByClass,
  isStartedByClass,
  type KnownLanguage,
  languageOf,
} from '@judge-data-layer/problem-format/program-files'
import type { ExampleProgram } from '@judge-data-layer/problem-format/submissions'
import { wallTimeOf } from '@judge-data-layer/problem-format/times'
import type { JudgingList } from './judging-list.ts'
import type { PlannedProgram } from './plan.ts'
import type { PlanSource } from './plan-calls.ts'
import { readFiles, readSource, sizeOf } from './read-files.ts'

/** Plans the judging of a program, with a CPU limit in seconds, and adds it to `judgings`. */
export async function planProgram(
  program: ExampleProgram,
  execution_timeout: number,
  source: PlanSource,
  judgings: JudgingList,
): Promise<PlannedProgram> {
  const { path, expected, rules } = program
  const found = listLanguages(program, source)
  const [language, ...others] = found
  if (language === undefined || others.length > 0)
    return { path, expected, rules, factor: 1, message: explainNoLanguage(found) }
  const planned = { path, expected, rules, factor: factorOf(language.name, source), language: language.name }
  const { mostSourceBytes, metadata } = source
  const bytes = sizeOf(program.files)
  if (program.files.length === 1 && bytes > mostSourceBytes)
    return { ...planned, message: `The service judges only programs of at most ${mostSourceBytes} bytes` }
  const judging = await judgings.plan(bytes, async () => {
    const { source_code, ...more } = await describe(program, language, metadata)
    const accept_timeout = wallTimeOf(execution_timeout)
    const task = { run: 'all', execution_timeout, accept_timeout, ...more }
    return { language_id: language.id, source_code, task }
  })
  return { ...planned, ...judging }
}

/** The languages that the program may have: the given language, or the languages of its files. */
function listLanguages({ files, language }: ExampleProgram, source: PlanSource) {
  const offered = describeOffered(source)
  if (language !== undefined) return [languageOf(language, offered) ?? []].flat()
  const paths = files.map(({ path }) => path)
  return findLanguages(paths, offered)
}

function explainNoLanguage(languages: readonly KnownLanguage[]): string {
  if (languages.length === 0) return 'The service has no language for this program'
  return `The program must have one language: ${languages.map(({ name }) => name).join(', ')}`
}

/** What the record shows judges. Throws `PackageError` if they cannot judge the program. */
async function describe(
  { path, files, entrypoint }: ExampleProgram,
  language: KnownLanguage,
  metadata: PlanSource['metadata'],
) {
  const [file, ...others] = files
  const hasOwnClass = entrypoint !== undefined && isStartedByClass(language)
  if (file && others.length === 0 && !hasOwnClass) {
    const source_code = await readSource(file, metadata)
    if (!isNamedByClass(file.path, source_code, language)) return { source_code }
  }
  // A program of one file has its path.
  const folder = file?.path === path ? dirname(path) : path
  const texts = await readFiles({ path, folder, files }, metadata)
  return { source_code: '', program: describeFiles(path, texts, language, entrypoint) }
}

/** The offered languages with the other names of the language file. */
function describeOffered({ offered, languages }: PlanSource) {
  return offered.map((language) => {
    const known = findLanguage(languages, language.name)
    return { ...language, aliases: [...(known?.aliases ?? []), ...(known?.extensions ?? [])] }
  })
}

/** The factor for the time limits of a language: of the problem, else of the language file. */
function factorOf(name: string, { languages, time_multipliers }: PlanSource): number {
  const language = findLanguage(languages, name)
  if (language === undefined) return 1
  const own = Object.entries(time_multipliers ?? {}).find(([key]) => findLanguage([language], key))
  return own?.[1] ?? language.timeMultiplier
}
