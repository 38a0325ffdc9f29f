import { describe, expect, it } from 'vitest'
import { compileGlob } from '../../src/problem-format/submissions/glob-pattern.ts'

describe('compileGlob', () => {
  it.each([
    ['accepted', 'accepted', true],
    ['accepted', 'accepted/a.py', true],
    ['accepted', 'accepted2/a.py', false],
    ['accepted/*', 'accepted/a.py', true],
    ['accepted/*', 'accepted', false],
    ['*', 'accepted/a.py', true],
    ['*.py', 'accepted/a.py', false],
    ['*/*.py', 'accepted/a.py', true],
    ['*/*.py', 'accepted/a.cpp', false],
    ['accepted/{simple,complex}.py', 'accepted/complex.py', true],
    ['accepted/{simple,complex}.py', 'accepted/other.py', false],
    ['accepted/me.{py,cpp}', 'accepted/me.cpp', true],
    ['{accepted,{wrong,late}_answer}/*', 'late_answer/x', true],
    ['{accepted,}', '', true],
    ['secret/*-easy', 'secret/07-easy', true],
    ['secret/*-easy', 'secret/07-hard', false],
    ['secret/g*', 'secret/g1/01', true],
    ['a.b', 'axb', false],
    ['*a*b*', 'xaxbx', true],
    ['*a*b*', 'xbxax', false],
  ])('%s and %s: %s', (pattern, path, expected) => {
    expect(compileGlob(pattern)?.(path)).toBe(expected)
  })

  it.each(['{a', 'a}', '{a,{b}', 'a'.repeat(501)])('refuses %s', (pattern) => {
    expect(compileGlob(pattern)).toBeUndefined()
  })

  it('stays fast for patterns with many stars and braces', () => {
    const stars = compileGlob('*a'.repeat(50))
    const braces = compileGlob('{a,a*}'.repeat(16))
    expect(stars?.(`${'a'.repeat(249)}b`)).toBe(false)
    expect(braces?.(`${'a'.repeat(300)}b/c`)).toBe(true)
    expect(braces?.('a'.repeat(15))).toBe(false)
  })
})
