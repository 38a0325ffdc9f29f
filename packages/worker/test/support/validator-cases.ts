import { describe, expect, it } from 'vitest'
import type { JudgingOptions, ProgramValidation } from '../../src/judging-options.ts'
import type { TestCase } from '../../src/test-case.ts'
import type { Verdict } from '../../src/verdict.ts'
import { findDefaultLanguage } from './default-languages.ts'
import { judgeOnTests, makeTestCase } from './test-cases.ts'
import { useSandbox } from './use-sandbox.ts'

const limits = { wallSeconds: 10, cpuSeconds: 5, memoryMib: 256 }

/** A validator in JavaScript; `code` may use `input`, `answer`, `feedback` and `output`. */
function validate(code: string, more: Partial<ProgramValidation> = {}): JudgingOptions {
  const content = `const fs = require('fs')
    const [input, answer, feedback, ...flags] = process.argv.slice(2)
    const say = (name, text) => fs.writeFileSync(feedback + name, text)
    ${code}`
  const files = [{ name: 'validate.js', content }]
  return { validation: { type: 'custom', protocol: 'format', language: 'js', files, ...more } }
}

const usual = [makeTestCase('10\n', 'not used\n')]

/** Tests validators in this sandbox, unless there is an obstacle. */
export function testValidators(mode: 'unsandboxed' | 'bubblewrap', obstacle?: string) {
  describe(`a validator, ${mode}`, () => {
    const setup = useSandbox({ mode }, obstacle)
    const judge = (code: string, options: JudgingOptions, tests: readonly TestCase[] = usual) =>
      judgeOnTests(
        { sandbox: setup.sandbox, language: findDefaultLanguage('js'), sourceCode: code, limits },
        tests,
        options,
      )
    const it_ = obstacle === undefined ? it : it.skip

    it_.each([
      ['crashes', 'throw new Error("no such file")', 'no such file'],
      [
        'leaves a link as score.txt',
        `say('real', '1'); fs.symlinkSync('real', feedback + 'score.txt'); process.exit(42)`,
        'score.txt is not a file',
      ],
      [
        'leaves a folder as score_multiplier.txt',
        `fs.mkdirSync(feedback + 'score_multiplier.txt'); process.exit(42)`,
        'score_multiplier.txt is not a file',
      ],
    ])('is at fault if it %s', async (_, code, message) => {
      const verdict = await judge('console.log(1)', validate(code))
      expect(verdict).toMatchObject({
        status: 'INTERNAL_ERROR',
        stderr: expect.stringContaining('not the fault'),
      })
      expect(verdict.stderr).not.toContain(message)
      expect(messagesOf(verdict)).toContain(message)
    })

    it_('gets the input, the answer, its flags and the output, which it cannot change', async () => {
      const code = `const output = fs.readFileSync(0, 'utf8')
      const tryTo = (work) => { try { work(); return 'done' } catch (err) { return err.code } }
      console.error(JSON.stringify([output, fs.readFileSync(input, 'utf8'), fs.readFileSync(answer, 'utf8'), flags,
        feedback.endsWith('/'), fs.readdirSync(feedback),
        tryTo(() => fs.writeFileSync(answer, 'mine')), tryTo(() => fs.appendFileSync(__filename, '//'))]))
      say('left behind', '')
      process.exit(42)`
      const options = validate(code, { flags: '--most 5' })
      const tests = [makeTestCase('in 1', 'answer 1'), makeTestCase('', '')]
      const verdict = await judge('process.stdout.write("out")', options, tests)
      const seen = verdict.test_case_results.map(({ judge_message = '' }) => JSON.parse(judge_message))
      const refused = mode === 'bubblewrap' ? expect.stringMatching(/^E(ROFS|ACCES)$/) : expect.any(String)
      expect(seen).toEqual([
        ['out', 'in 1', 'answer 1', ['--most', '5'], true, [], refused, refused],
        ['out', '', '', ['--most', '5'], true, [], refused, refused],
      ])
    })

    it_.each([
      ['run', { run: ['{dir}/absent'] }, /validator (cannot run|failed)/],
      ['build', { build: ['{dir}/absent'], run: ['{dir}/check'] }, /validator (cannot run|does not compile)/],
    ])('is at fault if its %s command does not exist', async (_, commands, message) => {
      const files = [{ name: 'check', content: 'exit 42' }]
      const validation = { type: 'custom', protocol: 'format', files, ...commands } as const
      const verdict = await judge('console.log(1)', { validation })
      expect(verdict.status).toBe('INTERNAL_ERROR')
      expect(messagesOf(verdict)).toMatch(message)
    })

    it_('gets the bytes of the output as they are', async () => {
      const code = `process.exit(fs.readFileSync(0).toString('hex') === 'ff0a' ? 42 : 43)`
      const program = 'process.stdout.write(Buffer.of(255, 10))'
      expect(await judge(program, validate(code))).toMatchObject({ status: 'ACCEPTED' })
    })
  })
}

function messagesOf(verdict: Verdict): string {
  const ofCases = verdict.test_case_results.map((result) => result.judge_message)
  return [verdict.judge_message, ...ofCases].join('\n')
}
