import { defaultLanguagesFile, readNamedLanguages } from '@judge-data-layer/languages'
import { describe, expect, it } from 'vitest'
import { describeFiles, findLanguages, languageOf } from '../src/submissions/program-files.ts'

const named = await readNamedLanguages(defaultLanguagesFile)
const languages = named.map(({ name, extensions, aliases }) => ({ name, extension: extensions[0], aliases }))
/** Without the aliases of the file. */
const unnamed = languages.map(({ name, extension }) => ({ name, extension }))
const PATH = 'submissions/accepted/parts'

function take(code: string, names: readonly string[], entrypoint?: string) {
  const language = languageOf(code, languages)
  if (language === undefined) throw new Error(`no language ${code}`)
  const files = names.toSorted().map((name) => ({ name, content: `in ${name}` }))
  const { files: taken, ...how } = describeFiles(PATH, files, language, entrypoint)
  expect(taken).toEqual(files)
  return how
}

describe('the language of a program', () => {
  it.each([
    ['C', 'c'],
    ['C++', 'C cc cpp cxx c++'],
    ['Python', 'py py3 python3'],
    ['JavaScript', 'js javascript'],
    ['TypeScript', 'ts typescript'],
    ['Kotlin', 'kt kotlin'],
    ['Rust', 'rs rust'],
    ...Object.entries({ Java: 'java', Go: 'go', 'C#': 'csharp', Haskell: 'hs', OCaml: 'ml' }),
    ...Object.entries({ Ruby: 'rb', Perl: 'pl', R: 'R' }),
  ])('is %s of the default file for %s', (name = '', wanted = '') => {
    for (const one of wanted.split(' ')) expect(languageOf(one, unnamed)?.name, one).toBe(name)
  })

  it.each(['python2', 'py2', 'txt', ''])('is none for %s', (wanted) => {
    expect(languageOf(wanted, unnamed)).toBeUndefined()
  })

  it('may have another name, and the exact one is preferred', () => {
    const own = [
      { name: 'GNU C++', extension: 'cpp' },
      { name: 'PyPy', extension: 'py', aliases: ['pypy3'] },
      { name: 'Python 3', extension: 'py' },
    ]
    expect(languageOf('C', own)?.name).toBe('GNU C++')
    expect(languageOf('python3', own)?.name).toBe('Python 3')
    expect(languageOf('pypy3', own)?.name).toBe('PyPy')
  })

  it.each([
    ['that of all sources', ['main.py', 'lib/more.py', 'data.txt', 'Makefile'], ['Python']],
    ['C', ['a.c', 'a.h'], ['C']],
    ['C++, also beside C', ['a.c', 'b.cc', 'B.C', 'b.h'], ['C++']],
    ['none without a source', ['README.md', 'none'], []],
    ['each of several', ['main.py', 'Main.java'], ['Python', 'Java']],
  ])('of several files is %s', (_, names, expected) => {
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
    const error = expect.objectContaining({ name: 'PackageError', message: expect.stringContaining(message) })
    expect(() => take(code, names, entrypoint)).toThrow(error)
  })
})
