import { describe, it } from 'vitest'
import { freezes, isOver, nameOf, openBoardContests, runs } from './board-contests.ts'
import { openPage } from './browser.ts'
import { findChromium } from './find-chromium.ts'

describe.skipIf(findChromium() === undefined)('the clock of the scoreboard', () => {
  it('says in a frozen contest that some have extra time, until their end', async () => {
    const board = await openBoardContests([nameOf(0), nameOf(1)], 1)
    const { admin } = board.contests
    const eventId = await board.createContest({ ...runs(), ...freezes() })
    const slow = `/v1/events/${eventId}/participants/${board.people[0]?.id}`
    await admin.put(slow, { extra_minutes: 30 }, 200)
    const { page } = await openPage()
    await page.goto(`${board.url}/v1/scoreboard/${eventId}`)
    const clock = (text: string | RegExp) => page.locator('.clock', { hasText: text }).waitFor()
    await clock('Time left')
    await admin.put(`/v1/events/${eventId}`, isOver())
    await clock(/^Ended; some have extra time\s*$/)
    await page.locator('.banner.frozen').waitFor()
    await admin.put(slow, { extra_minutes: null }, 200)
    await clock(/^Ended\s*$/)
    await page.locator('.banner.frozen').waitFor()
  })
})
