import { beforeAll, describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Expected } from '../../support/caller.ts'
import { NOBODY } from '../../support/ids.ts'
import { serviceWithProblem } from '../../support/judging.ts'
import { forbidden, invalid, notFound, refusal } from '../../support/refusals.ts'

const judging = await serviceWithProblem({ PROBLEM_BODY_LIMIT_BYTES: String(2 * 1024 * 1024) })
const { service, admin, user } = judging
const { judge } = service

const short = { input: '1', expected_output: 'é', hidden: false }
const blank = { input: '', expected_output: '', hidden: true }
const limits = { accept_timeout: 3, execution_timeout: 1.5, memory_limit: 64 }

const create = (...test_cases: object[]) => judging.createProblem({ test_cases })
const listUrl = (id: number) => `/v1/problem_description/${id}/test_cases`
const caseUrl = (id: number, testCaseId = '') => `${listUrl(id)}/${testCaseId}`
const writeUrl = (id: number, testCaseId = '') => `/v1/problems/${id}/test_cases/${testCaseId}`
const append = (id: number, test_cases: object[], expected: Expected = 201, by = admin) =>
  by.post(`/v1/problems/${id}/test_cases`, { test_cases }, expected)
const read = (url: string, tag?: string, by = judge) =>
  by.send('GET', url, undefined, tag === undefined ? {} : { 'if-none-match': tag })
const inputsOf = async (id: number): Promise<string[]> => {
  const { test_cases } = await judge.get(`/v1/problem_description/${id}/tests`)
  return test_cases.map(({ input }: { input: string }) => input)
}
const runScript = (script: string) => service.database.transaction((tx) => tx.execute(script))

describe('the list of test cases', () => {
  it('has the limits, and each test case in its order, without texts, for judges and admins only', async () => {
    const { id, cases } = await create(short, { ...short, hidden: true })
    const test_cases = [
      { id: cases[0], hidden: false, version: 1, bytes: 3 },
      { id: cases[1], hidden: true, version: 1, bytes: 3 },
    ]
    for (const by of [judge, admin])
      expect(await by.get(listUrl(id))).toEqual({ problem_id: id, ...limits, test_cases })
    await user.get(listUrl(id), forbidden)
    await judge.get(listUrl(2 ** 31 - 1), notFound('problem'))
  })

  it('gets a 304 until a test case or a limit changes', async () => {
    const { id, cases } = await create(short)
    const changes = [
      () => append(id, [short]),
      () => admin.put(writeUrl(id, cases[0]), { hidden: true }, 204),
      () => admin.put(writeUrl(id, cases[0]), { expected_output: '' }, 204),
      () => admin.put(`/v1/problems/${id}`, { memory_limit: 65 }),
      () => admin.delete(writeUrl(id, cases[0]), 204),
    ]
    for (const change of changes) {
      const { etag } = (await read(listUrl(id))).headers
      expect(await read(listUrl(id), etag)).toMatchObject({ status: 304, text: '', headers: { etag } })
      await change()
      expect(await read(listUrl(id), etag)).toMatchObject({ status: 200 })
    }
  })
})

