import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { forgetOldResponses } from '../../src/http/routing/idempotency.ts'
import type { Caller } from '../support/caller.ts'
import { createContest } from '../support/contests.ts'
import { NOBODY, UUID } from '../support/ids.ts'
import { countRows, messagesFor, serviceWithProblem, submissionBody } from '../support/judging.ts'
import { notFound, refusal } from '../support/refusals.ts'

const judging = await serviceWithProblem()
const { service, admin, user, stranger, problem, language } = judging
const eventId = await createContest(judging, [{ problem_id: problem.id }])

const DAY = 86_400
const SUBMISSIONS = '/v1/submissions'
const reused = refusal(409, 'IDEMPOTENCY_KEY_REUSED')
const malformedKey = refusal(400, '400', 'Idempotency-Key must have 1 to 255 visible ASCII characters')

const submission = submissionBody(user, problem, language)
const run = { language_id: language.id, source_code: 'print(1)', stdin: '1' }
const otherRun = { ...run, stdin: '2' }

const creations: readonly [name: string, url: string, caller: Caller, body: object, other: object][] = [
  ['a submission', SUBMISSIONS, user, submission, { ...submission, source_code: 'console.log(43)' }],
  ['a contest submission', SUBMISSIONS, user, { ...submission, event_id: eventId }, submission],
  ['a run', '/v1/input_submissions', user, run, otherRun],
  ['a public run', '/v1/public/input_submissions', service.anonymous, run, otherRun],
  ['a bench run', '/v1/bench/input_submissions', service.anonymous, run, otherRun],
]

const sendWith = (caller: Caller, key: string, url: string, body: unknown) =>
  caller.send('POST', url, body, { 'idempotency-key': key })

/** Expects that the work creates so many records, each with a message; resolves to its result. */
async function expectCreated<T>(records: 0 | 1, work: () => Promise<T>): Promise<T> {
  const count = async () => {
    const { submissions = 0, runs = 0, messages = 0 } = await countRows(service)
    return { created: submissions + runs, messages }
  }
  const { created, messages } = await count()
  const result = await work()
  expect(await count()).toEqual({ created: created + records, messages: messages + records })
  return result
}

const setAge = unprepared(
  `update idempotent_answers set created_at = now() - $2::float8 * interval '1 second' where idempotent_answers.key = $1`,
)
const age = (key: string, seconds: number) => service.database.query(setAge, [key, seconds])

describe.each(creations)('%s with an Idempotency-Key', (_, url, caller, body, other) => {
  const send = (key: string, sent: unknown = body) => sendWith(caller, key, url, sent)

  it('is created once and gets the same 201 again, also after its verdict', async () => {
    const key = randomUUID()
    const first = await send(key)
    expect(first.status, first.text).toBe(201)
    const id = first.body.id ?? first.text
    expect(id).toMatch(UUID)
    const path = url === SUBMISSIONS ? url : '/v1/input_submissions'
    await service.judge.patch(`${path}/${id}`, { status: 'ACCEPTED' })
    const { status, text, headers } = await expectCreated(0, () => send(key))
    expect({ status, text }).toEqual({ status: 201, text: first.text })
    expect(headers['content-type']).toBe(first.headers['content-type'])
  })

  it('is the same request with its fields in another order, and with ids in capitals', async () => {
    const key = randomUUID()
    const first = await send(key)
    const reversed = Object.fromEntries(Object.entries(body).toReversed())
    const capitals = Object.entries(reversed).map(([name, value]) => [
      name,
      UUID.test(String(value)) ? String(value).toUpperCase() : value,
    ])
    for (const same of [reversed, Object.fromEntries(capitals)]) {
      const again = await expectCreated(0, () => send(key, same))
      expect(again).toMatchObject({ status: 201, text: first.text })
    }
  })

  it('is created once by ten simultaneous requests, which all get the same response', async () => {
    const key = randomUUID()
    const responses = await expectCreated(1, () => Promise.all(Array.from({ length: 10 }, () => send(key))))
    for (const { status, text } of responses) expect([status, text]).toEqual([201, responses[0]?.text])
    const { body: found, text = '' } = responses[0] ?? {}
    expect(await messagesFor(service, found?.id ?? text)).toHaveLength(1)
  })

  it('is refused if the key was used with another body, also simultaneously (409)', async () => {
    const key = randomUUID()
    const responses = await expectCreated(1, () => Promise.all([send(key), send(key, other)]))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409])
    const refused = responses[0]?.status === 409 ? body : other
    expect(await expectCreated(0, () => send(key, refused))).toMatchObject(reused)
  })

  it('is created again once the key is 24 hours old, and not before', async () => {
    const key = randomUUID()
    const first = await send(key)
    await age(key, DAY - 60)
    expect((await send(key)).text).toBe(first.text)
    expect(await send(key, other)).toMatchObject(reused)
    await age(key, DAY)
    const second = await send(key, other)
    expect(second.status, second.text).toBe(201)
    expect(second.text).not.toBe(first.text)
    expect((await send(key, other)).text).toBe(second.text)
    expect(await send(key)).toMatchObject(reused)
  })

  it('leaves the key unused if it is refused', async () => {
    const key = randomUUID()
    expect(await send(key, { ...body, language_id: NOBODY })).toMatchObject(notFound('language'))
    expect(await send(key, { ...body, source_code: 7 })).toMatchObject({ status: 400 })
    expect(await expectCreated(1, () => send(key))).toMatchObject({ status: 201 })
  })

  it('is refused with a malformed key, before its user_id is checked (400)', async () => {
    for (const key of ['', 'a b', 'a, a', 'x'.repeat(256), 'sch\u00f6n'])
      for (const sent of [body, { ...body, user_id: admin.id }])
        expect(await expectCreated(0, () => send(key, sent)), key).toMatchObject(malformedKey)
  })
})

