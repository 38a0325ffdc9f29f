import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { forgetOldResponses } from '../../src/http/routing/idempotency.ts'
import type { Person, TestResponse } from '../support/app.ts'
import { createContest } from '../support/contests.ts'
import { NOBODY, UUID } from '../support/ids.ts'
import { countRows, messagesFor, serviceWithProblem, submissionBody } from '../support/judging.ts'

const judging = await serviceWithProblem()

const post = (url: string, key: string, body: unknown, token?: string): Promise<TestResponse> =>
  judging.service.send({
    method: 'POST',
    url,
    body,
    headers: { 'idempotency-key': key },
    ...(token !== undefined && { token }),
  })

interface Creation {
  readonly url: string
  /** A body that is right, and one that is right too but another. */
  bodies(): Promise<readonly [object, object]>
  readonly isAnonymous?: true
}

const runBodies = async () => {
  const body = { language_id: judging.language.id, source_code: 'print(1)', stdin: '1' }
  return [body, { ...body, stdin: '2' }] as const
}
const bodyOf = (person: Person, fields: Record<string, unknown> = {}) => ({
  ...submissionBody(person, judging.problem, judging.language),
  ...fields,
})

const creations: Readonly<Record<string, Creation>> = {
  'a submission': {
    url: '/v1/submissions',
    bodies: async () => [bodyOf(judging.user), bodyOf(judging.user, { source_code: 'console.log(43)' })],
  },
  'a contest submission': {
    url: '/v1/submissions',
    async bodies() {
      const event_id = await createContest(judging, [{ problem_id: judging.problem.id }])
      return [bodyOf(judging.user, { event_id }), bodyOf(judging.user)]
    },
  },
  'a run': { url: '/v1/input_submissions', bodies: runBodies },
  'a public run': { url: '/v1/public/input_submissions', bodies: runBodies, isAnonymous: true },
  'a bench run': { url: '/v1/bench/input_submissions', bodies: runBodies, isAnonymous: true },
}

/** How many more subjects and messages there are after `work` than before. */
async function countMade(work: () => Promise<unknown>): Promise<[made: number, messages: number]> {
  const sum = async () => {
    const { submissions = 0, runs = 0, messages = 0 } = await countRows(judging.service)
    return { made: submissions + runs, messages }
  }
  const before = await sum()
  await work()
  const after = await sum()
  return [after.made - before.made, after.messages - before.messages]
}

const moveBack = unprepared(
  `update idempotent_answers set created_at = now() - $2::float8 * interval '1 second' where idempotent_answers.key = $1`,
)
const age = (key: string, seconds: number) => judging.service.database.query(moveBack, [key, seconds])
const DAY = 86_400

const reused = { status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } }

describe.each(Object.entries(creations))('%s with an Idempotency-Key', (_, { url, bodies, isAnonymous }) => {
  const send = (key: string, body: unknown) =>
    post(url, key, body, isAnonymous ? undefined : judging.user.token)

  it('is made once and answered the same 201 again, also once it is judged', async () => {
    const [body] = await bodies()
    const key = randomUUID()
    const first = await send(key, body)
    expect(first.status, first.text).toBe(201)
    const id = first.body.id ?? first.text
    expect(id).toMatch(UUID)
    const path = url === '/v1/submissions' ? url : '/v1/input_submissions'
    const judged = { method: 'PATCH', url: `${path}/${id}`, body: { status: 'ACCEPTED' } } as const
    await judging.service.send({ ...judged, token: judging.service.judgeToken })
    const made = await countMade(async () => {
      const { status, text, headers } = await send(key, body)
      expect({ status, text }).toEqual({ status: 201, text: first.text })
      expect(headers['content-type']).toBe(first.headers['content-type'])
    })
    expect(made).toEqual([0, 0])
  })

  it('is made once where ten requests come at the same instant, all of them answered the same', async () => {
    const [body] = await bodies()
    const key = randomUUID()
    const answers: TestResponse[] = []
    const made = await countMade(async () => {
      answers.push(...(await Promise.all(Array.from({ length: 10 }, () => send(key, body)))))
    })
    expect(made).toEqual([1, 1])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const [first] = answers
    expect(await messagesFor(judging.service, first?.body.id ?? first?.text)).toHaveLength(1)
  })

  it('is refused with the key of another body, and nothing is made (409)', async () => {
    const [body, other] = await bodies()
    const key = randomUUID()
    await send(key, body)
    const made = await countMade(async () => expect(await send(key, other)).toMatchObject(reused))
    expect(made).toEqual([0, 0])
  })

  it('is one of the two where different bodies come with a key at the same instant (201 and 409)', async () => {
    const [body, other] = await bodies()
    const key = randomUUID()
    const answers: TestResponse[] = []
    const made = await countMade(async () => {
      answers.push(...(await Promise.all([send(key, body), send(key, other)])))
    })
    expect(made).toEqual([1, 1])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it('is made anew once the key is 24 hours old, and not before', async () => {
    const [body, other] = await bodies()
    const key = randomUUID()
    const first = await send(key, body)
    await age(key, DAY - 60)
    expect((await send(key, body)).text).toBe(first.text)
    expect(await send(key, other)).toMatchObject(reused)
    await age(key, DAY)
    const second = await send(key, other)
    expect(second.status, second.text).toBe(201)
    expect(second.text).not.toBe(first.text)
    expect((await send(key, other)).text).toBe(second.text)
    expect(await send(key, body)).toMatchObject(reused)
  })

  it('leaves the key free where it is refused', async () => {
    const [body] = await bodies()
    const key = randomUUID()
    const unknown = await send(key, { ...body, language_id: NOBODY })
    expect(unknown).toMatchObject({ status: 404, body: { error: 'There is no such language' } })
    expect(await send(key, { ...body, source_code: 7 })).toMatchObject({ status: 400 })
    const made = await countMade(async () => expect(await send(key, body)).toMatchObject({ status: 201 }))
    expect(made).toEqual([1, 1])
  })

  it.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['sent twice', 'a, a'],
    ['of 256 characters', 'x'.repeat(256)],
    ['of other than ASCII', 'sch\u00f6n'],
  ])('is refused where the key is %s, and nothing is made (400)', async (_, key) => {
    const [body] = await bodies()
    const error = 'Idempotency-Key must have 1 to 255 visible ASCII characters'
    const made = await countMade(async () =>
      expect(await send(key, body)).toMatchObject({ status: 400, body: { code: '400', error } }),
    )
    expect(made).toEqual([0, 0])
  })

  it('is refused for a malformed key before the rights to the user are checked (400)', async () => {
    const [body] = await bodies()
    const foreign = { ...body, user_id: judging.admin.id }
    expect(await send('a b', foreign)).toMatchObject({ status: 400 })
  })

  it('is made each time without a key', async () => {
    const [body] = await bodies()
    const token = isAnonymous ? {} : { token: judging.user.token }
    const made = await countMade(async () => {
      for (let n = 0; n < 2; n += 1) await judging.service.send({ method: 'POST', url, body, ...token })
    })
    expect(made).toEqual([2, 2])
  })
})

