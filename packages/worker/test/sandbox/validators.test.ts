import type { Schemas } from '@judge-data-layer/client'
import { describe, expect, it } from 'vitest'
import { judgeSubmission } from '../../src/judging/judge.ts'
import type { JudgingOptions, TestGroup, Validation } from '../../src/service/judging-options.ts'
import type { TestCase } from '../../src/tests/test-set.ts'
import { validateTests } from '../../src/validation/validate-tests.ts'
import { findDefaultLanguage } from '../support/default-languages.ts'
import { judgeOnTests, makeJudgeTools, makeTestCase, makeTestSet } from '../support/test-cases.ts'
import { right, shell, useTestWorker } from '../support/test-worker.ts'
import { noBubblewrap, useSandbox } from '../support/use-sandbox.ts'

const limits = { wallSeconds: 10, cpuSeconds: 5, memoryMib: 256 }
const case_flags = [
  { cases: [3], flags: '' },
  { cases: [4, 2], flags: 'float_tolerance 1' },
]

/** A validator that accepts, and writes its flags to stderr. */
function showFlags(changes: Partial<Validation>): Validation {
  const exit = changes.protocol === 'testlib' ? 0 : 42
  const content = `console.error(process.argv.slice(5).join(' ')); process.exit(${exit})`
  const files = [{ name: 'validate.js', content }]
  return { type: 'custom', language: 'js', files, flags: 'a', case_flags, ...changes }
}

describe('flags of single test cases', () => {
  const setup = useSandbox({ mode: 'unsandboxed' })
  const tests = Array.from({ length: 4 }, () => makeTestCase('10', '10'))
  const judge = (sourceCode: string, options: JudgingOptions) => {
    const task = { sandbox: setup.sandbox, language: findDefaultLanguage('js'), sourceCode, limits }
    return judgeOnTests(task, tests, { run: 'all', ...options })
  }
  const passedOf = async (code: string, options: JudgingOptions) =>
    (await judge(code, options)).test_case_results?.map(({ passed }) => passed)
  const flagsOf = async (options: JudgingOptions) =>
    (await judge('', options)).test_case_results?.map(({ judge_message = '' }) => judge_message?.trim())

  it('replace those of the problem for the default validator', async () => {
    const validation: Validation = { type: 'default', flags: 'float_tolerance 0.25', case_flags }
    expect(await passedOf('console.log(15)', { validation })).toEqual([false, true, false, true])
    expect(await passedOf('console.log(11)', { validation })).toEqual([true, true, false, true])
    const withoutFlags = await passedOf('console.log(11)', { validation: { type: 'default', case_flags } })
    expect(withoutFlags).toEqual([false, true, false, true])
  })

  it.each<[string, Partial<Validation>]>([
    ['a validator', {}],
    ['a checker', { protocol: 'testlib' }],
    ['an interactor', { type: 'interactive' }],
    ['an interactor with testlib', { type: 'interactive', protocol: 'testlib' }],
  ])('replace those of the problem for %s', async (_, changes) => {
    const expected = ['a', 'float_tolerance 1', '', 'float_tolerance 1']
    expect(await flagsOf({ validation: showFlags(changes) })).toEqual(expected)
  })

  it('go with the numbers of the test cases if groups have another order', async () => {
    const all: TestGroup = { name: 'all', points: 4, aggregation: 'sum', cases: [4, 3, 2, 1] }
    const expected = ['float_tolerance 1', '', 'float_tolerance 1', 'a']
    expect(await flagsOf({ validation: showFlags({}), test_groups: [all] })).toEqual(expected)
  })

  it('are checked before the first test case', async () => {
    const validation: Validation = { type: 'default', case_flags: [{ cases: [4], flags: 'strict' }] }
    const judge_message = expect.stringContaining('unknown flag "strict"')
    const failed = { status: 'INTERNAL_ERROR', test_case_results: [], judge_message }
    expect(await judge('console.log(10)', { validation })).toMatchObject(failed)
  })
})

const ACCEPT = '#!/bin/sh\nexit 42\n'
const buildBy = (script: string) => ({ build: ['sh', '-c', script] })
const MINE = 'cd {dir}; cp check mine; chmod 700 mine'
const LARGE = 'truncate -s 200M {dir}/a; cp --sparse=always {dir}/a {dir}/b'
const LONG = 'n=$(printf %0250d 0); cd {dir}; for i in 1 2 3 4 5 6 7 8 9; do mkdir $n; cd $n; done'
/** A validator with these files, which are empty except for the script `check`. */
const withFiles = (...names: string[]) => {
  return { files: names.map((name) => ({ name, content: /\bcheck$/.test(name) ? ACCEPT : '' })) }
}
const TWO_SOURCES = { language: 'C++', ...withFiles('check.cpp', 'main.cpp') }