describe('one test case', () => {
  it('is read whole by judges and admins, short or long, with an entity tag of its own', async () => {
    const long = { ...short, input: 'x'.repeat(1_500_000), hidden: true }
    const { id, cases } = await create(short, long)
    for (const [place, texts] of [short, long].entries()) {
      const url = caseUrl(id, cases[place])
      const { body, headers } = await read(url)
      expect(body).toEqual({ id: cases[place], problem_id: id, ...texts, version: 1 })
      expect(await admin.get(url)).toEqual(body)
      const known = await read(url, headers.etag)
      expect(known).toMatchObject({ status: 304, text: '', headers: { etag: headers.etag } })
      expect(await read(url, 'W/"other"')).toMatchObject({ status: 200, body })
      await user.get(url, forbidden)
    }
    await judge.get(caseUrl(id, NOBODY), notFound('test case'))
    await judge.get(caseUrl(judging.problem.id, cases[0]), notFound('test case'))
  })

  it('has a new tag after a change of itself, and a new version only after a change of its texts', async () => {
    const { id, cases } = await create(short, short)
    const [url, other] = [caseUrl(id, cases[0]), caseUrl(id, cases[1])]
    const { etag: otherTag } = (await read(other)).headers
    const versions = new Set([1])
    for (const [change, isNewVersion] of [
      [{ input: '2' }, true],
      [{ hidden: true }, false],
      [{ expected_output: '', hidden: false }, true],
    ] as const) {
      const before = await read(url)
      await admin.put(writeUrl(id, cases[0]), change, 204)
      const after = await read(url, before.headers.etag)
      expect(after).toMatchObject({
        status: 200,
        body: { ...before.body, ...change, version: expect.any(Number) },
      })
      expect(versions.has(after.body.version)).toBe(!isNewVersion)
      versions.add(after.body.version)
      expect((await read(other, otherTag)).status).toBe(304)
    }
    await admin.put(writeUrl(id, cases[0]), {}, invalid)
    await admin.put(writeUrl(id, NOBODY), { input: '' }, notFound('test case'))
    await admin.put(writeUrl(judging.problem.id, cases[0]), { input: '' }, notFound('test case'))
  })

  it('has its texts as bytes, whose entity tag is its version, also after the problem’s deletion (D21)', async () => {
    const long = { ...short, input: 'é'.repeat(700_000), hidden: true }
    const { id, cases } = await create(short, long)
    const urlOf = (place: number, which: string) => `${caseUrl(id, cases[place])}/${which}`
    const headers = { etag: 'W/"1"', 'content-type': 'application/octet-stream' }
    for (const [place, { input, expected_output }] of [short, long].entries())
      for (const [which, text] of Object.entries({ input, answer: expected_output })) {
        const url = urlOf(place, which)
        for (const tag of [undefined, 'W/"2"', '"11"'])
          expect(await read(url, tag)).toMatchObject({ status: 200, headers, text })
        expect(await read(url, 'W/"0", W/"1"')).toMatchObject({ status: 304, text: '' })
        await user.get(url, forbidden)
      }
    await admin.put(writeUrl(id, cases[0]), { expected_output: '' }, 204)
    const [{ version }] = (await judge.get(listUrl(id))).test_cases
    expect(version).not.toBe(1)
    for (const [which, text] of Object.entries({ input: '1', answer: '' }))
      expect(await read(urlOf(0, which), 'W/"1"')).toMatchObject({
        ...{ status: 200, text, headers: { etag: `W/"${version}"` } },
      })
    await judge.get(`${caseUrl(id, NOBODY)}/input`, notFound('test case'))
    await admin.put(`/v1/problems/${id}`, { validation: { type: 'default', flags: 'case_sensitive' } })
    const plain = { 'judge-capabilities': 'none/1' }
    expect(await judge.send('GET', urlOf(0, 'input'), undefined, plain)).toMatchObject(
      refusal(409, 'WORKER_TOO_OLD'),
    )
    await admin.delete(`/v1/problems/${id}`, 204)
    await judge.get(urlOf(0, 'input'), notFound('test case'))
  })

  it('is deleted, unless it is the only one or has a number in test_groups (400)', async () => {
    const { id, cases } = await create(short, short, short)
    await admin.delete(writeUrl(judging.problem.id, cases[0]), notFound('test case'))
    await runScript(`update problems set judging_options = '{"test_groups": []}' where id = ${id}`)
    await admin.delete(writeUrl(id, cases[0]), refusal(400, '400', expect.stringContaining('test_groups')))
    await runScript(`update problems set judging_options = null where id = ${id}`)
    for (const testCaseId of cases.slice(0, 2)) await admin.delete(writeUrl(id, testCaseId), 204)
    await admin.delete(writeUrl(id, cases[0]), notFound('test case'))
    const last = await admin.send('DELETE', writeUrl(id, cases[2]))
    expect(last).toMatchObject(refusal(400, '400', 'A problem must keep at least one test case'))
    expect((await judge.get(listUrl(id))).test_cases).toMatchObject([{ id: cases[2] }])
  })
})

describe('appended test cases', () => {
  it('come last in their order, may be empty, and keep the others', async () => {
    const { id, cases } = await create(short)
    const { ids } = await append(id, [blank, { input: '3', expected_output: '' }])
    expect(await inputsOf(id)).toEqual(['1', '', '3'])
    const { test_cases } = await admin.get(`/v1/problem_description/${id}/tests`)
    expect(test_cases.map((one: { id: string }) => one.id)).toEqual([...cases, ...ids])
    expect(test_cases).toMatchObject([short, blank, { hidden: false }])
    // The specification's routes still refuse empty texts.
    await admin.put(`/v1/problems/${id}`, { test_cases: [blank] }, invalid)
    await append(2 ** 31 - 1, [short], notFound('problem'))
    for (const test_cases of [[], [{ input: '1' }]]) await append(id, test_cases, invalid)
  })

  it('of concurrent requests are not mixed', async () => {
    const { id } = await create(short)
    const batches = ['a', 'b', 'c', 'd'].map((name) => [1, 2, 3].map((n) => `${name}${n}`))
    const texts = (inputs: string[]) => inputs.map((input) => ({ input, expected_output: '' }))
    await Promise.all(batches.map((inputs) => append(id, texts(inputs))))
    const stored = (await inputsOf(id)).slice(1)
    expect(stored).toHaveLength(12)
    const ordered = batches.toSorted((a, b) => stored.indexOf(a[0] ?? '') - stored.indexOf(b[0] ?? ''))
    expect(stored).toEqual(ordered.flat())
  })
})

