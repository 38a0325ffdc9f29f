import { spawnSync } from 'node:child_process'
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { describeVerification } from '../src/commands/verify.ts'
import { createCredentialsFile, formatCredentials } from '../src/credentials-file.ts'
import { createCsvStream, formatCsv, isMadeSafe } from '../src/csv.ts'
import { createWriter, formatBytes } from '../src/text.ts'

const plain = createWriter(false)

describe('a table', () => {
  it('has aligned columns without lines, also for wide characters', () => {
    const rows = [
      ['1', '和'],
      ['10', 'Sum'],
    ]
    expect(plain.table(['Id', 'Title'], rows)).toBe('ID  TITLE\n1   和\n10  Sum')
  })

  it('shows no control characters, and each row on one line', () => {
    expect(plain.table(['A'], [['\u001b[31mred\nline']])).toBe('A\n\ufffd[31mred line')
  })
})

describe('the report of a verification', () => {
  const done = { id: 'x', problem_id: 7, status: 'DONE', created_at: '' } as const

  it('has a line for each program, the rejected tests and the time limit', () => {
    const right = { path: 'submissions/accepted/a.py', language: 'Python', expected: 'ACCEPTED' }
    const wrong = { path: 'submissions/wrong_answer/b.py', expected: 'WRONG_ANSWER', score: 40 }
    const check = {
      path: 'input_validators/check.py',
      kind: 'input',
      status: 'REJECTED',
      agrees: false,
    } as const
    const report = describeVerification(plain, {
      ...{ ...done, agrees: false },
      programs: [
        { ...right, status: 'ACCEPTED', slowest_time: 0.31, agrees: true },
        { ...wrong, status: 'ACCEPTED', slowest_time: 1, agrees: false, message: 'All tests passed.' },
      ],
      validators: [{ ...check, rejected: [{ test_case: 'secret/03', message: 'n is 0' }] }],
      time_limit: {
        ...{ seconds: 2, provisional: true, computed: 1, slowest_accepted: 0.31, fastest_too_slow: 2.4 },
      },
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

describe('the command without a build', () => {
  it('says how to build it', async () => {
    const folder = await makeTemporaryFolder()
    await cp(fileURLToPath(new URL('../bin', import.meta.url)), join(folder, 'bin'), { recursive: true })
    const ran = spawnSync(process.execPath, [join(folder, 'bin/judge.js')], { encoding: 'utf8' })
    expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining('`npm run build`') })
  })
})

const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠1']
const HARMLESS = ['a=1', "'=1", '"quoted"', 'a,b', 'two\nlines', '', 'Ö', ' =1']

describe('a CSV file', () => {
  it('has an apostrophe in front of everything that a spreadsheet takes for a formula', () => {
    const cells = [...FORMULAS, ...HARMLESS].map((cell) => [cell])
    const [, ...rows] = parse(formatCsv(['cell'], cells), { bom: true, skip_empty_lines: false })
    expect(rows).toEqual([...FORMULAS.map((cell) => [`'${cell}`]), ...HARMLESS.map((cell) => [cell])])
  })

  it('leaves numbers as they are, and absent cells empty', () => {
    expect(formatCsv(['a', 'b', 'c'], [[-1, undefined, '-1']])).toBe("\ufeffa,b,c\r\n-1,,'-1\r\n")
  })

  it('is the same as a stream', async () => {
    const rows = [...FORMULAS, ...HARMLESS].map((cell, i) => [cell, i])
    const stream = createCsvStream(['cell', 'number'])
    for (const row of rows) stream.write(row)
    stream.end()
    expect(await text(stream)).toBe(formatCsv(['cell', 'number'], rows).slice(1))
  })

  it('tells which texts it changes', () => {
    expect(FORMULAS.filter((cell) => !isMadeSafe(cell))).toEqual([])
    expect(HARMLESS.filter(isMadeSafe)).toEqual([])
  })
})

const noon = new Date(2026, 11, 1, 12, 0, 5)
const account = { name: 'Nora "N" Berg', email: 'nora@example.org', password: 'h7kd-2mvp', team: '=Red' }

describe('the file of passwords', () => {
  it('has a new name each time, and only its owner can read it', async () => {
    const folder = await makeTemporaryFolder()
    const files = [await createCredentialsFile(folder, noon), await createCredentialsFile(folder, noon)]
    expect(files.map(({ path }) => path)).toEqual([
      join(folder, 'credentials-20261201-120005.csv'),
      join(folder, 'credentials-20261201-120005-2.csv'),
    ])
    for (const { path } of files) expect((await stat(path)).mode & 0o777).toBe(0o600)
    await Promise.all(files.map((file) => file.discard()))
    expect(await readdir(folder)).toEqual([])
  })

  it('has a row for each account, safe for spreadsheets', async () => {
    const file = await createCredentialsFile(join(await makeTemporaryFolder(), 'class.csv'))
    await file.write(formatCredentials([account, { name: 'Omar', email: 'omar@example.org', password: 'x' }]))
    expect(await readFile(file.path, 'utf8')).toBe(
      '\ufeffname,email,team,password\r\n' +
        `"Nora ""N"" Berg",nora@example.org,'=Red,h7kd-2mvp\r\nOmar,omar@example.org,,x\r\n`,
    )
  })

  it('replaces no file', async () => {
    const path = join(await makeTemporaryFolder(), 'class.csv')
    await writeFile(path, 'old')
    await expect(createCredentialsFile(path)).rejects.toMatchObject({
      ...{ exitCode: 2, message: `${path} exists already. Choose another name.` },
    })
    expect(await readFile(path, 'utf8')).toBe('old')
  })

  it('names a folder that does not exist', async () => {
    const path = join(await makeTemporaryFolder(), 'none', 'class.csv')
    await expect(createCredentialsFile(path)).rejects.toMatchObject({ code: 'ENOENT', path })
  })
})
