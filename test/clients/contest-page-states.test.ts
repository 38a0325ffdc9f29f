import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { isoIn } from '../support/contests.ts'
import { inBrowser, openPage, takePicture } from './browser.ts'
import { BERTA, logIn, startContest } from './class-contest.ts'

const TINA = { name: 'Tina', email: 'tina@example.org', password: 'a password of Tina' }

/** Opens the page with the account of Berta, who takes part. */
async function openForBerta({ berta, event, pageUrl }: Awaited<ReturnType<typeof startContest>>) {
  await berta('POST', `/public${event}/register`, {})
  const { page } = await openPage()
  await page.goto(pageUrl)
  await logIn(page)
  return page
}

const widthOf = (page: Page, selector = 'html') =>
  page.locator(selector).evaluate((element) => Object(element).scrollWidth)

inBrowser('the page of a contest on a phone', () => {
  it('has no view wider than 360 pixels, and shows verdicts first', async () => {
    const contest = await startContest({ title: 'Prüfung in Donaudampfschifffahrtsgesellschaftsrecht' })
    const page = await openForBerta(contest)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('link', { name: /Twice as much/ }).click()
    await page.getByLabel('Program').fill('console.log(0)')
    expect(await widthOf(page)).toBe(360)
    await page.getByRole('button', { name: 'Submit' }).click()
    const verdict = page.locator('.submissions .verdict', { hasText: 'Wrong answer' })
    await verdict.waitFor()
    expect(await widthOf(page)).toBe(360)
    for (const tab of ['Problems', 'Questions', 'Standings', 'Submissions']) {
      await page.getByRole('link', { name: tab }).click()
      await page.locator(`nav [aria-current]`, { hasText: tab }).waitFor()
      if (tab === 'Standings') await page.locator('tr.own').waitFor()
      expect([tab, await widthOf(page), await widthOf(page, 'nav')]).toEqual([tab, 360, 328])
      await takePicture(page, `phone-${tab.toLowerCase()}`)
    }
    const { x = 0, width = 360 } = (await verdict.boundingBox()) ?? {}
    expect(x).toBeLessThan(40)
    expect(x + width).toBeLessThan(200)
    const tops = await page.locator('nav a').evaluateAll((links) => links.map((a) => Object(a).offsetTop))
    expect(new Set(tops).size).toBe(1)
    expect(await page.locator('.submissions .time').innerText()).toMatch(/^\d\d:\d\d:\d\d [A-Z]/)
  })

  it.each([
    [3, false],
    [9, true],
  ])('shows standings of %i problems, which scroll below the names: %s', async (count, scrolls) => {
    const contest = await startContest()
    for (let number = 2; number <= count; number += 1) {
      const test_cases = [{ input: '1', expected_output: '2', hidden: false }]
      const problem = { title: `Problem ${number}`, identifier: `problem-${number}`, prompt: 'Add.' }
      const { id } = await contest.admin('POST', '/problems', { ...problem, difficulty: 'EASY', test_cases })
      const label = String.fromCharCode(64 + number)
      await contest.admin('POST', `${contest.event}/problems`, { problem_id: id, label, position: number })
    }
    const page = await openForBerta(contest)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('link', { name: 'Standings' }).click()
    await page.locator('tr.own', { hasText: 'Berta' }).waitFor()
    await page.getByText('Scroll the table sideways').waitFor({ state: scrolls ? 'visible' : 'detached' })
    expect(await widthOf(page)).toBe(360)
    expect((await widthOf(page, '.standings-frame')) > 328).toBe(scrolls)
    await page.locator('.standings-frame').evaluate((frame) => Object(frame).scrollBy(1000, 0))
    await takePicture(page, `phone-standings-${count}`)
    const name = await page.locator('tr.own .name').boundingBox()
    expect(name?.x).toBeGreaterThanOrEqual(16)
    const last = await page.locator('thead .problem').last().boundingBox()
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(345)
  })
})

inBrowser('the page of a contest', () => {
  it('takes no program after the end, except in the extra time of this person', async () => {
    const contest = await startContest()
    const page = await openForBerta(contest)
    await page.getByRole('link', { name: /Twice as much/ }).click()
    await page.getByLabel('Program').fill('console.log(0)')
    await contest.admin('PUT', contest.event, { end_time: isoIn(-1) })
    await page.getByText('The contest has ended.').waitFor()
    expect(await page.getByLabel('Program').count()).toBe(0)
    await takePicture(page, 'contest-ended')
    const berta = `${contest.event}/participants/${contest.account.id}`
    await contest.admin('PUT', berta, { extra_minutes: 30 })
    await page.reload()
    await page.getByLabel('Program').waitFor()
    await page.locator('.clock', { hasText: 'Time left' }).waitFor()
  })

  it('asks staff for no question, tells whether an answer is for everybody, and asks before it replaces one', async () => {
    const contest = await startContest({ admission: 'invited' })
    const { admin, berta, event, account } = contest
    await admin('PUT', `${event}/participants/${account.id}`, { extra_minutes: 0 })
    const tina = await contest.anonymous('POST', '/basic_register', TINA)
    await admin('PUT', event, { staff: [tina.id] })
    for (const isPublic of [true, false]) {
      const { id } = await berta('POST', `${event}/questions`, { question: `Public: ${isPublic}?` })
      await admin('PUT', `${event}/questions/${id}/answer`, { answer: 'Yes.', public: isPublic })
    }
    const { page, complaints } = await openPage()
    await page.goto(contest.pageUrl)
    await logIn(page, TINA)
    await page.getByText('You are staff of this contest, and do not take part.').waitFor()
    await page.getByRole('link', { name: 'Questions' }).click()
    await page.getByText('You are staff of this contest: answer with judge contest answer.').waitFor()
    expect(await page.getByLabel('Question').count()).toBe(0)
    const question = (text: string) => page.locator('.questions li', { hasText: text })
    await question('Public: true?').getByText('Answer, for everybody:').waitFor()
    await question('Public: false?').getByText(`Answer, only for ${BERTA.name}:`).waitFor()
    await takePicture(page, 'contest-staff')
    const answer = async (text: string, replaces: boolean) => {
      const asked: string[] = []
      page.once('dialog', (dialog) => {
        asked.push(dialog.message())
        return replaces ? dialog.accept() : dialog.dismiss()
      })
      await question(text).getByLabel('Your answer').fill('No.')
      await question(text).getByRole('button', { name: 'Answer' }).click()
      await expect
        .poll(() => asked)
        .toEqual([expect.stringMatching(/answered already.*Replace the answer\?$/)])
    }
    await answer('Public: false?', false)
    await answer('Public: true?', true)
    await question('Public: true?').locator('.answer', { hasText: 'No.' }).waitFor()
    const stored: { answer: string; is_public: boolean }[] = await admin('GET', `${event}/questions`)
    expect(stored.map(({ answer, is_public }) => [answer, is_public])).toEqual([
      ['Yes.', false],
      ['No.', true],
    ])
    expect(complaints).toEqual([])
  })

  it('shows nothing but the reason of a contest that does not exist', async () => {
    const contest = await startContest()
    const { page } = await openPage()
    await page.goto(`${contest.url}/v1/contest/999`)
    await logIn(page)
    await page.getByRole('alert').filter({ hasText: 'There is no such contest' }).waitFor()
    expect(await page.locator('nav, main').count()).toBe(0)
    await takePicture(page, 'contest-none')
  })
})
