import { once } from 'node:events'
import { createServer } from 'node:http'
import { chromium, type Page } from 'playwright-core'
import { describe, onTestFinished } from 'vitest'
import { WAIT_LIMIT_MS } from '../support/limits.ts'
import { findChromium } from './find-chromium.ts'

/** For tests that need a browser. */
export const inBrowser = describe.skipIf(findChromium() === undefined)

/** Opens an empty page in a browser with an empty profile; it closes with the test. */
export async function openPage() {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('Chromium is not installed')
  const browser = await chromium.launch({ executablePath, args: quiet })
  onTestFinished(() => browser.close())
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_LIMIT_MS)
  /** The origins of its requests. */
  const origins = new Set<string>()
  /** Errors and warnings of its console, and uncaught exceptions. */
  const complaints: string[] = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:') origins.add(origin)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (err) => complaints.push(String(err)))
  return { page, origins, complaints }
}

/**
 * Collects what the policy of the pages that are opened from now on forbids; the result reads it.
 */
export async function watchPolicy(page: Page): Promise<() => Promise<string[]>> {
  const violations: string[] = []
  await page.exposeFunction('tellViolation', (text: string) => void violations.push(text))
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    tellViolation([event.violatedDirective, event.blockedURI, event.sourceFile].join(' ')))`)
  // A round trip: violations from before it have arrived.
  return async () => {
    await page.evaluate(`tellViolation('end')`)
    return violations.filter((text) => text !== 'end')
  }
}

/** Saves a picture of the page in the folder `PICTURES_DIR`, if it is set. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES_DIR
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

/** Serves a page, and scripts by their paths, until the test ends; returns the origin. */
export async function servePage(
  html: string,
  readScript: (path: string) => Promise<string> | undefined = () => undefined,
): Promise<string> {
  const server = createServer(async ({ url = '' }, response) => {
    const script = await readScript(new URL(url, 'http://page').pathname)
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    response.end(script ?? html)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${Object(server.address()).port}`
}

/** Only the page uses the network; root has no sandbox. */
const quiet = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]