describe('an Idempotency-Key', () => {
  it('may have 255 visible characters', async () => {
    const key = `${randomUUID()}~!"`.padEnd(255, '#')
    const send = () => post('/v1/submissions', key, bodyOf(judging.user), judging.user.token)
    const first = await send()
    expect(first.status).toBe(201)
    expect((await send()).text).toBe(first.text)
  })

  it('of somebody else is another: nobody is refused for it, or answered what is not theirs', async () => {
    const key = randomUUID()
    const ids: string[] = []
    for (const person of [judging.user, judging.stranger, judging.admin]) {
      const { status, body } = await post('/v1/submissions', key, bodyOf(person), person.token)
      expect(status).toBe(201)
      expect(body.user_id).toBe(person.id)
      ids.push(body.id)
    }
    expect(new Set(ids).size).toBe(3)
  })

  it('is the caller’s who sends it, also where an admin submits for somebody', async () => {
    const key = randomUUID()
    const send = (token: string) => post('/v1/submissions', key, bodyOf(judging.user), token)
    const byAdmin = await send(judging.admin.token)
    expect((await send(judging.user.token)).body.id).not.toBe(byAdmin.body.id)
    expect((await send(judging.admin.token)).text).toBe(byAdmin.text)
  })

  it('of another route with the same body is refused (409)', async () => {
    const key = randomUUID()
    const body = { ...bodyOf(judging.user), stdin: '' }
    const { token } = judging.user
    expect(await post('/v1/submissions', key, body, token)).toMatchObject({ status: 201 })
    expect(await post('/v1/input_submissions', key, body, token)).toMatchObject(reused)
  })

  it('of a public run says nothing of a bench run', async () => {
    const key = randomUUID()
    const [body] = await runBodies()
    const answers = [
      await post('/v1/public/input_submissions', key, body),
      await post('/v1/bench/input_submissions', key, body),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[0]?.text).not.toBe(answers[1]?.text)
  })

  it('of a deleted account is refused as the account is (401), not answered', async () => {
    const person = await judging.service.createPerson()
    const key = randomUUID()
    const send = () => post('/v1/submissions', key, bodyOf(person), person.token)
    expect(await send()).toMatchObject({ status: 201 })
    const url = `/v1/users/${person.id}`
    await judging.service.send({ method: 'DELETE', url, token: person.token })
    expect(await send()).toMatchObject({ status: 401, body: { code: 'ACCOUNT_DELETED' } })
  })

  it('means nothing on the routes that create neither', async () => {
    const { token } = judging.admin
    const body = { name: `of ${randomUUID()}` }
    expect(await post('/v1/categories', 'a b', body, token)).toMatchObject({ status: 201 })
  })
})

describe('clearing away old answers', () => {
  it('takes those of 24 hours and more, however many, and no other', async () => {
    const keys = Array.from({ length: 7 }, () => randomUUID())
    const send = (key: string) => post('/v1/submissions', key, bodyOf(judging.user), judging.user.token)
    const answers = new Map<string, string>()
    for (const key of keys) answers.set(key, (await send(key)).text)
    const old = keys.slice(0, 5)
    for (const key of old) await age(key, DAY)
    await age(keys[5] ?? '', DAY - 60)
    await forgetOldResponses(judging.service.database, 2)
    const select = unprepared<{ key: string }>(
      'select idempotent_answers.key from idempotent_answers where idempotent_answers.key = any($1)',
    )
    const rest = await judging.service.database.query(select, [keys])
    expect(rest.map(({ key }) => key).sort()).toEqual(keys.slice(5).sort())
    for (const key of keys.slice(5)) expect((await send(key)).text).toBe(answers.get(key))
  })
})
