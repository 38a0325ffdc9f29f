import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { openTestApp } from '../support/app.ts'
import { createProblem, NOBODY, problemBody, readProblem } from './problems-support.ts'

const MIB = 1024 * 1024
const LIMIT_BYTES = 6 * MIB

const service = await openTestApp({ PROBLEM_BODY_LIMIT_BYTES: String(LIMIT_BYTES) })
const admin = await service.createPerson({ admin: true })
const id = await createProblem(service, admin)

/** A body of exactly so many bytes, most of them in one test case. */
const bodyOf = (bytes: number) => {
  const body = (filler: string) =>
    JSON.stringify(problemBody({ test_cases: [{ input: filler, expected_output: 'x' }] }))
  return body('y'.repeat(bytes - body('').length))
}

const routes = [
  ['POST', () => '/v1/problems'],
  ['PUT', () => `/v1/problems/${id}`],
] as const

describe.each(routes)('%s of a problem', (method, url) => {
  const write = (raw: string) => service.send({ method, url: url(), token: admin.token, raw })

  it('takes a body of more than 1 MiB, up to the configured size, and keeps all of it (D8)', async () => {
    const raw = bodyOf(LIMIT_BYTES)
    const answer = await write(raw)
    expect(answer.status, answer.text).toBeLessThan(300)
    const { test_cases } = await readProblem(service, answer.body.id)
    expect(test_cases[0].input).toBe(JSON.parse(raw).test_cases[0].input)
  })

  it('refuses a body that is one byte larger (413)', async () => {
    const answer = await write(bodyOf(LIMIT_BYTES + 1))
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
  })

  it('refuses a body that is too large only to an admin who lives (401, 403 before 413; D2)', async () => {
    const raw = bodyOf(LIMIT_BYTES + 1)
    const { token } = await service.createPerson()
    const gone = await service.createPerson({ admin: true })
    await service.send({ method: 'DELETE', url: `/v1/users/${gone.id}`, token: gone.token })
    expect(await service.send({ method, url: url(), raw })).toMatchObject({ status: 401 })
    expect(await service.send({ method, url: url(), token, raw })).toMatchObject({ status: 403 })
    expect(await service.send({ method, url: url(), token: gone.token, raw })).toMatchObject({ status: 401 })
  })

  it('takes 10,000 test cases, and refuses more (400)', async () => {
    const test_cases = Array.from({ length: 10_001 }, (_, n) => ({ input: `${n}`, expected_output: `${n}` }))
    expect(await write(JSON.stringify(problemBody({ test_cases })))).toMatchObject({
      status: 400,
      body: { code: '400', message: expect.stringMatching(/^test_cases must .* 10000 items$/) },
    })
    const answer = await write(JSON.stringify(problemBody({ test_cases: test_cases.slice(1) })))
    expect(answer.status, answer.text).toBeLessThan(300)
    const problem = await readProblem(service, answer.body.id)
    expect(problem.test_cases.map(({ input }: { input: string }) => Number(input))).toEqual(
      test_cases.map((_, n) => n).slice(1),
    )
  })

  it('refuses more than 1,000 categories (400)', async () => {
    const category_ids = Array.from({ length: 1001 }, () => NOBODY)
    expect(await write(JSON.stringify(problemBody({ category_ids })))).toMatchObject({
      status: 400,
      body: { code: '400', message: expect.stringMatching(/^category_ids must .* 1000 items$/) },
    })
  })
})

it('holds problems to 64 MiB unless configured otherwise, every other body to 1 MiB (D8)', async () => {
  const secrets = { JWT_SIGNING_SECRET: 'x', JUDGE_PASSWORD: 'x', WEB_BRIDGE_SECRET: 'x' }
  const { sizes } = loadConfig(secrets)
  expect(sizes).toMatchObject({ problemBodyBytes: 64 * MIB, bodyBytes: MIB })
  for (const url of ['/v1/categories', '/v1/languages']) {
    const body = { name: 'x'.repeat(MIB) }
    const answer = await service.send({ method: 'POST', url, token: admin.token, body })
    expect(answer, url).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
  }
})
