import { describe, expect, it } from 'vitest'
import { NOBODY } from '../../support/ids.ts'
import { messagesFor, queueAgain, serviceWithProblem } from '../../support/judging.ts'
import { nextMillisecond } from '../../support/moments.ts'
import { invalidField, refusal } from '../../support/refusals.ts'

const judging = await serviceWithProblem()
const { service, admin, user, problem, language, submit, giveVerdict } = judging
const { judge } = service

const createRun = (): Promise<string> =>
  user.post('/v1/input_submissions', { language_id: language.id, source_code: 'print(1)', stdin: '' }, 201)

const createShadow = async (): Promise<string> =>
  (await admin.post('/v1/admin/shadow_judgings', { submission_id: await submit(user) }, 201)).id

const subjects = {
  submission: { path: '/v1/submissions', kind: 'submission', create: () => submit(user) },
  run: { path: '/v1/input_submissions', kind: 'input', create: createRun },
  'shadow judging': { path: '/v1/submissions', kind: 'shadow', create: createShadow },
}

/** Verdicts as they arrive, and as the history has them: each the judging and the output. */
const sequences = [
  ['drops a verdict of an older judging than the newest verdict', '2:a 1:b', '2:a'],
  ['stores a verdict of an older judging until a newer one arrives', '1:a 2:b', '2:b 1:a'],
  ['replaces a verdict by another of the same judging (D25)', '2:a 2:b 2:c', '2:c 2:b 2:a'],
  ['counts a verdict without a judging as one of the newest', 'null:a 1:b absent:c 1:d', '2:c 2:a'],
  ['counts a judging that was never queued as the newest', '2147483647:a 2:b 1:c 7:d', '2:d 2:b 2:a'],
] as const

const forms = [(judging: unknown) => ({ judging, attempt: null }), (attempt: unknown) => ({ attempt })]

const judgingOf = (text = '') => (text === 'absent' ? undefined : JSON.parse(text))

async function readHistory(id: string): Promise<string> {
  const verdicts = await user.get(`/v1/submissions/${id}/verdicts`)
  for (const { judging, attempt } of verdicts) expect(attempt).toBe(judging)
  return verdicts.map((one: Record<string, unknown>) => `${one.judging}:${one.stdout}`).join(' ')
}

describe.each(Object.entries(subjects))('a %s that is queued again', (name, { path, kind, create }) => {
  async function createTwice(): Promise<string> {
    const id = await create()
    await queueAgain(service)
    return id
  }

  it('has the next judging in its message, and for judges and admins in its record, also as `attempt`', async () => {
    const id = await create()
    for (const number of [1, 2]) {
      expect(await messagesFor(service, id)).toEqual([{ kind, judging: number }])
      for (const caller of [judge, admin]) {
        const shown = { judging: number, attempt: number, status: 'PENDING' }
        expect(await caller.get(`${path}/${id}`)).toMatchObject(shown)
      }
      await queueAgain(service)
    }
    if (name === 'shadow judging') return
    const record = await user.get(`${path}/${id}`)
    for (const field of ['judging', 'attempt']) expect(record).not.toHaveProperty(field)
  })

  it.each(sequences)('%s: %s', async (_, sent, kept) => {
    for (const form of forms) {
      const id = await createTwice()
      let shown = ''
      for (const [number, stdout = ''] of sent.split(' ').map((one) => one.split(':'))) {
        const verdict = { status: 'WRONG_ANSWER', stdout, ...form(judgingOf(number)) }
        await judge.patch(`${path}/${id}`, verdict, 204)
        if (kept.includes(`:${stdout}`)) shown = stdout
        const record = { status: 'WRONG_ANSWER', judging: 2, stdout: shown }
        expect(await judge.get(`${path}/${id}`)).toMatchObject(record)
      }
      if (name === 'submission') expect(await readHistory(id)).toBe(kept)
    }
  })

  it('refuses verdicts whose judging and attempt differ or are no positive integers (400)', async () => {
    const id = await createTwice()
    for (const number of [1, 2]) {
      const verdict = { status: 'ACCEPTED', judging: number, attempt: 3 - number }
      await judge.patch(`${path}/${id}`, verdict, refusal(400, '400', 'judging and attempt must not differ'))
    }
    for (const field of ['judging', 'attempt']) {
      for (const value of [0, -1, 1.5, '1', 2_147_483_648])
        await judge.patch(`${path}/${id}`, { status: 'ACCEPTED', [field]: value }, invalidField(field))
    }
    expect(await judge.get(`${path}/${id}`)).toMatchObject({ status: 'PENDING' })
    for (const equal of [{ judging: 1, attempt: 1 }, { judging: null, attempt: 1 }, { judging: 1 }]) {
      await judge.patch(`${path}/${id}`, { status: 'ACCEPTED', ...equal }, 204)
      expect(await judge.get(`${path}/${id}`)).toMatchObject({ status: 'ACCEPTED' })
    }
  })

  it('keeps a verdict of the newest judging if verdicts of older ones arrive at the same time', async () => {
    const id = await createTwice()
    const numbers = Array.from({ length: 16 }, (_, n) => (n % 8 === 3 ? 2 : 1))
    const verdicts = numbers.map((number) => ({ status: 'ACCEPTED', stdout: `${number}`, judging: number }))
    await Promise.all(verdicts.map((verdict) => judge.patch(`${path}/${id}`, verdict, 204)))
    expect(await judge.get(`${path}/${id}`)).toMatchObject({ stdout: '2' })
  })
})

