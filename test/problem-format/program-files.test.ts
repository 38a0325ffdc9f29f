import { defaultLanguagesFile, readNamedLanguages } from '@judge-data-layer/languages'
import { describe, expect, it } from 'vitest'
import { PackageError } from '../../src/problem-format/package-files.ts'
import { languageOf } from '../../src/problem-format/submissions/language-names.ts'
import { describeFiles, findLanguages } from '../../src/problem-format/submissions/program-files.ts'

const named = await readNamedLanguages(defaultLanguagesFile)
const languages = named.map(({ name, extensions, aliases }) => ({ name, extension: extensions[0], aliases }))
const PATH = 'submissions/accepted/parts'

function take(code: string, names: readonly string[], entrypoint?: string) {
  const language = languageOf(code, languages)
  if (language === undefined) throw new Error(`no language ${code}`)
  const files = names.toSorted().map((name) => ({ name, content: `in ${name}` }))
  const { files: taken, ...how } = describeFiles(PATH, files, language, entrypoint)
  expect(taken).toEqual(files)
  return how
}

function explain(code: string, names: readonly string[], entrypoint?: string): string {
  try {
    return JSON.stringify(take(code, names, entrypoint))
  } catch (err) {
    if (err instanceof PackageError) return err.message
    throw err
  }
}

describe('the language of several files', () => {
  it.each([
    ['that of all sources', ['main.py', 'lib/more.py', 'data.txt', 'Makefile'], ['Python']],
    ['C', ['a.c', 'a.h'], ['C']],
    ['C++, also beside C', ['a.c', 'b.cc', 'B.C', 'b.h'], ['C++']],
    ['none without a source', ['README.md', 'none'], []],
    ['each of several', ['main.py', 'Main.java'], ['Python', 'Java']],
  ])('is %s', (_, names, expected) => {
    const paths = names.map((name) => `${PATH}/${name}`)
    expect(findLanguages(paths, languages).map(({ name }) => name)).toEqual(expected)
  })
})

describe('the sources of a program', () => {
  it.each([
    ['all files for a compiler of C++', 'cpp', ['b.cpp', 'a.cc', 'c.c', 'b.h'], ['a.cc', 'b.cpp', 'c.c']],
    ['no C++ for a compiler of C', 'c', ['main.c', 'lib/two.c', 'x.cpp'], ['lib/two.c', 'main.c']],
    ['all files for a compiler of Java', 'java', ['Main.java', 'org/A.java'], ['Main.java', 'org/A.java']],
    ['main for Python', 'python3', ['main.py', '__main__.py', 'a.py'], ['main.py']],
    ['__main__ for Python without main', 'python3', ['__main__.py', '__init__.py'], ['__main__.py']],
    ['the only source', 'python3', ['lib/solve.py', 'numbers.txt'], ['lib/solve.py']],
    ['main in any case', 'haskell', ['Main.hs', 'Lib.hs'], ['Main.hs']],
    ['main for JavaScript', 'javascript', ['lib.js', 'main.js'], ['main.js']],
  ])('are %s', (_, code, names, sources) => {
    expect(take(code, names)).toEqual({ sources })
  })

  it.each([
    ['no file of the language', 'cpp', ['a.h'], undefined, 'must have a file of C++'],
    ['no file that starts it', 'python3', ['a.py', 'lib/main.py'], undefined, 'no file is called main'],
    ['an entrypoint that is no file', 'python3', ['main.py', 'a.py'], 'b.py', 'no file b.py'],
    ['an entrypoint that is no class', 'java', ['Main.java', 'A.java'], '-version', 'the name of a class'],
    ['files without an order', 'ocaml', ['main.ml', 'lib.ml'], undefined, 'only OCaml programs of one file'],
    ['a name with a space', 'python3', ['main.py', 'a b.py'], undefined, 'the name must have letters'],
    ['a name of the worker', 'python3', ['main.py', '.judging-input'], undefined, 'not begin with'],
  ])('are refused with %s', (_, code, names, entrypoint, message) => {
    expect(explain(code, names, entrypoint)).toContain(message)
  })
})
