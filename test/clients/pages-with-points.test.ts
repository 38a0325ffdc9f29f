import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { SOLUTION } from '../../tools/local-servers/submitter.ts'
import { startBoard } from './board-contests.ts'
import { inBrowser, openPage, takePicture } from './browser.ts'
import { logIn, startContest } from './class-contest.ts'

/** The totals and the results in cells that are wider than their place. */
const cutTexts = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('td.total, .cell .main')]
    .filter((text) => {
      const range = document.createRange()
      range.selectNodeContents(text)
      const place = text.closest('td').getBoundingClientRect()
      const { left, right } = range.getBoundingClientRect()
      return left < place.left || right > place.right
    })
    .map((text) => text.innerText)`)

inBrowser('a contest that ranks by points', () => {
  it('has points and no minutes on the scoreboard, also decimals', async () => {
    const { board, eventId, admin, event, url } = await startBoard({ scoring: 'points' })
    await board.store(eventId, 0, 0, 27, 'WRONG_ANSWER', 40.25)
    await board.store(eventId, 1, 1, 30, 'ACCEPTED')
    const [, second] = await admin.get(`${event}/problems`)
    const set = (points: number) => admin.put(`${event}/problems/${second.id}`, { points })
    await set(262.5)
    const { page } = await openPage()
    await page.setViewportSize({ width: 1920, height: 1080 })
    await page.goto(url)
    const totals = () => page.locator('.total').allInnerTexts()
    await expect.poll(totals).toEqual(['Points', '262.5', '40.25'])
    await page.getByRole('columnheader', { name: 'B 262.5 points' }).waitFor()
    await page.getByRole('cell', { name: '40.25 points, 1 try' }).waitFor()
    await page.getByRole('cell', { name: 'solved, 262.5 points, 1 try, first solution' }).waitFor()
    expect(await page.locator('tbody').innerText()).not.toMatch(/\b(27|30|min)\b/)
    await takePicture(page, 'points')
    expect(await cutTexts(page)).toEqual([])
    await set(999_999.99)
    await expect.poll(totals).toEqual(['Points', '999999.99', '40.25'])
    await takePicture(page, 'points-many')
    expect(await cutTexts(page)).toEqual([])
  })

  it('has points and no minutes on the page of those who take part, also on a phone', async () => {
    const { admin, berta, event, pageUrl } = await startContest({ scoring: 'points' })
    const [attached] = await admin('GET', `${event}/problems`)
    await admin('PUT', `${event}/problems/${attached.id}`, { points: 1262.5 })
    await berta('POST', `/public${event}/register`, {})
    const { page } = await openPage()
    await page.goto(pageUrl)
    await logIn(page)
    await page.getByRole('link', { name: /Twice as much.*1262\.5 points/ }).click()
    await page.getByRole('heading', { name: /Twice as much 1262\.5 points/ }).waitFor()
    await page.getByLabel('Program').fill(SOLUTION)
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.locator('.submissions .verdict', { hasText: 'Accepted' }).waitFor()
    await page.getByRole('link', { name: 'Standings' }).click()
    await page.getByRole('cell', { name: 'solved, 1262.5 points, 1 try, first solution' }).waitFor()
    expect(await page.locator('.total').allInnerTexts()).toEqual(['Points', '1262.5'])
    expect(await page.locator('tbody').innerText()).not.toMatch(/\bmin/)
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 })
      expect([width, await cutTexts(page)]).toEqual([width, []])
      await takePicture(page, `contest-points-${width}`)
    }
  })
})