const modes = [['unsandboxed', undefined] as const, ['bubblewrap', noBubblewrap] as const]

describe.each(modes)('compiled validators, %s', (mode, obstacle) => {
  const setup = useSandbox({ mode })
  const it_ = obstacle === undefined ? it : it.skip
  const makeJudge = (now?: () => number) => {
    const tools = makeJudgeTools(setup.sandbox, now)
    return (changes: Partial<Validation>) => {
      const common = { type: 'custom' as const, ...withFiles('check') }
      const validation = { ...common, ...(changes.language ? {} : { run: ['{dir}/check'] }), ...changes }
      const program = { language: findDefaultLanguage('js'), sourceCode: 'console.log(1)' }
      const task = { ...program, sandbox: setup.sandbox, limits: { ...limits, wallSeconds: 20 } }
      return judgeSubmission(task, makeTestSet([makeTestCase('-', '-')], { validation }), tools)
    }
  }

  it_('are compiled once for submissions at the same time and later', async () => {
    const judge = makeJudge()
    const build = ['sh', '-c', 'date +%s%N > {dir}/stamp']
    const files = [{ name: 'check', content: '#!/bin/sh\ncat $(dirname $0)/stamp >&2\nexit 42\n' }]
    const verdicts = await Promise.all([judge({ files, build }), judge({ files, build })])
    verdicts.push(await judge({ files, build }))
    const stamps = verdicts.map(({ test_case_results }) => test_case_results?.[0]?.judge_message)
    expect(new Set(stamps)).toEqual(new Set([expect.stringMatching(/^\d+\n?$/)]))
  })

  it_('are compiled again a minute after a failure', async () => {
    let nowMs = 0
    const judge = makeJudge(() => nowMs)
    const readMessage = async () => {
      const { status, judge_message } = await judge({ build: ['sh', '-c', 'date +%s%N >&2; exit 1'] })
      expect(status).toBe('INTERNAL_ERROR')
      return judge_message
    }
    const first = await readMessage()
    nowMs = 59_999
    expect(await readMessage()).toBe(first)
    nowMs = 60_000
    expect(await readMessage()).not.toBe(first)
  })

  const links =
    'cd {dir}; ln -s / all; ln -s check .judging-answer; echo > .judging-input; mkfifo .judging-feedback'
  it_.each<[string, Partial<Validation>]>([
    ['has its program in a folder', { ...withFiles('src/check'), run: ['{dir}/src/check'] }],
    ['is readable only for its user', { ...buildBy(MINE), run: ['{dir}/mine'] }],
    ['made links and a file with a name of ours', buildBy(links)],
  ])('work if the validator %s', async (_, changes) => {
    expect(await makeJudge()(changes)).toMatchObject({ status: 'ACCEPTED' })
  })

  it_.each<[string, Partial<Validation>, string]>([
    ['leaves more than its folder may have', buildBy(LARGE), 'too large'],
    ['leaves paths that are too long', buildBy(LONG), 'too long'],
    ['has a file and a folder with one name', withFiles('check', 'check/a'), 'exclude each other'],
    ['has a second file in place of the program', TWO_SOURCES, 'gets the name "main.cpp"'],
    ['has a file with a name of ours', withFiles('check', '.judging-input'), 'must not have names'],
  ])('are at fault if the validator %s', async (_, changes, message) => {
    const judge_message = expect.stringContaining(message)
    expect(await makeJudge()(changes)).toMatchObject({ status: 'INTERNAL_ERROR', judge_message })
  })
})

const small = makeTestCase('3\n', 'three\n')
const large = makeTestCase('2000\n', 'many\n', true)

type TestCaseValidator = Schemas['TestCaseValidator']

/** A validator in a shell script, run without a compiler. */
function makeValidator(
  type: TestCaseValidator['type'],
  script: string,
  more: Partial<TestCaseValidator> = {},
): TestCaseValidator {
  const files = [{ name: 'check.sh', content: script }]
  return { type, files, run: ['/bin/sh', '{source}'], arguments: {}, ...more }
}

