import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openPage } from '../../../test/clients/browser.ts'
import { findChromium } from '../../../test/clients/find-chromium.ts'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { NewAccount } from '../src/credentials-file.ts'
import { formatSlips } from '../src/slips.ts'

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
    const html = formatSlips({ title: 'Exam', url, accounts: makeAccounts(people) })
    const { page } = await open(html)
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(pages)
    for (const [, width, height] of pdf.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)) {
      expect(Math.abs(Number(width) - 595.28)).toBeLessThan(1)
      expect(Math.abs(Number(height) - 841.89)).toBeLessThan(1)
    }
  })

  it('show hostile texts as they are, and load nothing', async () => {
    const { page, origins, complaints } = await open(formatSlips({ title: HOSTILE, url, accounts }))
    expect(await page.title()).toBe(HOSTILE)
    expect(await page.locator('.name').allTextContents()).toEqual(accounts.map(({ name }) => name))
    expect(await page.locator('.password').allTextContents()).toEqual(accounts.map((one) => one.password))
    expect([...origins].filter((origin) => origin !== 'null')).toEqual([])
    expect(complaints).toEqual([])
  })

  it('use their own style only, never overflow, and never cut a password', async () => {
    const html = formatSlips({ title: 'T'.repeat(255), url: `${url}/${'u'.repeat(300)}`, accounts })
    const other = '<style>.name { display: none }</style></head>'
    const { page } = await open(html.replace('</head>', other))
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
