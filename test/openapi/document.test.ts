import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { AppError, type ErrorKind, errorBody } from '../../src/http/routing/errors.ts'
import { openContract } from '../../verification/contract.ts'
import { openTestApp } from '../support/app.ts'
import { openBareApp } from '../support/bare-app.ts'

// The rates are part of the document; the copy holds the defaults.
const rates = ['ACCOUNTS', 'SUBMISSIONS', 'RUNS', 'PUBLIC_RUNS'].map((group) => [`RATE_LIMIT_${group}`, ''])
const service = await openTestApp(Object.fromEntries(rates))
const served = await service.send({ method: 'GET', url: '/openapi.json' })

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(structuredClone(served.body))).toEqual({ valid: true })
  })

  it('leaves the linter nothing to say, by the strictest of its own rules', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: served.text, absoluteRef: 'openapi.json', config })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    )
  })

  it('has every route, under its own name, with words and refusals', () => {
    const operations = Object.values<object>(served.body.paths).flatMap((methods) => Object.values(methods))
    expect(operations).toHaveLength(service.routes.length)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
    for (const { operationId, summary, description, responses } of operations) {
      expect(summary.length, operationId).toBeGreaterThan(3)
      expect(description.length, operationId).toBeGreaterThan(20)
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['400', '500', '503']))
    }
  })

  it('tells the sizes and rates that the service is configured with', async () => {
    const { app } = await openBareApp({ BODY_LIMIT_BYTES: '300001', RATE_LIMIT_SUBMISSIONS: '11/7' })
    const { paths } = (await app.inject('/openapi.json')).json()
    const { post } = paths['/v1/submissions']
    expect(post).toMatchObject({
      'x-max-body-bytes': 300_001,
      'x-rate-limit': { perMinute: 11, burst: 7, by: 'user' },
      description: expect.stringMatching(
        /has at most 300001 bytes; a larger one gets 413\.\n\n7 requests at once, then 11 per minute, by user;/,
      ),
    })
    expect(paths['/v1/problems'].get).not.toHaveProperty('x-max-body-bytes')
    expect(paths['/v1/problems'].post['x-max-body-bytes']).toBe(67_108_864)
  })
})

const document = JSON.parse(await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
const hold = openContract(document)

/** What the contract says of a refusal that carries these headers. */
function holdRefusal(kind: ErrorKind, headers: string[], url = '/v1/submissions'): string[] {
  const err = new AppError(kind, 'No')
  return hold({
    method: 'POST',
    url,
    status: err.status,
    mediaType: 'application/json',
    headers: new Set(headers),
    text: JSON.stringify(errorBody(err, '019ba73a-1440-72dd-8ac1-1dca7e37a539')),
  })
}

it.each<[ErrorKind, string[], string[]]>([
  ['RATE_LIMIT_EXCEEDED', ['x-request-id', 'retry-after'], []],
  ['RATE_LIMIT_EXCEEDED', ['x-request-id'], ['the header Retry-After is missing']],
  ['UNAVAILABLE', ['x-request-id'], ['the header Retry-After is missing']],
  ['INTERNAL', [], ['the header X-Request-Id is missing']],
  ['VALIDATION', ['x-request-id', 'link'], ['the header Link is not documented']],
])('%s with the headers %j breaks the contract by %j', (kind, headers, found) => {
  expect(holdRefusal(kind, headers)).toEqual(found)
})

it('an answer to no route needs the id of its request as well', () => {
  expect(holdRefusal('NOT_FOUND', ['x-request-id'], '/nothing')).toEqual([])
  expect(holdRefusal('NOT_FOUND', [], '/nothing')).toEqual(['the header X-Request-Id is missing'])
})

const pageService = await openTestApp()

const read = (url: string) => pageService.send({ method: 'GET', url })

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
    pageService.log.length = 0
    for (const url of ['/docs', '/docs/static/swagger-ui.css']) {
      const { headers } = await read(url)
      const line = JSON.parse(pageService.log.at(-1) ?? '')
      expect(line).toMatchObject({ msg: 'request', status: 200, reqId: headers['x-request-id'] })
    }
    expect(pageService.log).toHaveLength(2)
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
    expect(await pageService.send({ method: 'POST', url: '/docs', body: {} })).toMatchObject({ status: 404 })
  })
})