const UP_TO_1000 = `read n
if [ "$n" -le "\${1:-1000}" ]; then exit 42; fi
echo "on stdout"
echo "$n is too large" >&2
exit 43`

describe.each(modes)('a validator of test cases, %s', (mode, missing) => {
  const setup = useSandbox({ mode })
  const it_ = missing === undefined ? it : it.skip
  const validate = (
    validator: TestCaseValidator,
    tests: readonly TestCase[],
    options: JudgingOptions = {},
  ) => {
    const { validators } = makeJudgeTools(setup.sandbox)
    return validateTests({ validator, validators }, makeTestSet(tests, options))
  }

  it_('gets each input on stdin; a rejected one is wrong, with what the validator printed', async () => {
    const verdict = await validate(makeValidator('input', UP_TO_1000), [large, small])
    expect(verdict).toMatchObject({ status: 'WRONG_ANSWER', failed_test_case_id: large.id })
    expect(verdict.test_case_results).toMatchObject([
      { status: 'WRONG_ANSWER', judge_message: '2000 is too large\non stdout\n[exit code 43]' },
      { status: 'ACCEPTED', passed: true },
    ])
    expect(verdict.test_case_results?.[1]).not.toHaveProperty('judge_message')
  })

  it_('gets each answer on stdin and the file of the input', async () => {
    const script = `read answer
[ "$answer $(cat "$1") $2" = "$3" ] && exit 42
echo "$answer $(cat "$1") $2"`
    const more = { [small.id]: ['a', 'three 3 a'], [large.id]: ['b'] }
    const verdict = await validate(makeValidator('answer', script, { arguments: more }), [small, large])
    const messages = verdict.test_case_results?.map(({ judge_message }) => judge_message)
    expect(messages).toEqual([undefined, 'many 2000 b\n[exit code 0]'])
  })

  it_.each([
    ['ends with 0', 'exit 0', '[exit code 0]'],
    ['is killed by a signal', 'kill -ABRT $$', '[killed by SIGABRT]'],
  ])('rejects a test case also if it %s', async (_, script, judge_message) => {
    const verdict = await validate(makeValidator('input', script), [small])
    expect(verdict).toMatchObject({ status: 'WRONG_ANSWER', test_case_results: [{ judge_message }] })
  })

  it_('is at fault if it exceeds a limit: no other test case runs', async () => {
    const options = { limits: { validation_time: 1 } }
    const verdict = await validate(makeValidator('input', 'while :; do :; done'), [small, large], options)
    const judge_message = 'the validator failed: it exceeded its time limit'
    expect(verdict).toMatchObject({ status: 'INTERNAL_ERROR', judge_message })
    expect(verdict.test_case_results).toHaveLength(1)
  })

  it_.each([
    ['does not compile', { build: ['/bin/sh', '-c', 'echo a fault >&2; exit 1'] }, /not compile: a fault/],
    ['has no command', { run: ['/absent/command'] }, /validator cannot run/],
    ['has an unknown language', { language: 'Klingon' }, /Klingon/],
  ])('is at fault if it %s', async (_, more, message) => {
    const verdict = await validate(makeValidator('input', 'exit 42', more), [small])
    const judge_message = expect.stringMatching(message)
    expect(verdict).toMatchObject({ status: 'INTERNAL_ERROR', test_case_results: [], judge_message })
  })
})

describe('the record of a verification', () => {
  const worker = useTestWorker()
  const broken = { ...right, source_code: 'exit 1' }

  it('makes the worker run all test cases of a problem that stops at the first failure', async () => {
    const [first, all] = [worker.service.addSubmission(broken), worker.service.addSubmission(broken)]
    worker.service.tasks.set(all, { run: 'all' })
    await worker.judge(first, all)
    expect(worker.verdictsOf(first)[0]?.test_case_results).toHaveLength(1)
    expect(worker.verdictsOf(all)[0]?.test_case_results).toHaveLength(2)
  })

  it('makes the worker judge the test cases instead of a program, in any language', async () => {
    const id = worker.service.addSubmission({ ...right, language: 'none of the worker' })
    const validator = makeValidator('input', 'read n; [ "$n" = 1 ] && exit 42')
    worker.service.tasks.set(id, { validator: { ...validator, language: shell.name } })
    await worker.judge(id)
    expect(worker.verdictsOf(id)).toMatchObject([
      { status: 'WRONG_ANSWER', test_case_results: [{ passed: true }, { passed: false }] },
    ])
  })
})
