import { readFile, writeFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { openBareApp } from '../http/bare-app.ts'
import { openTestApp } from '../support/app.ts'

const copy = new URL('../../docs/openapi.json', import.meta.url)

// The rates are part of the document; the copy holds the defaults.
const rates = ['ACCOUNTS', 'SUBMISSIONS', 'RUNS', 'PUBLIC_RUNS'].map((group) => [`RATE_LIMIT_${group}`, ''])
const service = await openTestApp(Object.fromEntries(rates))
const served = await service.send({ method: 'GET', url: '/openapi.json' })

describe('the OpenAPI document', () => {
  it('is what docs/openapi.json says (UPDATE_DOCS=1 writes it anew)', async () => {
    const text = `${JSON.stringify(served.body, null, 2)}\n`
    if (process.env.UPDATE_DOCS) await writeFile(copy, text)
    else expect(await readFile(copy, 'utf8')).toBe(text)
  })

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
        /has at most 300001 bytes; a larger one is 413\.\n\n7 requests at once, and from then on 11 a minute, by user;/,
      ),
    })
    expect(paths['/v1/problems'].get).not.toHaveProperty('x-max-body-bytes')
    expect(paths['/v1/problems'].post['x-max-body-bytes']).toBe(67_108_864)
  })
})
