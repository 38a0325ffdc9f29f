import { spawnSync } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { describeVerification } from '../src/commands/verify.ts'
import { startProgress } from '../src/progress.ts'
import { createWriter, formatBytes } from '../src/text.ts'

const plain = createWriter(false)

describe('a table', () => {
  it('has aligned columns without lines, also for wide characters', () => {
    expect(
      plain.table(
        ['Id', 'Title'],
        [
          ['1', '和'],
          ['10', 'Sum'],
        ],
      ),
    ).toBe('ID  TITLE\n1   和\n10  Sum')
  })

  it('shows no control characters, and each row on one line', () => {
    expect(plain.table(['A'], [['\u001b[31mred\nline']])).toBe('A\n\ufffd[31mred line')
  })
})

describe('the report of a verification', () => {
  it('has a line for each program, the rejected tests and the time limit', () => {
    const text = describeVerification(plain, {
      ...{ id: 'x', problem_id: 7, status: 'DONE', agrees: false, created_at: '' },
      programs: [
        {
          ...{ path: 'submissions/accepted/a.py', language: 'Python', expected: 'ACCEPTED' },
          ...{ status: 'ACCEPTED', slowest_time: 0.31, agrees: true },
        },
        {
          ...{
            path: 'submissions/wrong_answer/b.py',
            expected: 'WRONG_ANSWER',
            status: 'ACCEPTED',
            score: 40,
          },
          ...{ slowest_time: 1, agrees: false, message: 'All tests passed.' },
        },
      ],
      validators: [
        {
          ...{ path: 'input_validators/check.py', kind: 'input', status: 'REJECTED', agrees: false },
          rejected: [{ test_case: 'secret/03', message: 'n is 0' }],
        },
      ],
      time_limit: {
        seconds: 2,
        provisional: true,
        computed: 1,
        slowest_accepted: 0.31,
        fastest_too_slow: 2.4,
      },
    })
    expect(text.split('\n')).toEqual([
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
})

describe('the summary of a verification', () => {
  const part = { path: 'submissions/accepted/a.hs', expected: 'ACCEPTED', status: 'NOT_JUDGED' }
  const describeReport = (found: { agrees?: boolean; message?: string; outdated?: true }) =>
    describeVerification(plain, {
      ...{ id: 'x', problem_id: 7, status: 'DONE', created_at: '', ...found, programs: [part] },
      ...{ validators: [], time_limit: { seconds: 2, provisional: false } },
    }).split('\n')
  const summarize = (agrees: boolean) => describeReport({ agrees }).at(-1)

  it('names the programs that could not be judged', () => {
    const note = 'Not judged: submissions/accepted/a.hs.'
    expect(summarize(true)).toBe(`All other results are as expected. ${note}`)
    expect(summarize(false)).toBe(`Not as expected. ${note}`)
  })

  it('says why nothing was judged', () => {
    const message = 'The service cannot judge any program'
    expect(describeReport({ message }).at(-1)).toBe(`${message}. Not judged: submissions/accepted/a.hs.`)
  })

  it('says that the problem has changed meanwhile', () => {
    const warning = expect.stringMatching(/^The problem has changed .* Verify it again\.$/)
    expect(describeReport({ agrees: true, outdated: true })).toContainEqual(warning)
    expect(describeReport({ agrees: true })).not.toContainEqual(warning)
  })
})

describe('numbers of bytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1500, '1.5 kB'],
    [256e6, '256.0 MB'],
    [5e12, '5000.0 GB'],
  ])('%d are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })
})

describe('a progress bar', () => {
  const show = (isTTY: boolean) => {
    const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 })
    const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr, env: {}, interrupts: process }
    const progress = startProgress(io, 'Uploading', 100, '100 B')
    progress.advance(50)
    progress.stop()
    return String(stderr.read() ?? '')
  }

  it('is shown on a terminal only', () => {
    expect(show(true)).toContain('Uploading [')
    expect(show(false)).toBe('')
  })
})

describe('the command without a build', () => {
  it('says how to build it', async () => {
    const folder = await makeTemporaryFolder()
    await cp(fileURLToPath(new URL('../bin', import.meta.url)), join(folder, 'bin'), { recursive: true })
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'bin/judge.js')], {
      encoding: 'utf8',
    })
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('`npm run build`'),
    })
  })
})
