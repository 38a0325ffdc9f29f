import { MAX_PROGRAM_FILES } from '@judge-data-layer/problem-format/judging-options'
import { filesIn, type PackageFile } from '@judge-data-layer/problem-format/package-files'
import type { InputFlags } from '@judge-data-layer/problem-format/read-package'
import { describeProgram, languageOfFile } from '@judge-data-layer/problem-format/validator-program'
import type { JudgingList } from './judging-list.ts'
import type { PlannedValidator } from './plan.ts'
import type { PlanSource } from './plan-calls.ts'
import { type ProgramFiles, readFiles, sizeOf } from './read-files.ts'

/** The folders with validators of test cases; the second is an older name of the first. */
const KINDS = {
  input_validators: 'input',
  input_format_validators: 'input',
  answer_validators: 'answer',
} as const

export const VALIDATOR_FOLDERS = Object.keys(KINDS)

/** Plans the judgings of input and answer validators, and adds them to `judgings`. */
export async function planValidators(source: PlanSource, judgings: JudgingList): Promise<PlannedValidator[]> {
  const planned: PlannedValidator[] = []
  for (const [folder, kind] of Object.entries(KINDS))
    for (const validator of listValidators(source, folder)) {
      const { path, files } = validator
      const judging = await judgings.plan(sizeOf(files), () => describe(validator, kind, source))
      planned.push({ path, kind, ...judging })
    }
  return planned
}

const OTHER_FORMATS = /\.(?:viva|ctd)$/

/** Files that are no programs, such as headers, belong to each program of one file beside them. */
function listValidators({ files }: PlanSource, folder: string): ProgramFiles[] {
  const folders = new Map<string, PackageFile[]>()
  const programs: PackageFile[] = []
  const others: PackageFile[] = []
  for (const file of filesIn(files, folder)) {
    const [name = '', ...rest] = file.path.slice(folder.length + 1).split('/')
    if (name.startsWith('.')) continue
    if (rest.length > 0) {
      const inFolder = folders.get(name) ?? []
      folders.set(name, inFolder)
      inFolder.push(file)
    } else if (languageOfFile(name) || OTHER_FORMATS.test(name)) programs.push(file)
    else others.push(file)
  }
  // One more than a program may have: each is too large then.
  const beside = others.slice(0, MAX_PROGRAM_FILES)
  return [
    ...programs.map((file) => ({ path: file.path, folder, files: [file, ...beside] })),
    ...[...folders].map(([name, own]) => {
      const path = `${folder}/${name}`
      return { path, folder: path, files: own }
    }),
  ]
}

/** A judging, or why workers cannot run the validator. Throws `PackageError`. */
async function describe(validator: ProgramFiles, type: 'input' | 'answer', source: PlanSource) {
  if (OTHER_FORMATS.test(validator.path)) return 'Workers run only validators that are programs'
  const program = describeProgram(validator.folder, await readFiles(validator, source.metadata))
  const own = { arguments: type === 'input' ? chooseArguments(validator.path, source) : {} }
  // Workers ignore the language of a record with a validator.
  const [language] = source.offered
  if (language === undefined) return 'The service must have a language to judge a validator'
  return { language_id: language.id, source_code: '', task: { validator: { type, ...program, ...own } } }
}

/** The arguments of a validator by the names of test cases. */
function chooseArguments(path: string, { metadata }: PlanSource): Record<string, readonly string[]> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const chosen = Object.entries(metadata.input_flags).map(
    ([testCase, flags]) => [testCase, findFlags(flags, name)] as const,
  )
  return Object.fromEntries(chosen.filter(([, words]) => words.length > 0))
}

/** The name in a package may lack the extension. */
function findFlags(flags: InputFlags, name: string): readonly string[] {
  if (isList(flags)) return flags
  return flags[name] ?? flags[name.replace(/\.[^.]*$/, '')] ?? []
}

const isList = (flags: InputFlags): flags is readonly string[] => Array.isArray(flags)
