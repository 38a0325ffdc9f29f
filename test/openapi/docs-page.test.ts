import { describe, expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'

const service = await openTestApp()

const read = (url: string) => service.send({ method: 'GET', url })

/** What an HTML page loads by itself. */
const loadedBy = (html: string) => [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url = '']) => url)

describe('the page at /docs', () => {
  it('loads only files that the service has', async () => {
    for (const place of ['/docs', '/docs/']) {
      const page = await read(place)
      expect(page.headers['content-type']).toContain('text/html')
      const files = loadedBy(page.text)
      expect(files).toContainEqual(expect.stringContaining('swagger-ui-bundle.js'))
      for (const file of files) {
        const url = new URL(file, `http://service${place}`)
        expect(url.host).toBe('service')
        expect(await read(url.pathname), file).toMatchObject({ status: 200 })
      }
    }
  })

  it('shows the document of /openapi.json and no other', async () => {
    expect((await read('/docs/static/swagger-initializer.js')).text).toContain("resolveUrl('./json')")
    expect(await read('/docs/json')).toMatchObject({
      status: 302,
      headers: { location: '../openapi.json' },
    })
  })

  it('may run its own scripts only, and send its requests only here', async () => {
    for (const url of ['/docs', '/docs/static/swagger-ui-bundle.js']) {
      const { headers } = await read(url)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
      const policy = headers['content-security-policy']?.split('; ')
      expect(policy).toEqual(
        expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
      )
      expect(policy?.join()).not.toMatch(/unsafe|http|\*/)
    }
  })

  it('is logged like everything else, and carries the id of its request', async () => {
    service.log.length = 0
    for (const url of ['/docs', '/docs/static/swagger-ui.css']) {
      const { headers } = await read(url)
      const line = JSON.parse(service.log.at(-1) ?? '')
      expect(line).toMatchObject({ msg: 'request', status: 200, reqId: headers['x-request-id'] })
    }
    expect(service.log).toHaveLength(2)
  })

  it('has nothing below it but its files: all else is 404, with the one error body (D1, D2)', async () => {
    const below = [
      '',
      '/',
      '/index.html',
      '/index%2ehtml',
      '/nothing.js',
      '/..%2fpackage.json',
      '//package.json',
      '/%00',
      '/.env',
    ]
    for (const url of ['/docs/nothing', '/docs/yaml', ...below.map((path) => `/docs/static${path}`)]) {
      const error = `There is no route GET ${url}`
      expect(await read(url), url).toMatchObject({
        status: 404,
        body: { error, code: 'NOT_FOUND', message: error },
      })
    }
    expect(await service.send({ method: 'POST', url: '/docs', body: {} })).toMatchObject({ status: 404 })
  })
})