it.each(['POST', 'PUT', 'append'])('names the limit of a body and the way to more (413): %s', async (way) => {
  const { id } = judging.problem
  const url = way === 'POST' ? '/v1/problems' : `/v1/problems/${id}${way === 'append' ? '/test_cases' : ''}`
  const input = 'x'.repeat(3 * 1024 * 1024)
  const { status, body } = await admin.send(way === 'PUT' ? 'PUT' : 'POST', url, { input })
  expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  const advice = way === 'append' ? /further requests$/ : / POST \/v1\/problems\/\{problem_id\}\/test_cases$/
  expect(body.error).toMatch(/^The body is larger than this route takes: send at most 2097152 bytes/)
  expect(body.error).toMatch(advice)
})

it('tests that are too large for one response get 409 from the older routes, for judges and admins, and are read in parts', async () => {
  const { id, cases } = await create(short, short)
  const testsUrl = `/v1/problem_description/${id}/tests`
  const older = [testsUrl, `/v1/problems/${id}`]
  const { etag } = (await read(testsUrl)).headers
  const setBytes = (bytes: string) =>
    runScript(
      `update problems set tests_bytes = ${bytes}, tests_version = gen_random_uuid() where id = ${id}`,
    )
  await setBytes('64 * 1048576')
  for (const url of older) await judge.get(url, 200)
  await setBytes('tests_bytes + 1')
  const tooLarge = refusal(409, 'TESTS_TOO_LARGE', expect.stringContaining(`GET ${listUrl(id)} `))
  for (const url of older) await judge.get(url, tooLarge)
  expect(await read(testsUrl, etag, admin)).toMatchObject(tooLarge)
  for (const by of [user, admin]) await by.get(`/v1/problems/${id}`, 200)
  for (const url of [listUrl(id), caseUrl(id, cases[1])]) await judge.get(url, 200)
})

it('a problem has at most 10,000 test cases, 256 MiB in all, 64 MiB in the public ones and 64 MiB in one', async () => {
  const mebibytes = (count: number) => String(count * 1024 * 1024)
  const sizes = { bytes: mebibytes(256), public_bytes: mebibytes(64), one_bytes: mebibytes(64) }
  const limits = await service.database.query(unprepared('select * from test_limits()'))
  expect(limits).toEqual([{ test_cases: 10_000, ...sizes }])
})

describe('a problem with smaller limits', () => {
  const small = `create or replace function test_limits(
      out test_cases integer, out bytes bigint, out public_bytes bigint, out one_bytes bigint)
    language sql immutable return (4, 250::bigint, 100::bigint, 90::bigint)`
  const sized = (bytes: number, hidden: boolean) => ({ ...blank, input: 'x'.repeat(bytes), hidden })
  const one = { input: 'x', expected_output: 'x', hidden: false }

  beforeAll(() => runScript(small))

  it.each([
    ['test cases', [one, one, one], [one], /at most 10,000 test cases/],
    ['bytes in all', [sized(90, true), sized(90, true)], [sized(70, true)], /at most 256 MiB/],
    ['public bytes', [sized(48, false)], [sized(51, false)], /public test cases .* at most 64 MiB/],
    ['bytes in one', [sized(90, true)], [sized(91, true)], /^The input and the expected output/],
  ])('has at most a number of %s (400), however they are written', async (_, fitting, more, message) => {
    const { id } = await create(one)
    await append(id, fitting)
    const tooMany = refusal(400, '400', expect.stringMatching(message))
    await append(id, more, tooMany)
    expect(await inputsOf(id)).toHaveLength(1 + fitting.length)
    const all = [one, ...fitting, ...more].map((each) => ({ ...each, expected_output: 'x' }))
    await admin.put(`/v1/problems/${id}`, { test_cases: all }, tooMany)
  })

  it('keeps to them after an update of one test case, and concurrent requests', async () => {
    const { id } = await create(one)
    const { ids } = await append(id, [sized(90, false)])
    await admin.put(writeUrl(id, ids[0]), { expected_output: 'x' }, invalid)
    await admin.put(writeUrl(id, ids[0]), { expected_output: '', input: 'y'.repeat(90), hidden: true }, 204)
    const url = `/v1/problems/${id}/test_cases`
    const added = await Promise.all([1, 2, 3].map(() => admin.send('POST', url, { test_cases: [one] })))
    expect(added.map(({ status }) => status).sort()).toEqual([201, 201, 400])
  })
})
