import { spawnSync } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { describeVerification } from '../src/commands/verify.ts'
import { formatCsv } from '../src/csv.ts'
import { createWriter } from '../src/text.ts'

const plain = createWriter(false)

describe('the report of a verification', () => {
  const done = { id: 'x', problem_id: 7, status: 'DONE', created_at: '' } as const

  it('has a line for each program, the rejected tests and the time limit', () => {
    const right = { path: 'submissions/accepted/a.py', language: 'Python', expected: 'ACCEPTED' }
    const wrong = { path: 'submissions/wrong_answer/b.py', expected: 'WRONG_ANSWER', score: 40 }
    const check = { path: 'input_validators/check.py', kind: 'input', status: 'REJECTED' } as const
    const limit = { seconds: 2, provisional: true, computed: 1, slowest_accepted: 0.31 }
    const report = describeVerification(plain, {
      ...{ ...done, agrees: false },
      programs: [
        { ...right, status: 'ACCEPTED', slowest_time: 0.31, agrees: true },
        { ...wrong, status: 'ACCEPTED', slowest_time: 1, agrees: false, message: 'All tests passed.' },
      ],
      validators: [{ ...check, agrees: false, rejected: [{ test_case: 'secret/03', message: 'n is 0' }] }],
      time_limit: { ...limit, fastest_too_slow: 2.4 },
    })
    expect(report.split('\n')).toEqual([
      'PROGRAM                        EXPECTED      ACTUAL         SLOWEST',
      'submissions/accepted/a.py      ACCEPTED      ACCEPTED       0.31 s   as expected',
      'submissions/wrong_answer/b.py  WRONG_ANSWER  ACCEPTED (40)  1.00 s   NOT AS EXPECTED',
      '  submissions/wrong_answer/b.py: All tests passed.',
      '',
      'VALIDATOR                  CHECKS  RESULT',
      'input_validators/check.py  input   REJECTED  NOT AS EXPECTED',
      '  input_validators/check.py, secret/03: n is 0',
      '',
      'Time limit: 2 s (provisional), computed: 1 s, slowest accepted: 0.31 s, fastest too slow: 2.40 s',
      '',
      '2 results not as expected.',
    ])
  })

  const NOTE = 'Not judged: submissions/accepted/a.hs.'
  const CHANGED = expect.stringMatching(/^The problem has changed .* Verify it again\.$/)
  it.each([
    ['programs that could not be judged', { agrees: true }, `All other results are as expected. ${NOTE}`],
    ['the same beside faults', { agrees: false }, `Not as expected. ${NOTE}`],
    ['why nothing was judged', { message: 'No judge' }, `No judge. ${NOTE}`],
    ['that the problem has changed meanwhile', { agrees: true, outdated: true } as const, CHANGED],
  ])('says %s', (_, found, line) => {
    const program = { path: 'submissions/accepted/a.hs', expected: 'ACCEPTED', status: 'NOT_JUDGED' }
    const time_limit = { seconds: 2, provisional: false }
    const report = { ...done, ...found, programs: [program], validators: [], time_limit }
    const lines = describeVerification(plain, report).split('\n')
    expect(lines).toContainEqual(line)
    expect(lines.some((text) => text.startsWith('The problem has changed'))).toBe('outdated' in found)
  })
})

it('the command without a build says how to build it', async () => {
  const folder = await makeTemporaryFolder()
  await cp(fileURLToPath(new URL('../bin', import.meta.url)), join(folder, 'bin'), { recursive: true })
  const ran = spawnSync(process.execPath, [join(folder, 'bin/judge.js')], { encoding: 'utf8' })
  expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining('`npm run build`') })
})

const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠1']
const HARMLESS = ['a=1', "'=1", '"quoted"', 'a,b', 'two\nlines', '', 'Ö', ' =1']

it('a CSV file has an apostrophe in front of everything that a spreadsheet takes for a formula', () => {
  const cells = [...FORMULAS, ...HARMLESS].map((cell) => [cell])
  const [, ...rows] = parse(formatCsv(['cell'], cells), { bom: true, skip_empty_lines: false })
  expect(rows).toEqual([...FORMULAS.map((cell) => [`'${cell}`]), ...HARMLESS.map((cell) => [cell])])
})
