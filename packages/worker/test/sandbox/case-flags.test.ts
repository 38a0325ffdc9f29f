import { describe, expect, it } from 'vitest'
import type { JudgingOptions, ProgramValidation } from '../../src/judging-options.ts'
import { findDefaultLanguage } from '../support/default-languages.ts'
import { judgeOnTests, makeTestCase } from '../support/test-cases.ts'
import { useSandbox } from '../support/use-sandbox.ts'

const limits = { wallSeconds: 10, cpuSeconds: 5, memoryMib: 256 }
const caseFlags = [
  { cases: [3], flags: '' },
  { cases: [4, 2], flags: 'float_tolerance 1' },
]

/** A validator that accepts, and writes its flags to stderr. */
function showFlags(changes: Partial<ProgramValidation>): ProgramValidation {
  const exit = changes.protocol === 'testlib' ? 0 : 42
  const content = `console.error(process.argv.slice(5).join(' ')); process.exit(${exit})`
  const files = [{ name: 'validate.js', content }]
  return { type: 'custom', protocol: 'format', language: 'js', files, flags: 'a', caseFlags, ...changes }
}

describe('flags of single test cases', () => {
  const setup = useSandbox({ mode: 'unsandboxed' }, undefined)
  const tests = Array.from({ length: 4 }, () => makeTestCase('10', '10'))
  const judge = (sourceCode: string, options: JudgingOptions) => {
    const task = { sandbox: setup.sandbox, language: findDefaultLanguage('js'), sourceCode, limits }
    return judgeOnTests(task, tests, { run: 'all', ...options })
  }
  const passedOf = async (code: string, options: JudgingOptions) =>
    (await judge(code, options)).test_case_results.map(({ passed }) => passed)
  const flagsOf = async (options: JudgingOptions) =>
    (await judge('', options)).test_case_results.map(({ judge_message = '' }) => judge_message.trim())

  it('replace those of the problem for the default validator', async () => {
    const validation = { type: 'default', flags: 'float_tolerance 0.25', caseFlags } as const
    expect(await passedOf('console.log(15)', { validation })).toEqual([false, true, false, true])
    expect(await passedOf('console.log(11)', { validation })).toEqual([true, true, false, true])
    const withoutFlags = { validation: { type: 'default', caseFlags } } as const
    expect(await passedOf('console.log(11)', withoutFlags)).toEqual([false, true, false, true])
  })

  it.each<[string, Partial<ProgramValidation>]>([
    ['a validator', {}],
    ['a checker', { protocol: 'testlib' }],
    ['an interactor', { type: 'interactive' }],
    ['an interactor with testlib', { type: 'interactive', protocol: 'testlib' }],
  ])('replace those of the problem for %s', async (_, changes) => {
    const expected = ['a', 'float_tolerance 1', '', 'float_tolerance 1']
    expect(await flagsOf({ validation: showFlags(changes) })).toEqual(expected)
  })

  it('go with the numbers of the test cases if groups have another order', async () => {
    const testGroups = [{ name: 'all', points: 4, aggregation: 'sum', cases: [4, 3, 2, 1] }] as const
    const expected = ['float_tolerance 1', '', 'float_tolerance 1', 'a']
    expect(await flagsOf({ validation: showFlags({}), testGroups })).toEqual(expected)
  })

  it('are checked before the first test case', async () => {
    const validation = { type: 'default', caseFlags: [{ cases: [4], flags: 'strict' }] } as const
    const verdict = await judge('console.log(10)', { validation })
    expect(verdict).toMatchObject({ status: 'INTERNAL_ERROR', test_case_results: [] })
    expect(verdict.judge_message).toContain('unknown flag "strict"')
  })
})
