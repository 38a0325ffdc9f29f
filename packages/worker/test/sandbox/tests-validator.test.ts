import { describe, expect, it } from 'vitest'
import type { JudgingOptions, TestsValidator } from '../../src/judging-options.ts'
import type { TestCase } from '../../src/test-case.ts'
import { validateTests } from '../../src/validation/validate-tests.ts'
import { makeJudgeTools, makeTestCase, makeTestSet } from '../support/test-cases.ts'
import { right, shell, useTestWorker } from '../support/test-worker.ts'
import { noBubblewrap, useSandbox } from '../support/use-sandbox.ts'

const small = makeTestCase('3\n', 'three\n')
const large = makeTestCase('2000\n', 'many\n', true)

/** A validator in a shell script, run without a compiler. */
function makeValidator(type: TestsValidator['type'], script: string, more: Partial<TestsValidator> = {}) {
  const files = [{ name: 'check.sh', content: script }]
  return { type, files, run: ['/bin/sh', '{source}'], arguments: {}, ...more } as const
}

const UP_TO_1000 = `read n
if [ "$n" -le "\${1:-1000}" ]; then exit 42; fi
echo "on stdout"
echo "$n is too large" >&2
exit 43`

const modes = [['unsandboxed', undefined] as const, ['bubblewrap', noBubblewrap] as const]

describe.each(modes)('a validator of test cases, %s', (mode, missing) => {
  const setup = useSandbox({ mode }, missing)
  const it_ = missing === undefined ? it : it.skip
  const validate = (validator: TestsValidator, tests: readonly TestCase[], options: JudgingOptions = {}) => {
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
    expect(verdict.test_case_results[1]).not.toHaveProperty('judge_message')
  })

  it_('gets each answer on stdin and the file of the input', async () => {
    const script = `read answer
[ "$answer $(cat "$1") $2" = "$3" ] && exit 42
echo "$answer $(cat "$1") $2"`
    const more = { [small.id]: ['a', 'three 3 a'], [large.id]: ['b'] }
    const verdict = await validate(makeValidator('answer', script, { arguments: more }), [small, large])
    const messages = verdict.test_case_results.map(({ judge_message }) => judge_message)
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
    const options = { limits: { validationSeconds: 1 } }
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
    expect(verdict).toMatchObject({ status: 'INTERNAL_ERROR', test_case_results: [] })
    expect(verdict.judge_message).toMatch(message)
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
