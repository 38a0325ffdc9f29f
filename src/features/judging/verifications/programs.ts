import { dirname } from 'node:path/posix'
import { findLanguage } from '@judge-data-layer/languages'
import { type KnownLanguage, languageOf } from '@judge-data-layer/problem-format/language-names'
import { PackageError } from '@judge-data-layer/problem-format/package-files'
import {
  describeFiles,
  findLanguages,
  isNamedByClass,
  isStartedByClass,
} from '@judge-data-layer/problem-format/program-files'
import { wallTimeOf } from '@judge-data-layer/problem-format/read-package'
import type { ExampleProgram } from '@judge-data-layer/problem-format/submissions'
import type { JudgingList } from './judging-list.ts'
import type { PlannedProgram, PlanSource } from './plan.ts'
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
  const described = explainTooLarge(program, source, judgings) ?? (await describe(program, language, source))
  if (typeof described === 'string') return { ...planned, message: described }
  const { source_code, ...more } = described
  const accept_timeout = wallTimeOf(execution_timeout)
  const task = { run: 'all', execution_timeout, accept_timeout, ...more }
  return { ...planned, ...judgings.add({ language_id: language.id, source_code, task }) }
}

/** The languages that the program may have: the given language, or the languages of its files. */
function listLanguages({ files, language }: ExampleProgram, source: PlanSource) {
  const offered = describeOffered(source)
  if (language === undefined)
    return findLanguages(
      files.map(({ path }) => path),
      offered,
    )
  return [languageOf(language, offered) ?? []].flat()
}

function explainNoLanguage(languages: readonly KnownLanguage[]): string {
  if (languages.length === 0) return 'The service has no language for this program'
  return `The program must have one language: ${languages.map(({ name }) => name).join(', ')}`
}

function explainTooLarge({ files }: ExampleProgram, { mostSourceBytes }: PlanSource, judgings: JudgingList) {
  const bytes = sizeOf(files)
  if (files.length === 1 && bytes > mostSourceBytes)
    return `The service judges only programs of at most ${mostSourceBytes} bytes`
  return judgings.explainFull(bytes)
}

/** What the record shows judges, or why they cannot judge the program. */
async function describe(
  { path, files, entrypoint }: ExampleProgram,
  language: KnownLanguage,
  { metadata }: PlanSource,
) {
  const [file, ...others] = files
  const hasOwnClass = entrypoint !== undefined && isStartedByClass(language)
  try {
    if (file && others.length === 0 && !hasOwnClass) {
      const source_code = await readSource(file, metadata)
      if (!isNamedByClass(file.path, source_code, language)) return { source_code }
    }
    // A program of one file has its path.
    const folder = file?.path === path ? dirname(path) : path
    const texts = await readFiles({ path, folder, files }, metadata)
    return { source_code: '', program: describeFiles(path, texts, language, entrypoint) }
  } catch (err) {
    if (err instanceof PackageError) return err.message
    throw err
  }
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
