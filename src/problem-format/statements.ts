import { expandConstants } from './constants.ts'
import {
  type FileUse,
  findFileCommands,
  findOutsidePictures,
  readProblemName,
  renderLatex,
} from './latex/latex-text.ts'
import {
  PackageError,
  type PackageFile,
  type PackageFiles,
  readText,
  type Warnings,
} from './package-files.ts'
import type { PackageMetadata } from './package-problem.ts'

export interface Statements {
  /** Markdown, or the plain text of LaTeX; null if there is only a PDF or no readable text. */
  readonly prompt: string | null
  /** The language of the prompt or PDF, such as `en`. */
  readonly language: string
  /** The path of the file behind the prompt, or of the PDF to link to; empty without a statement. */
  readonly file: string
  /** The problem's name in this language. */
  readonly title: string | undefined
  /** The names by language, of all languages with a statement; an unknown name is empty. */
  readonly titles: Readonly<Record<string, string>>
}

const FOLDERS = ['statement/', 'problem_statement/', '']
const TYPES = ['md', 'tex', 'pdf']
const DEFAULT_LANGUAGE = 'en'
const MOST_TEXT_BYTES = 1024 * 1024
const NAME = /^problem(?:\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*))?\.(md|tex|pdf)$/

interface StatementFile {
  readonly language: string
  readonly type: string
  readonly file: PackageFile
}

type Sources = ReadonlyMap<PackageFile, string>
type Metadata = Pick<PackageMetadata, 'format' | 'names' | 'constants'>

/** Reads the statements of a package. Throws `PackageError` for a text that is too long or no UTF-8. */
export async function readStatements(
  files: PackageFiles,
  metadata: Metadata,
  warnings: Warnings,
): Promise<Statements> {
  const found = findStatements(files)
  const languages = [...new Set(found.map(({ language }) => language))].sort()
  if (languages.length === 0) {
    warnings.add('statement', 'the package has no statement: add statement/problem.en.md')
    return { prompt: null, language: DEFAULT_LANGUAGE, file: '', title: findName(metadata), titles: {} }
  }
  warnOfNames(metadata, languages, warnings)
  const sources = await readSources(found)
  const titleOf = (wanted: string) => metadata.names[wanted] ?? readTitle(found, sources, wanted)
  const titles = Object.fromEntries(languages.map((known) => [known, titleOf(known) ?? '']))
  const chosen = await choosePrompt(sortCandidates(found), sources, metadata, warnings)
  return { ...chosen, title: titles[chosen.language] || findName(metadata), titles }
}

/** The language and type of a statement's file name, such as `problem.sv.md`; undefined for others. */
export function parseStatementName(name: string): { language: string; type: string } | undefined {
  const [, language = DEFAULT_LANGUAGE, type] = NAME.exec(name) ?? []
  return type === undefined ? undefined : { language, type }
}

/** All statements, the best of each language first. */
function findStatements(files: PackageFiles): StatementFile[] {
  const found = FOLDERS.flatMap((folder) =>
    [...files.values()].flatMap((file) => {
      const name = file.path.startsWith(folder)
        ? parseStatementName(file.path.slice(folder.length))
        : undefined
      return name ? [{ ...name, file }] : []
    }),
  )
  return found.sort((a, b) => TYPES.indexOf(a.type) - TYPES.indexOf(b.type))
}

/** Texts before PDFs: the English one first, others by their language. */
function sortCandidates(found: readonly StatementFile[]): StatementFile[] {
  const keyOf = ({ type, language }: StatementFile) =>
    `${type === 'pdf' ? 1 : 0}${language === DEFAULT_LANGUAGE ? 0 : 1}${language}`
  return found.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))
}

async function readSources(found: readonly StatementFile[]): Promise<Sources> {
  const sources = new Map<PackageFile, string>()
  for (const { type, file } of found) {
    if (type === 'pdf') continue
    if (file.bytes > MOST_TEXT_BYTES)
      throw new PackageError(file.path, undefined, `a statement must have at most ${MOST_TEXT_BYTES} bytes`)
    sources.set(file, await readText(file))
  }
  return sources
}

/** The first text that is not empty; else the PDF to link to, else the first file. */
async function choosePrompt(
  candidates: readonly StatementFile[],
  sources: Sources,
  metadata: Metadata,
  warnings: Warnings,
): Promise<Pick<Statements, 'prompt' | 'file' | 'language'>> {
  for (const { type, file, language } of candidates) {
    const source = sources.get(file)
    if (source === undefined) return { prompt: null, file: file.path, language }
    const prompt =
      type === 'md'
        ? expandConstants(file.path, source, metadata)
        : await readLatex(file.path, source, metadata, warnings)
    if (prompt !== null && prompt.trim() !== '') return { prompt, file: file.path, language }
    warnings.add(file.path, 'the statement has no text that can be shown: add it as Markdown')
  }
  const [first] = candidates
  return { prompt: null, file: first?.file.path ?? '', language: first?.language ?? DEFAULT_LANGUAGE }
}

async function readLatex(path: string, source: string, metadata: Metadata, warnings: Warnings) {
  const warn = (use: FileUse | undefined, reason: string) => {
    if (use === undefined) return
    const verb = use.commands.length === 1 ? 'is' : 'are'
    warnings.add(path, `${use.commands.slice(0, 20).join(', ')} ${verb} dropped: ${reason}`, use.line)
  }
  warn(findFileCommands(source), 'a statement cannot use other files')
  warn(findOutsidePictures(source), 'pictures must be in the folder of the statement')
  return renderLatex(expandConstants(path, source, metadata))
}

/** The title in a LaTeX statement. */
function readTitle(found: readonly StatementFile[], sources: Sources, wanted: string): string | undefined {
  for (const { language, type, file } of found) {
    const title = language === wanted && type === 'tex' ? readProblemName(sources.get(file) ?? '') : undefined
    if (title !== undefined) return title
  }
  return undefined
}

/** Any name, the English one first. */
function findName({ names }: Metadata): string | undefined {
  return names[DEFAULT_LANGUAGE] ?? Object.values(names)[0]
}

/** A legacy package has one name, whose language is not known. */
function warnOfNames({ format, names }: Metadata, languages: readonly string[], warnings: Warnings): void {
  if (format === 'legacy' || format === 'legacy-icpc') return
  const missing = languages.filter((language) => names[language] === undefined)
  const extra = Object.keys(names).filter((language) => !languages.includes(language))
  if (missing.length > 0)
    warnings.add('problem.yaml', `name is missing for the statement in ${missing.join(', ')}`)
  if (extra.length > 0)
    warnings.add('problem.yaml', `name has ${extra.join(', ')}, but there is no such statement`)
}
