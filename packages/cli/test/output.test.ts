import { spawnSync } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { openPage } from '../../../test/clients/browser.ts'
import { findChromium } from '../../../test/clients/find-chromium.ts'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { NewAccount } from '../src/accounts/people-csv.ts'
import { formatSlips } from '../src/accounts/slips.ts'
import { describeVerification } from '../src/commands/verify.ts'
import { createCsvStream, formatCsv, isMadeSafe } from '../src/shared/csv.ts'
import { printNote, printText } from '../src/shared/io.ts'
import { colourVerdict, createWriter, formatJson } from '../src/shared/text.ts'

const plain = createWriter(false)

it.each([
  [['ACCEPTED', undefined, 100], 'ACCEPTED (100)', 'green'],
  [['WRONG_ANSWER', 'PRESENTATION_ERROR', 40], 'WRONG_ANSWER (PRESENTATION_ERROR, 40)', 'red'],
  [['PENDING', undefined], 'PENDING', 'yellow'],
] as const)('a verdict %j is shown as %s in %s', ([status, ...details], text, colour) => {
  expect(colourVerdict(status, ...details)).toEqual({ text, colour })
})

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

const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠1']
const HARMLESS = ['a=1', "'=1", '"quoted"', 'a,b', '\u0646\u200C\u0627', '', 'Ö', ' =1']

it('a CSV file has an apostrophe in front of everything that a spreadsheet takes for a formula', () => {
  const cells = [...FORMULAS, ...HARMLESS].map((cell) => [cell])
  const [, ...rows] = parse(formatCsv(['cell'], cells), { bom: true, skip_empty_lines: false })
  expect(rows).toEqual([...FORMULAS.map((cell) => [`'${cell}`]), ...HARMLESS.map((cell) => [cell])])
})

const HIDDEN = 'a\tb\nc\u001B[2J\u009B\u202Ed\u200B\u200D \u0646\u200C\u0627'
const SHOWN = 'a\uFFFDb\uFFFDc\uFFFD[2J\uFFFD\uFFFDd\uFFFD\uFFFD \u0646\u200C\u0627'

it('a CSV file shows control, format and direction characters as U+FFFD, but keeps passwords', async () => {
  const header = ['name', 'password']
  const [, row] = parse(formatCsv(header, [[HIDDEN, HIDDEN]]), { bom: true })
  expect(row).toEqual([SHOWN, HIDDEN])
  const stream = createCsvStream(header)
  stream.end([HIDDEN, HIDDEN])
  expect(parse(await text(stream), { bom: true })[1]).toEqual([SHOWN, HIDDEN])
  for (const password of ['=1', '\t1']) expect(isMadeSafe(password)).toBe(true)
  for (const password of ['1=', '"=', '\u001B', ' =1']) expect(isMadeSafe(password)).toBe(false)
})

it('texts, notes and errors show them as U+FFFD too, and only line breaks and tabs stay; colours are the own ones', async () => {
  const shown = SHOWN.replace('\uFFFDb\uFFFD', '\tb\n')
  expect(plain.paint(HIDDEN)).toBe(shown)
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  printText(stdout, `${createWriter(true).paint({ text: HIDDEN, colour: 'red' })} ${HIDDEN}\u001B[8m`)
  printNote({ stderr }, `Submitted: ${HIDDEN}\u001B[31m`)
  expect(await text(stdout.end())).toBe(`\u001B[31m${shown}\u001B[39m ${shown}\uFFFD[8m\n`)
  expect(await text(stderr.end())).toBe(`Submitted: ${shown}\uFFFD[31m\n`)
  const document = { [HIDDEN]: ['\u{E0041}', HIDDEN] }
  expect(formatJson(document, 2)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(formatJson(document, 2))).toEqual(document)
})

const url = 'https://judge.example.org'

const makeAccounts = (number: number): NewAccount[] =>
  Array.from({ length: number }, (_, i) => ({
    ...{ name: `Person ${i}`, email: `person-${i}@example.org`, password: `pass-${i}` },
  }))

const HOSTILE =
  '</p><script>document.title="gone"</script><img src="https://evil.example/x" onerror=alert(1)>'
const accounts: readonly NewAccount[] = [
  { name: HOSTILE, email: '"a"&b\'@example.org', password: '<b>&amp;"\'  x', team: HOSTILE },
  { name: 'Nora \u202egreB', email: 'nora@example.org', password: 'h7kd-2mvp-9tqe-xw4c', team: 'Red' },
  { name: 'W'.repeat(255), email: `${'w'.repeat(243)}@example.org`, password: 'W'.repeat(1024) },
  { name: 'very long '.repeat(25), email: 'a@b', password: '2 '.repeat(125), team: 'T'.repeat(255) },
  { name: 'שלום', email: 'shalom@example.org', password: 'a'.repeat(60), team: 'قوي' },
]

async function open(html: string) {
  const file = join(await makeTemporaryFolder(), 'slips.html')
  await writeFile(file, html)
  const opened = await openPage()
  await opened.page.goto(pathToFileURL(file).href)
  await opened.page.emulateMedia({ media: 'print' })
  return opened
}

it('slips contain no script, no link and no text that is not escaped', () => {
  const html = formatSlips({ title: HOSTILE, url: `${url}/"><script>`, accounts })
  expect(html).not.toMatch(/<(script|img|a|link|iframe)\b/)
  expect(html).toContain('&lt;b&gt;&amp;amp;&quot;&#39;  x')
})

describe.skipIf(findChromium() === undefined)('slips in a browser', () => {
  it.each([
    [1, 1],
    [6, 1],
    [7, 2],
  ])('of %i people are %i pages of A4', async (people, pages) => {
    const { page } = await open(formatSlips({ title: 'Exam', url, accounts: makeAccounts(people) }))
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(pages)
    for (const [, width, height] of pdf.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)) {
      expect(Math.abs(Number(width) - 595.28)).toBeLessThan(1)
      expect(Math.abs(Number(height) - 841.89)).toBeLessThan(1)
    }
  })

  it('show hostile texts as they are, but no direction characters, and load nothing', async () => {
    const { page, origins, complaints } = await open(formatSlips({ title: HOSTILE, url, accounts }))
    expect(await page.title()).toBe(HOSTILE)
    expect(await page.locator('.name').allTextContents()).toEqual(
      accounts.map(({ name }) => name.replace('\u202e', '\ufffd')),
    )
    expect(await page.locator('.password').allTextContents()).toEqual(accounts.map((one) => one.password))
    expect([...origins].filter((origin) => origin !== 'null')).toEqual([])
    expect(complaints).toEqual([])
  })

  it('use their own style only, never overflow, and never cut a password', async () => {
    const html = formatSlips({ title: 'T'.repeat(255), url: `${url}/${'u'.repeat(300)}`, accounts })
    const { page } = await open(html.replace('</head>', '<style>.name { display: none }</style></head>'))
    expect(await page.locator('.name').first().isVisible()).toBe(true)
    const rectangles = await page.locator('.slip').evaluateAll((slips) =>
      slips.map((slip) => {
        const outer = slip.getBoundingClientRect()
        const password = slip.querySelector('.password')?.getBoundingClientRect()
        return {
          fits: slip.scrollHeight <= slip.clientHeight && slip.scrollWidth <= slip.clientWidth,
          isWhole: password !== undefined && password.bottom <= outer.bottom && password.right <= outer.right,
        }
      }),
    )
    expect(rectangles).toEqual(accounts.map(() => ({ fits: true, isWhole: true })))
  })
})