describe('an Idempotency-Key', () => {
  const submit = (caller: Caller, key: string, body: object = submission) =>
    sendWith(caller, key, SUBMISSIONS, body)

  it('may have 255 visible characters', async () => {
    const key = `${randomUUID()}~!"`.padEnd(255, '#')
    const first = await submit(user, key)
    expect(first.status).toBe(201)
    expect((await submit(user, key)).text).toBe(first.text)
  })

  it('belongs to its caller, also to an admin who submits for a user, and to public or bench runs: others may use the same one', async () => {
    const [key, other] = [randomUUID(), randomUUID()]
    const responses = [await submit(admin, other), await submit(user, other)]
    for (const person of [user, stranger, admin])
      responses.push(await submit(person, key, submissionBody(person, problem, language)))
    for (const channel of ['public', 'bench'])
      responses.push(await sendWith(service.anonymous, key, `/v1/${channel}/input_submissions`, run))
    expect(responses.map(({ status }) => status)).toEqual(Array(7).fill(201))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(7)
    expect((await submit(admin, other)).text).toBe(responses[0]?.text)
  })

  it('is refused on another route, even with the same body (409)', async () => {
    const key = randomUUID()
    const body = { ...submission, stdin: '' }
    expect(await submit(user, key, body)).toMatchObject({ status: 201 })
    expect(await sendWith(user, key, '/v1/input_submissions', body)).toMatchObject(reused)
  })

  it('does not give the response to a deleted account (401)', async () => {
    const person = await service.createPerson()
    const key = randomUUID()
    const send = () => submit(person, key, submissionBody(person, problem, language))
    expect(await send()).toMatchObject({ status: 201 })
    await person.delete(`/v1/users/${person.id}`)
    expect(await send()).toMatchObject(refusal(401, 'ACCOUNT_DELETED'))
  })

  it('is deleted when it is 24 hours old, and not before', async () => {
    const keys = Array.from({ length: 7 }, () => randomUUID())
    const texts = new Map<string, string>()
    for (const key of keys) texts.set(key, (await submit(user, key)).text)
    for (const key of keys.slice(0, 5)) await age(key, DAY)
    await age(keys[5] ?? '', DAY - 60)
    await forgetOldResponses(service.database, 2)
    const select = unprepared<{ key: string }>(
      'select idempotent_answers.key from idempotent_answers where idempotent_answers.key = any($1)',
    )
    const rest = await service.database.query(select, [keys])
    expect(rest.map(({ key }) => key).sort()).toEqual(keys.slice(5).sort())
    for (const key of keys.slice(5)) expect((await submit(user, key)).text).toBe(texts.get(key))
  })

  it('is accepted by the POST routes of submissions and runs, as docs/writing-a-front-end.md says, and by no other', async () => {
    const urls = service.routes.filter((route) => route.takesIdempotencyKey).map(({ url }) => url)
    const ofContests = '/v1/clics/contests/:event_id/submissions'
    expect(urls.toSorted()).toEqual([...new Set([...creations.map(([, url]) => url), ofContests])].toSorted())
    const text = await readFile(new URL('../../docs/writing-a-front-end.md', import.meta.url), 'utf8')
    const [claim = ''] = /^- .*\n(?: {2}.*\n)*(?= {2}`Idempotency-Key`)/m.exec(text) ?? []
    expect(claim).toBe(
      [
        '- `POST /v1/submissions`, `POST /v1/input_submissions` and its public and bench variants, and\n',
        '  `POST /v1/clics/contests/{id}/submissions` accept an\n',
      ].join(''),
    )
  })
})
