import { expandConstants } from '../package/constants.ts'
import {
  lineAt,
  PackageError,
  type PackageFile,
  type PackageFiles,
  readShownName,
  readText,
  type Warnings,
} from '../package/package-files.ts'
import { isLegacy, type PackageMetadata } from '../package/package-problem.ts'
import { readProblemName, renderLatex, SAMPLES_PLACE, warnOfDropped } from './latex-text.ts'
import { DEFAULT_LANGUAGE, parseStatementName } from './statement-names.ts'

export interface Statements {
  /** Markdown, or the plain text of LaTeX; null if there is only a PDF or no readable text. */
  readonly prompt: string | null
  /** The language of the prompt or PDF, such as `en`. */
  readonly language: string
  /** The path of the file behind the prompt, or of the PDF to link to; empty without either. */
  readonly file: string
  /** The problem's name in this language. */
  readonly title: string | undefined
  /** The names by language, of all languages with a statement; an unknown name is empty. */
  readonly titles: Readonly<Record<string, string>>
}

const FOLDERS = ['statement/', 'problem_statement/', '']
const TYPES = ['md', 'tex', 'pdf']
const MOST_TEXT_BYTES = 1024 * 1024
/** More would keep the service busy. Constants count with their values. */
const MOST_STATEMENTS = 200
const MOST_CHARACTERS = 16 * 1024 * 1024
/** LaTeX can be slow to read: the texts of further languages are not tried as the prompt. */
const MOST_TRIED_LATEX = 2
type Metadata = Pick<PackageMetadata, 'format' | 'names' | 'constants'>

/** Reads the statements of a package. Throws `PackageError` for too many, long or damaged ones. */
export async function readStatements(
  files: PackageFiles,
  metadata: Metadata,
  warnings: Warnings,
): Promise<Statements> {
  const found = sortCandidates(findStatements(files))
  const [first] = found
  const languages = [...new Set(found.map(({ language }) => language))].sort()
  if (first === undefined) {
    warnings.add('statement', 'the package has no statement: add statement/problem.en.md')
    return { prompt: null, language: DEFAULT_LANGUAGE, file: '', title: findName(metadata), titles: {} }
  }
  const tooMany = found[MOST_STATEMENTS]?.file.path
  if (tooMany !== undefined)
    throw new PackageError(tooMany, `a package must have at most ${MOST_STATEMENTS} statements`)
  warnOfNames(metadata, languages, warnings)
  const reader = new StatementReader(metadata, warnings)
  for (const statement of found) await reader.read(statement)
  const titleOf = (wanted: string) => metadata.names[wanted] ?? reader.titles.get(wanted) ?? ''
  const titles = Object.fromEntries(languages.map((known) => [known, titleOf(known)]))
  const chosen = reader.chosen ?? { prompt: null, file: first.file.path, language: first.language }
  return { ...chosen, title: titles[chosen.language] || findName(metadata), titles }
}

type StatementFile = NonNullable<ReturnType<typeof parseStatementName>> & { readonly file: PackageFile }

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

/** In the order in which they are tried: texts before PDFs, English first, then by language. */
function sortCandidates(found: readonly StatementFile[]): StatementFile[] {
  const keyOf = ({ type, language }: StatementFile) =>
    `${type === 'pdf' ? 1 : 0}${language === DEFAULT_LANGUAGE ? 0 : 1}${language}`
  return found.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))
}

type Chosen = Pick<Statements, 'prompt' | 'file' | 'language'>

/** Reads statements one after the other, so that only one text is in memory. */
class StatementReader {
  /** The first text that is not empty; else the PDF to link to. */
  chosen: Chosen | undefined
  /** The titles in LaTeX statements by language. */
  readonly titles = new Map<string, string>()
  #characters = 0
  #triedLatex = 0
  readonly #metadata: Metadata
  readonly #warnings: Warnings

  constructor(metadata: Metadata, warnings: Warnings) {
    this.#metadata = metadata
    this.#warnings = warnings
  }

  async read(statement: StatementFile): Promise<void> {
    const { language, type, file } = statement
    const { path } = file
    if (type === 'pdf') {
      this.chosen ??= { prompt: null, file: path, language }
      return
    }
    const source = await this.#readSource(file)
    if (type === 'tex') this.#readTitle(statement, source)
    if (this.chosen) return
    if (type === 'tex' && this.#triedLatex === MOST_TRIED_LATEX) {
      this.#warnings.add(path, `only ${MOST_TRIED_LATEX} LaTeX texts are tried as the prompt: not this one`)
      return
    }
    if (type === 'tex') {
      this.#triedLatex += 1
      warnOfDropped(path, source, this.#warnings)
    }
    const prompt = type === 'md' ? dropSamples(path, source, this.#warnings) : await renderLatex(source)
    if (prompt !== null && prompt.trim() !== '') this.chosen = { prompt, file: path, language }
    else this.#warnings.add(path, 'the statement has no text that can be shown: add it as Markdown')
  }

  #readTitle({ language, file: { path } }: StatementFile, source: string): void {
    const isKnown = this.#metadata.names[language] !== undefined || this.titles.has(language)
    const title = isKnown ? undefined : readProblemName(source)
    const warn = (message: string) => this.#warnings.add(path, `the title: ${message}`)
    if (title !== undefined) this.titles.set(language, readShownName(title, warn))
  }

  /** The text with the values of constants. */
  async #readSource(file: PackageFile): Promise<string> {
    const { path } = file
    if (file.bytes > MOST_TEXT_BYTES)
      throw new PackageError(path, `a statement must have at most ${MOST_TEXT_BYTES} bytes`)
    const source = expandConstants(path, await readText(file), this.#metadata)
    this.#characters += source.length
    if (this.#characters > MOST_CHARACTERS)
      throw new PackageError(
        path,
        `the statements must have at most ${MOST_CHARACTERS} characters together, with their constants`,
      )
    return source
  }
}

/** A Markdown text without the commands that place samples. */
function dropSamples(path: string, source: string, warnings: Warnings): string {
  for (const command of ['{{nextsample}}', '{{remainingsamples}}']) {
    const start = source.indexOf(command)
    if (start >= 0) warnings.add(path, `${command} is dropped: ${SAMPLES_PLACE}`, lineAt(source, start))
  }
  return source.replaceAll(/\{\{(?:nextsample|remainingsamples)\}\}/g, '')
}

/** Any name, the English one first. */
const findName = ({ names }: Metadata) => names[DEFAULT_LANGUAGE] ?? Object.values(names)[0]

/** A legacy package has one name, whose language is not known. */
function warnOfNames({ format, names }: Metadata, languages: readonly string[], warnings: Warnings): void {
  if (isLegacy({ format })) return
  const missing = languages.filter((language) => names[language] === undefined)
  const extra = Object.keys(names).filter((language) => !languages.includes(language))
  if (missing.length > 0)
    warnings.add('problem.yaml', `name is missing for the statement in ${missing.join(', ')}`)
  if (extra.length > 0)
    warnings.add('problem.yaml', `name has ${extra.join(', ')}, but there is no such statement`)
}
