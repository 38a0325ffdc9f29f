import type { Page } from 'playwright-core'

/** Enters a token in the dialog of the reveal. */
export async function sendToken(page: Page, token: string) {
  await page.getByLabel('Or a token').fill(token)
  await page.getByRole('button', { name: 'Start' }).click()
}

/** Starts the reveal with a token of staff. */
export async function enterToken(page: Page, token: string) {
  await page.keyboard.press('t')
  await sendToken(page, token)
  await page.locator('.banner.reveal').waitFor()
}

/** Takes a step with a key; resolves to the cell that it has revealed. */
export async function step(page: Page, key: string) {
  const [response] = await Promise.all([page.waitForResponse(/\/thaw\?/), page.keyboard.press(key)])
  return response.json()
}
