import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { openTestApp } from '../support/app.ts'
import { databaseKind } from '../support/database.ts'
import { createProblem } from '../support/problems.ts'
import { lockRows } from '../support/row-lock.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })

const read = (id: number, tag?: string, token = service.judgeToken) =>
  service.send({
    method: 'GET',
    url: `/v1/problem_description/${id}/tests`,
    token,
    headers: tag === undefined ? {} : { 'if-none-match': tag },
  })

const tagOf = async (id: number) => (await read(id)).headers.etag ?? ''

const put = async (id: number, body: Record<string, unknown>) => {
  const answer = await service.send({ method: 'PUT', url: `/v1/problems/${id}`, token: admin.token, body })
  expect(answer.status, answer.text).toBe(200)
}

const run = (script: string) => service.database.transaction((tx) => tx.execute(script))

const numbered = (n: number) => ({
  memory_limit: n,
  test_cases: [{ input: String(n), expected_output: 'x'.repeat(20_000) }],
})

describe('the tests of a problem', () => {
  it('have the same entity tag until they change, for judges and admins', async () => {
    const id = await createProblem(service, admin)
    const tag = await tagOf(id)
    expect(tag).toMatch(/^W\/"[\w.-]{30,80}"$/)
    expect(await tagOf(id)).toBe(tag)
    expect((await read(id, undefined, admin.token)).headers.etag).toBe(tag)
    expect(await tagOf(await createProblem(service, admin))).not.toBe(tag)
  })

  it('are a 304 with the tag and without a body to a client that has them', async () => {
    const id = await createProblem(service, admin)
    const tag = await tagOf(id)
    for (const known of [tag, `"other", ${tag}`, '*']) {
      const { status, text, headers } = await read(id, known)
      expect({ status, text, etag: headers.etag }).toEqual({ status: 304, text: '', etag: tag })
    }
    expect(await read(id, '"other"')).toMatchObject({ status: 200, headers: { etag: tag } })
  })

  it('are refused by the same rules to a client that sends a tag', async () => {
    const id = await createProblem(service, admin)
    const tag = await tagOf(id)
    const user = await service.createPerson()
    expect(await read(id, tag, user.token)).toMatchObject({ status: 403 })
    await service.send({ method: 'DELETE', url: `/v1/problems/${id}`, token: admin.token })
    expect(await read(id, tag)).toMatchObject({ status: 404 })
  })

  it.each([
    ['another input', { test_cases: [{ input: 'b', expected_output: 'a' }] }],
    ['another output', { test_cases: [{ input: 'a', expected_output: 'b' }] }],
    ['a hidden case', { test_cases: [{ input: 'a', expected_output: 'a', hidden: true }] }],
    ['new ids for the same texts', { test_cases: [{ input: 'a', expected_output: 'a' }] }],
    ['a further case', { test_cases: ['a', 'b'].map((text) => ({ input: text, expected_output: text })) }],
    ['another accept_timeout', { accept_timeout: 3 }],
    ['another execution_timeout', { execution_timeout: 3 }],
    ['another memory_limit', { memory_limit: 33 }],
    ['another timeout', { timeout: 4 }],
  ])('have another tag after a write of %s', async (_, change) => {
    const id = await createProblem(service, admin, { test_cases: [{ input: 'a', expected_output: 'a' }] })
    const tag = await tagOf(id)
    await put(id, change)
    const { status, headers } = await read(id, tag)
    expect(status).toBe(200)
    expect(headers.etag).not.toBe(tag)
  })

  it('have another tag in another order, with the same ids', async () => {
    const sent = ['a', 'b'].map((text) => ({ input: text, expected_output: text }))
    const id = await createProblem(service, admin, { test_cases: sent })
    const { body, headers } = await read(id)
    await put(id, { test_cases: body.test_cases.toReversed() })
    const after = await read(id, headers.etag)
    expect(after.status).toBe(200)
    expect(after.body.test_cases).toEqual(body.test_cases.toReversed())
  })

  it('keep their tag when only other fields of the problem change', async () => {
    const id = await createProblem(service, admin)
    const tag = await tagOf(id)
    await put(id, { title: 'New', prompt: 'New', identifier: 'new', difficulty: 'HARD', public: true })
    const toggle = `/v1/admin/problems/${id}/toggle-visibility`
    expect((await service.send({ method: 'PUT', url: toggle, token: admin.token })).status).toBe(200)
    await createProblem(service, admin)
    expect((await read(id, tag)).status).toBe(304)
  })

  it.each([
    'insert into test_cases select gen_random_uuid(), problem_id, 9, input, expected_output, hidden from test_cases',
    `update test_cases set input = input || '!'`,
    'delete from test_cases',
    'truncate test_cases',
  ])('have another tag and the right size after a write past the service: %s', async (script) => {
    const id = await createProblem(service, admin)
    const tag = await tagOf(id)
    await run(script)
    expect((await read(id, tag)).status).toBe(200)
    const sizes = unprepared<{ kept: string; counted: string }>(`select problems.tests_bytes::text as kept,
              (select coalesce(sum(octet_length(input || expected_output)), 0)::text
               from test_cases where test_cases.problem_id = problems.id) as counted
       from problems where problems.id = $1`)
    const [row] = await service.database.query(sizes, [id])
    expect(row?.kept).toBe(row?.counted)
  })

  it('never come with the tag of other tests, however readers and a writer meet', async () => {
    const id = await createProblem(service, admin, numbered(1))
    const bodies = new Map<string, string>()
    const seen = new Set<string>()
    let isWriting = true
    const reader = async () => {
      while (isWriting) {
        const { headers, text } = await read(id)
        const tag = headers.etag ?? ''
        expect(bodies.get(tag) ?? text).toBe(text)
        bodies.set(tag, text)
        seen.add(text)
      }
    }
    const writer = async () => {
      for (let n = 2; n < 40; n += 1) await put(id, numbered(n))
    }
    const readers = [reader(), reader(), reader()]
    await writer().finally(() => {
      isWriting = false
    })
    await Promise.all(readers)
    expect(bodies.size).toBeGreaterThan(1)
    expect(seen.size).toBe(bodies.size)
  })

  it.runIf(databaseKind === 'postgres')('come with their own tag when they change under way', async () => {
    const id = await createProblem(service, admin)
    const before = await tagOf(id)
    const write = `do $$ begin
      lock table test_cases in access exclusive mode;
      update test_cases set input = 'changed' where problem_id = ${id};
    end $$`
    const lock = await lockRows(service.databaseUrl ?? '', write, [])
    const reading = read(id)
    // The version is looked up by now: the test cases are waited for.
    await lock.untilWaiting(1)
    await lock.release()
    const { body, headers } = await reading
    expect(body.test_cases).toMatchObject([{ input: 'changed' }])
    expect(headers.etag).not.toBe(before)
    expect((await read(id, headers.etag)).status).toBe(304)
  })
})
