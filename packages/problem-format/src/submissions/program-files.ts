import { PackageError } from '../package/package-files.ts'
import { checkFileNames, type ProgramFile } from '../validators/validator-program.ts'

/** A language of the service. */
export interface KnownLanguage {
  readonly name: string
  /** Without its dot. */
  readonly extension: string
  readonly aliases?: readonly string[]
}

/** Names and extensions of each language; its first word is the code of the package format. */
const FAMILIES = [
  ...['ada adb ads', 'bash sh', 'c', 'cobol cob', 'commonlisp lisp cl', 'cpp c++ cc cxx g++'],
  ...['csharp c# cs', 'd', 'dart', 'elixir ex exs', 'erlang erl'],
  ...['fortran f f77 f90 f95 f03 f08 for', 'fsharp f# fs', 'go golang', 'haskell hs', 'java'],
  ...['javascript js node nodejs node.js mjs', 'julia jl', 'kotlin kt', 'lua'],
  ...['objectivec objective-c m', 'ocaml ml', 'pascal pas pp freepascal', 'perl pl pm', 'php'],
  ...['prolog pro', 'python2 py2', 'python3 python py py3', 'r', 'racket rkt', 'ruby rb'],
  ...['rust rs', 'scala sc', 'swift', 'typescript ts', 'visualbasic vb', 'zig'],
].map((words) => words.split(' '))

/** The language for an extension (`cc`) or a code of the format (`python3`). `C` means C++. */
export function languageOf<L extends KnownLanguage>(wanted: string, languages: readonly L[]): L | undefined {
  const name = wanted === 'C' ? 'cpp' : fold(wanted)
  const family = FAMILIES.find((one) => one.includes(name)) ?? []
  return (
    languages.find((language) => namesOf(language).includes(name)) ??
    languages.find((language) => namesOf(language).some((own) => family.includes(own)))
  )
}

/** The code of the package format for a language, such as `cpp`; its own name if it has none. */
function codeOf(language: KnownLanguage): string {
  const names = namesOf(language)
  const family = FAMILIES.find((one) => one.some((name) => names.includes(name)))
  return family?.[0] ?? fold(language.name)
}

/** The extension of a file's name without the dot, in lower case except `C`; empty without one. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : ''
  return extension === 'C' ? extension : extension.toLowerCase()
}

/** A program that judges compile and run as files, with the commands of its language. */
export interface FilesProgram {
  readonly files: readonly ProgramFile[]
  /** Names of the files that the commands get; the first one starts the program. */
  readonly sources: readonly [string, ...string[]]
  /** The class that starts the program. Undefined: the worker finds it. */
  readonly main_class?: string
}

/** Their compilers get all source files; other compilers find them from the first file. */
const COMPILED_TOGETHER = ['c', 'cpp', 'csharp', 'go', 'java', 'kotlin', 'scala', 'swift']
/** `entrypoint` is a class, not a file. */
const STARTED_BY_CLASS = ['java', 'scala']
/** Their commands need an order of the files, or a fixed name. */
const ONE_FILE = ['ocaml', 'typescript']

const CLASS_NAME = /^[\p{L}_$][\p{L}\p{Nd}_$]*(?:\.[\p{L}_$][\p{L}\p{Nd}_$]*)*$/u
const MOST_CLASS_NAME_LENGTH = 255

/** The languages of the files with these paths. C belongs to C++ if there are files of both. */
export function findLanguages<L extends KnownLanguage>(
  paths: readonly string[],
  languages: readonly L[],
): readonly L[] {
  const found = new Set(paths.flatMap((path) => languageOf(extensionOf(path), languages) ?? []))
  const hasCpp = [...found].some((language) => codeOf(language) === 'cpp')
  return [...found].filter((language) => !hasCpp || codeOf(language) !== 'c')
}

/** True if an entry point of this language is a class: it can also be in a program of one file. */
export function isStartedByClass(language: KnownLanguage): boolean {
  return STARTED_BY_CLASS.includes(codeOf(language))
}

const PUBLIC_CLASS =
  /^[ \t]*public[ \t]+(?:(?:final|abstract|sealed|strictfp)[ \t]+)*(?:class|interface|enum|record)[ \t]+([\w$]+)/gm

/** True if the file must keep its name, because a Java source has a public class of this name. */
export function isNamedByClass(path: string, source: string, language: KnownLanguage): boolean {
  if (codeOf(language) !== 'java') return false
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.java$/i, '')
  return stem !== 'Main' && [...source.matchAll(PUBLIC_CLASS)].some(([, name]) => name === stem)
}

/**
 * How a judge compiles and runs the program at `path`. `files` are sorted by name; `entrypoint` is
 * that of `submissions.yaml`. Throws `PackageError` if a judge cannot run it.
 */
export function describeFiles(
  path: string,
  files: readonly ProgramFile[],
  language: KnownLanguage,
  entrypoint?: string,
): FilesProgram {
  checkFileNames(path, files)
  const code = codeOf(language)
  if (ONE_FILE.includes(code) && files.length > 1)
    throw fault(path, `the service judges only ${language.name} programs of one file`)
  const sources = files.map(({ name }) => name).filter((name) => isSourceOf(name, language))
  const isTogether = COMPILED_TOGETHER.includes(code)
  const [first, ...others] = isTogether ? sources : [findEntry(path, files, sources, entrypoint)]
  if (first === undefined) throw fault(path, `the program must have a file of ${language.name}`)
  if (entrypoint === undefined || !isStartedByClass(language)) return { files, sources: [first, ...others] }
  if (entrypoint.length > MOST_CLASS_NAME_LENGTH || !CLASS_NAME.test(entrypoint))
    throw fault(path, `entrypoint must be the name of a class, such as Main: ${entrypoint.slice(0, 100)}`)
  return { files, sources: [first, ...others], main_class: entrypoint }
}

/** Compilers of C++ also take C. */
function isSourceOf(name: string, language: KnownLanguage): boolean {
  const extension = extensionOf(name)
  return languageOf(extension, [language]) !== undefined || (extension === 'c' && codeOf(language) === 'cpp')
}

/** The given file, else the one called `main` or, as in Python, `__main__`, else the only one. */
function findEntry(
  path: string,
  files: readonly ProgramFile[],
  sources: readonly string[],
  entrypoint: string | undefined,
): string {
  if (entrypoint !== undefined) {
    if (files.some(({ name }) => name === entrypoint)) return entrypoint
    throw fault(path, `the program has no file ${entrypoint.slice(0, 100)}, which is its entrypoint`)
  }
  const named = ['main', '__main__'].flatMap((stem) => sources.filter((name) => stemOf(name) === stem))
  const [entry] = [...named, ...(sources.length === 1 ? sources : [])]
  if (entry !== undefined) return entry
  throw fault(path, 'no file is called main: name the file that starts the program as its entrypoint')
}

/** The name without its extension, in lower case. */
const stemOf = (name: string) => name.replace(/\.[^./]*$/, '').toLowerCase()

const fault = (path: string, message: string) => new PackageError(path, message)

const namesOf = ({ name, extension, aliases = [] }: KnownLanguage) => [name, extension, ...aliases].map(fold)

const fold = (name: string) => name.toLowerCase().replaceAll(' ', '').replace(/^\./, '')
