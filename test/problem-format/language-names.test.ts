import { defaultLanguagesFile, readNamedLanguages } from '@judge-data-layer/languages'
import { describe, expect, it } from 'vitest'
import { languageOf } from '../../src/problem-format/submissions/language-names.ts'

const named = await readNamedLanguages(defaultLanguagesFile)
const languages = named.map(({ name, extensions }) => ({ name, extension: extensions[0] }))

describe('languageOf', () => {
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
  ])('finds %s of the default file for %s', (name = '', wanted = '') => {
    for (const one of wanted.split(' ')) expect(languageOf(one, languages)?.name, one).toBe(name)
  })

  it.each(['python2', 'py2', 'txt', ''])('finds none for %s', (wanted) => {
    expect(languageOf(wanted, languages)).toBeUndefined()
  })

  it('finds languages with other names, and prefers the exact one', () => {
    const own = [
      { name: 'GNU C++', extension: 'cpp' },
      { name: 'PyPy', extension: 'py', aliases: ['pypy3'] },
      { name: 'Python 3', extension: 'py' },
    ]
    expect(languageOf('C', own)?.name).toBe('GNU C++')
    expect(languageOf('python3', own)?.name).toBe('Python 3')
    expect(languageOf('pypy3', own)?.name).toBe('PyPy')
  })
})
