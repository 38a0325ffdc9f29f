import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import globals from 'globals'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { AppError, type ErrorKind, errorBody } from '../../src/http/routing/errors.ts'
import { openTestApp } from '../support/app.ts'
import { openBareApp } from '../support/bare-app.ts'
import { openContract } from '../support/verification/contract.ts'

const service = await openTestApp()
const read = (url: string) => service.send({ method: 'GET', url })
const served = await read('/openapi.json')

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 with the version of the package, and passes the strictest rules of the linter', async () => {
    expect(served.body.info.version).toBe(packageJson.version)
    expect(await new Validator().validate(structuredClone(served.body))).toEqual({ valid: true })
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: served.text, absoluteRef: 'openapi.json', config })
    const found = problems.map(({ ruleId, location }) => [ruleId, location[0]?.pointer])
    // The base of the Contest API ends in a slash, so that relative URLs are resolved.
    expect(found).toEqual([['no-path-trailing-slash', expect.stringContaining('~1v1~1clics~1')]])
  })

  it('has every route, with a unique name, a description and refusals', () => {
    const operations = Object.values<object>(served.body.paths).flatMap((methods) => Object.values(methods))
    expect(operations).toHaveLength(service.routes.length)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
    for (const { operationId, summary, description, responses } of operations) {
      expect(summary.length, operationId).toBeGreaterThan(3)
      expect(description.length, operationId).toBeGreaterThan(20)
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['400', '500', '503']))
    }
  })

  it('names components as types that generators can declare: no digit first, no global of browsers or Node', () => {
    const names = Object.values<object>(served.body.components).flatMap((named) => Object.keys(named))
    expect(names.length).toBeGreaterThan(100)
    const { browser, worker, builtin, nodeBuiltin } = globals
    const taken = new Set(Object.keys({ ...browser, ...worker, ...builtin, ...nodeBuiltin }))
    expect(names.filter((name) => taken.has(name) || !/^[a-z]/i.test(name))).toEqual([])
  })

  it('has updated_at in every problem of a response (D18)', () => {
    const found = findSchemas(served.body).filter(
      ({ properties = {} }) => 'title' in properties && 'difficulty' in properties,
    )
    const problems = found.filter(({ additionalProperties }) => additionalProperties === false)
    expect(problems.length).toBeGreaterThan(4)
    for (const { properties, required } of problems) {
      expect(properties).toHaveProperty('updated_at')
      expect(required).toContain('updated_at')
    }
  })

  it('has no example of an Idempotency-Key: the page at /docs would send it with every request', () => {
    const { example, examples, schema } = served.body.components.parameters['Idempotency-Key']
    expect([example, examples, schema.example, schema.default]).toEqual(Array(4).fill(undefined))
  })

  it('has the configured sizes and rates', async () => {
    const { app } = await openBareApp({ BODY_LIMIT_BYTES: '300001', RATE_LIMIT_SUBMISSIONS: '11/7' })
    const { paths } = (await app.inject('/openapi.json')).json()
    expect(paths['/v1/submissions'].post).toMatchObject({
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

interface ObjectSchema {
  readonly properties?: object
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}

function findSchemas(value: unknown): ObjectSchema[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(findSchemas)]
}

describe('the contract check of the tests', () => {
  const check = openContract(served.body)

  const ID = 'x-request-id'
  it.each<[ErrorKind, string, string[], string[]]>([
    ['RATE_LIMIT_EXCEEDED', '/v1/submissions', [ID, 'retry-after'], []],
    ['UNAVAILABLE', '/v1/submissions', [ID], ['the header Retry-After is missing']],
    ['VALIDATION', '/v1/submissions', [ID, 'link'], ['the header Link is not documented']],
    ['NOT_FOUND', '/nothing', [ID], []],
    ['NOT_FOUND', '/nothing', [], ['the header X-Request-Id is missing']],
  ])('finds wrong headers: %s of %s with %j: %j', (kind, url, headers, found) => {
    const error = new AppError(kind, 'No')
    const { status } = error
    const text = JSON.stringify(errorBody(error, '019ba73a-1440-72dd-8ac1-1dca7e37a539'))
    const response = { status, mediaType: 'application/json', headers: new Set(headers), text }
    expect(check({ method: 'POST', url, ...response })).toEqual(found)
  })
})

describe('the page at /docs', () => {
  it('shows the document of /openapi.json, and loads only files of the service', async () => {
    expect((await read('/docs/static/swagger-initializer.js')).text).toContain("resolveUrl('./json')")
    expect(await read('/docs/json')).toMatchObject({ status: 302, headers: { location: '../openapi.json' } })
    for (const place of ['/docs', '/docs/']) {
      const page = await read(place)
      expect(page.headers['content-type']).toContain('text/html')
      const files = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, file = '']) => file)
      expect(files).toContainEqual(expect.stringContaining('swagger-ui-bundle.js'))
      for (const file of files) {
        const url = new URL(file, `http://service${place}`)
        expect(url.host).toBe('service')
        expect(await read(url.pathname), file).toMatchObject({ status: 200 })
      }
    }
  })

  it('runs only its own scripts, sends requests only to the service, and is logged', async () => {
    for (const url of ['/docs', '/docs/static/swagger-ui-bundle.js']) {
      const { headers } = await read(url)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
      const policy = headers['content-security-policy']?.split('; ')
      const own = ["default-src 'none'", "script-src 'self'", "connect-src 'self'"]
      expect(policy).toEqual(expect.arrayContaining(own))
      expect(policy?.join()).not.toMatch(/unsafe|http|\*/)
      const logged = { msg: 'request', status: 200, reqId: headers['x-request-id'] }
      expect(JSON.parse(service.log.at(-1) ?? '')).toMatchObject(logged)
    }
  })

  it('has no other paths: they get 404 with the usual error body (D1, D2)', async () => {
    const names = ['', '/', '/index.html', '/index%2ehtml', '/nothing.js', '/..%2fpackage.json']
    const below = [...names, '//package.json', '/%00', '/.env'].map((name) => `/docs/static${name}`)
    for (const url of ['/docs/nothing', '/docs/yaml', ...below]) {
      const error = `There is no route GET ${url}`
      const body = { error, code: 'NOT_FOUND', message: error }
      expect(await read(url), url).toMatchObject({ status: 404, body })
    }
    await service.anonymous.post('/docs', {}, 404)
  })
})
