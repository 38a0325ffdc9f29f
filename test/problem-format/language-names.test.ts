import { defaultLanguagesFile, readNamedLanguages } from '@judge-data-layer/languages'
import { describe, expect, it } from 'vitest'
import { languageOf } from '../../src/problem-format/submissions/language-names.ts'

const named = await readNamedLanguages(defaultLanguagesFile)
const languages = named.map(({ name, extensions }) => ({ name, extension: extensions[0] }))

describe('languageOf', () => {
  it.each([
    ['c', 'C'],
    ['C', 'C++'],
    ['cc', 'C++'],
    ['cpp', 'C++'],
    ['cxx', 'C++'],
    ['c++', 'C++'],
    ['py', 'Python'],
    ['py3', 'Python'],
    ['python3', 'Python'],
    ['js', 'JavaScript'],
    ['javascript', 'JavaScript'],
    ['ts', 'TypeScript'],
    ['typescript', 'TypeScript'],
    ['java', 'Java'],
    ['kt', 'Kotlin'],
    ['kotlin', 'Kotlin'],
    ['rs', 'Rust'],
    ['rust', 'Rust'],
    ['go', 'Go'],
    ['csharp', 'C#'],
    ['hs', 'Haskell'],
    ['ml', 'OCaml'],
    ['rb', 'Ruby'],
    ['pl', 'Perl'],
    ['R', 'R'],
  ])('finds the language of the default file for %s', (wanted, name) => {
    expect(languageOf(wanted, languages)?.name).toBe(name)
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
