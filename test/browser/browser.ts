import { chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { findChromium } from './find-chromium.ts'

/** A page of a browser of its own, and what it has done. */
export interface OpenPage {
  readonly page: Page
  /** The origins that it has asked for anything. */
  readonly origins: Set<string>
  /** The errors and warnings of its console, and what its scripts threw. */
  readonly complaints: string[]
}

/** Opens an empty page in a browser with an empty profile; it closes with the test. */
export async function openPage(): Promise<OpenPage> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('Chromium is not installed')
  const browser = await chromium.launch({ executablePath, args: quiet })
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } })
  page.setDefaultTimeout(20_000)
  const origins = new Set<string>()
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

/** Nothing but the page is to use the network, and root has no sandbox. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
