import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openListeningApp } from '../../packages/client/test/support/listening-app.ts'
import { openPage } from './browser.ts'
import { findChromium } from './find-chromium.ts'

/** Polls a list as any page does, and counts what is in it. */
const POLL = `async ([url, authorization]) => (await (await fetch(url, { headers: { authorization } })).json()).length`

/** Serves an empty page from another origin than the service's; what has no origin has no cache either. */
async function servePage(): Promise<string> {
  const server = createServer(
    (_, res) => void res.setHeader('content-type', 'text/html').end('<!doctype html>'),
  )
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${Object(server.address()).port}`
}

describe('a page of another origin that polls a list', () => {
  const test = it.skipIf(findChromium() === undefined)

  test('gets a 304 under way and the list out of the browser’s own cache, until it changes', {
    timeout: 60_000,
  }, async () => {
    const service = await openListeningApp({ CORS_ORIGINS: '*' })
    onTestFinished(() => service.close())
    const { token } = await service.createSubmitter()
    const { page, complaints } = await openPage()
    await page.goto(await servePage())
    const poll = () => page.evaluate(`(${POLL})(${JSON.stringify([`${service.url}/v1/problems`, token])})`)
    expect([await poll(), await poll()]).toEqual([1, 1])
    await service.createSubmitter()
    expect([await poll(), await poll()]).toEqual([2, 2])
    const statuses = service.log
      .map((line) => JSON.parse(line))
      .filter(({ method, route }) => method === 'GET' && route === '/v1/problems')
      .map(({ status }) => status)
    expect(statuses).toEqual([200, 304, 200, 304])
    expect(complaints).toEqual([])
  })
})
