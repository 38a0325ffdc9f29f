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
export function codeOf(language: KnownLanguage): string {
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

const namesOf = ({ name, extension, aliases = [] }: KnownLanguage) => [name, extension, ...aliases].map(fold)

const fold = (name: string) => name.toLowerCase().replaceAll(' ', '').replace(/^\./, '')
