import { MAX_PROGRAM_FILES } from '@judge-data-layer/problem-format/judging-options'
import { filesIn, PackageError, type PackageFile } from '@judge-data-layer/problem-format/package-files'
import type { InputFlags } from '@judge-data-layer/problem-format/read-package'
import { describeProgram, languageOfFile } from '@judge-data-layer/problem-format/validator-program'
import type { JudgingList } from './judging-list.ts'
import type { PlannedValidator, PlanSource } from './plan.ts'
import { readFiles, sizeOf } from './read-files.ts'

/** The folders with validators of test cases; the second is an older name of the first. */
const KINDS = {
  input_validators: 'input',
  input_format_validators: 'input',
  answer_validators: 'answer',
} as const

export const VALIDATOR_FOLDERS = Object.keys(KINDS)

/** A validator: a file with those beside it that are no programs, or a folder. */
interface Validator {
  readonly path: string
  /** The folder of its files. */
  readonly folder: string
  readonly files: readonly PackageFile[]
}

/** Plans the judgings of input and answer validators, and adds them to `judgings`. */
export async function planValidators(source: PlanSource, judgings: JudgingList): Promise<PlannedValidator[]> {
  const planned: PlannedValidator[] = []
  for (const [folder, kind] of Object.entries(KINDS))
    for (const validator of listValidators(source, folder)) {
      const { path } = validator
      const full = judgings.explainFull(sizeOf(validator.files))
      const task = full ?? (await describeTask(validator, kind, source))
      const [language] = source.offered
      if (typeof task === 'string') planned.push({ path, kind, message: task })
      else if (language === undefined)
        planned.push({ path, kind, message: 'The service must have a language to judge a validator' })
      // Workers ignore the language of a record with a validator.
      else planned.push({ path, kind, ...judgings.add({ language_id: language.id, source_code: '', task }) })
    }
  return planned
}

const OTHER_FORMATS = /\.(?:viva|ctd)$/

/** Files that are no programs, such as headers, belong to each program of one file beside them. */
function listValidators({ files }: PlanSource, folder: string): Validator[] {
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

/** What the record shows judges, or why workers cannot run the validator. */
async function describeTask(validator: Validator, type: 'input' | 'answer', source: PlanSource) {
  if (OTHER_FORMATS.test(validator.path)) return 'Workers run only validators that are programs'
  try {
    const program = describeProgram(validator.folder, await readFiles(validator, source.metadata))
    const own = { arguments: type === 'input' ? chooseArguments(validator.path, source) : {} }
    return { validator: { type, ...program, ...own } }
  } catch (err) {
    if (err instanceof PackageError) return err.message
    throw err
  }
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