describe('the verdicts of a submission', () => {
  it('are complete and newest first for its owner, judges and admins', async () => {
    const id = await submit(user)
    const path = `/v1/submissions/${id}/verdicts`
    expect(await user.get(path)).toEqual([])
    const [failed_test_case_id = ''] = problem.cases
    const result = { test_case_id: failed_test_case_id, stdout: 'o', stderr: 'e', passed: false }
    const outputs = { stdout: 'out', stderr: 'err', time_elapsed: 0.5 }
    const first = { status: 'WRONG_ANSWER', ...outputs, failed_test_case_id }
    await giveVerdict(id, { ...first, test_case_results: [result] })
    await nextMillisecond()
    await giveVerdict(id, 'ACCEPTED')
    const verdicts = await user.get(path)
    expect(verdicts).toMatchObject([
      { status: 'ACCEPTED', stdout: '', failed_test_case_id: null, test_case_results: [] },
      { ...first, test_case_results: [{ ...result, submission_id: id }] },
    ])
    expect(Date.parse(verdicts[0].judged_at)).toBeGreaterThan(Date.parse(verdicts[1].judged_at))
    for (const caller of [judge, admin]) expect(await caller.get(path)).toEqual(verdicts)
  })

  it('are on one page only, also with verdicts and rejudgings between two pages', async () => {
    const changes = {
      'a new verdict': (id: string) => giveVerdict(id, { status: 'ACCEPTED', stdout: 'new' }),
      'a rejudging': (id: string) => admin.post('/v1/admin/rejudge', { submission_id: id }, 200),
    }
    const nextOf = (link = '') => /<(.+?)>; rel="next"/.exec(link)?.[1] ?? ''
    for (const [first, second] of [
      ['a new verdict', 'a rejudging'],
      ['a rejudging', 'a new verdict'],
    ] as const) {
      const id = await submit(user)
      const outputs = ['a', 'b', 'c', 'd']
      for (const stdout of outputs) await giveVerdict(id, { status: 'WRONG_ANSWER', stdout })
      const read = await user.send('GET', `/v1/submissions/${id}/verdicts?limit=1`)
      await changes[first](id)
      const next = await user.send('GET', nextOf(read.headers.link))
      await changes[second](id)
      const last = await user.send('GET', nextOf(next.headers.link))
      const expected = outputs.toReversed().map((stdout) => ({ stdout }))
      expect([read, next, last].flatMap(({ body }) => body)).toMatchObject(expected.slice(0, 3))
    }
  })

  it('accept a late verdict for a replaced test case, and drop it', async () => {
    const id = await submit(user)
    await queueAgain(service)
    await giveVerdict(id, { status: 'ACCEPTED', judging: 2 })
    await giveVerdict(id, { status: 'WRONG_ANSWER', judging: 1, failed_test_case_id: NOBODY })
    expect(await readHistory(id)).toBe('2:')
    const current = { status: 'WRONG_ANSWER', judging: 2, failed_test_case_id: NOBODY }
    await judge.patch(`/v1/submissions/${id}`, current, 400)
  })
})
