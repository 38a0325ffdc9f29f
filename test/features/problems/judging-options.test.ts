import { describe, expect, it } from 'vitest'
import { serviceWithProblem } from '../../support/judging.ts'
import { nextMillisecond } from '../../support/moments.ts'
import { invalidField, refusal } from '../../support/refusals.ts'

type Fields = Record<string, unknown>

const { service, admin, user, createProblem, submit, readRecord } = await serviceWithProblem()
const { judge } = service

const ALL = { 'judge-capabilities': 'limits/1 ,\tVALIDATION/1,,unknown/7, Test-Groups/1' }
const urlOf = (id: number) => `/v1/problems/${id}`
const testsUrl = (id: number) => `/v1/problem_description/${id}/tests`
const put = (id: number, body: Fields) => admin.put(urlOf(id), body, 200)
const readTests = (id: number, headers: Record<string, string> = ALL, caller = judge) =>
  caller.send('GET', testsUrl(id), undefined, headers)

const cases = (count: number) => Array.from({ length: count }, () => ({ input: '1', expected_output: '1' }))

const checker = {
  type: 'custom',
  flags: 'strict 7',
  protocol: 'testlib',
  files: [
    { name: 'check.cpp', content: 'int main() {}\t\u0001 😀' },
    { name: 'include/testlib.h', content: '' },
  ],
  language: 'CPP',
}
const interactor = {
  type: 'interactive',
  files: [{ name: 'run.sh', content: 'exec python3 -c ""' }],
  build: ['sh', '-c', 'true'],
  run: ['{dir}/run.sh', '{dir}'],
}
const groups = [
  { name: 'samples', points: 0, aggregation: 'sum', cases: [1] },
  {
    ...{ name: 'all', points: 0.3, aggregation: 'sum' },
    groups: [
      { name: 'a', points: 0.1, aggregation: 'min', cases: [3] },
      { name: 'b', points: 0.2, aggregation: 'sum', cases: [2] },
    ],
  },
  {
    ...{ name: 'b', points: 99.45, aggregation: 'min' },
    groups: [{ name: 'x', points: 99.45, aggregation: 'sum', cases: [4, 5] }],
  },
]
const limits = {
  ...{ output: 8, compilation_time: 60, compilation_memory: 2048 },
  ...{ validation_time: 60, validation_memory: 1024, validation_output: 8 },
  time_multipliers: { Python: 3, cpp: 0.5 },
}
const options = { validation: checker, test_groups: groups, run: 'all', limits }
const shown = { ...options, max_score: 99.75 }
const names = Object.keys(shown)
const ownFields = ['problem_id', 'accept_timeout', 'execution_timeout', 'memory_limit']

const createWithOptions = async (fields: Fields = {}) =>
  (await createProblem({ test_cases: cases(5), ...options, ...fields })).id

describe('the judging options of a problem (D41)', () => {
  it('are shown to judges and admins as they were sent, with max_score, on both routes', async () => {
    const id = await createWithOptions()
    for (const caller of [judge, admin])
      for (const url of [urlOf(id), testsUrl(id)]) {
        const { status, body } = await caller.send('GET', url, undefined, ALL)
        expect({ status, body }).toMatchObject({ status: 200, body: shown })
        expect(body.test_cases).toHaveLength(5)
      }
    const fields = Object.keys((await readTests(id)).body)
    expect(fields.slice(0, 4)).toEqual(ownFields)
    expect(fields.slice(4, -1).sort()).toEqual(names.toSorted())
    expect(fields.at(-1)).toBe('test_cases')
  })

  it('are shown neither to users, the author included, nor in lists, events and records', async () => {
    const id = await createWithOptions({ user_id: user.id })
    const times = { start_time: '2026-01-01T00:00:00Z', end_time: '2096-01-01T00:00:00Z' }
    const event = await admin.post('/v1/events', { title: 'x', ...times, problems: [{ problem_id: id }] })
    const [{ id: eventProblem }] = await admin.get(`/v1/events/${event.id}/problems`)
    const read = await user.get(urlOf(id))
    for (const name of names) expect(read).not.toHaveProperty(name)
    const submission = await submit(admin, { problem_id: id, event_id: event.id })
    for (const url of [
      ...['/v1/problems', `/v1/events/${event.id}`, `/v1/events/${event.id}/problems`],
      ...[`/v1/events/${event.id}/problems/${eventProblem}`, `/v1/submissions/${submission}`],
    ]) {
      for (const caller of [user, judge, admin]) {
        const { text } = await caller.send('GET', url)
        for (const name of ['validation', 'test_groups', 'time_multipliers', 'judging_options'])
          expect(text, url).not.toContain(name)
      }
    }
  })

  it('are all absent from a problem without them', async () => {
    const { id } = await createProblem({ validation: null, test_groups: null, run: null, limits: null })
    const { body, text } = await readTests(id, {})
    expect(Object.keys(body)).toEqual([...ownFields, 'test_cases'])
    expect(text).toMatch(/^\{"problem_id" : \d+, "accept_timeout" : 3, .*, "test_cases" : \[\{/)
    for (const name of names) expect(await judge.get(urlOf(id))).not.toHaveProperty(name)
  })

  it('are replaced one by one; null removes one, and absent ones stay', async () => {
    const id = await createWithOptions()
    const readOptions = async () => {
      const { body } = await readTests(id)
      return Object.fromEntries(names.flatMap((name) => (name in body ? [[name, body[name]]] : [])))
    }
    await put(id, { title: 'New' })
    expect(await readOptions()).toEqual(shown)
    await put(id, { validation: interactor, run: null })
    const { run: _, ...rest } = shown
    expect(await readOptions()).toEqual({ ...rest, validation: interactor })
    const [samples] = groups
    await put(id, { test_groups: [samples], limits: { output: 1 } })
    const limited = { limits: { output: 1 } }
    const changed = { validation: interactor, test_groups: [samples], max_score: 0 }
    expect(await readOptions()).toEqual({ ...changed, ...limited })
    await put(id, { test_groups: null, validation: null })
    expect(await readOptions()).toEqual(limited)
    await put(id, { limits: null, run: null })
    expect(await readOptions()).toEqual({})
    await judge.get(testsUrl(id), 200)
  })

  it('change the entity tag of the tests, and the time of the last change', async () => {
    const id = await createWithOptions()
    for (const change of [{ run: 'first_failure' }, { limits: null }, { validation: null }]) {
      const { headers } = await readTests(id)
      const { updated_at } = await admin.get(urlOf(id))
      const known = { ...ALL, 'if-none-match': headers.etag ?? '' }
      expect((await readTests(id, known)).status).toBe(304)
      await nextMillisecond()
      await put(id, change)
      expect((await readTests(id, known)).status).toBe(200)
      expect((await admin.get(urlOf(id))).updated_at).not.toBe(updated_at)
    }
  })

  it('may have files of 4 MiB in total, which count as bytes of the problem', async () => {
    const validation = { ...checker, files: [{ name: 'a', content: 'ä'.repeat(2 * 1024 * 1024) }] }
    const id = await createWithOptions({ validation })
    for (const url of [urlOf(id), testsUrl(id)])
      expect((await judge.send('GET', url, undefined, ALL)).body.validation).toEqual(validation)
    const files = [...validation.files, { name: 'b', content: 'x' }]
    await admin.put(urlOf(id), { validation: { ...checker, files } }, invalidField('validation.files'))
  })
})

const group = (fields: Fields) => ({
  test_groups: [{ name: 'g', points: 1, aggregation: 'sum', cases: [1], ...fields }],
})
const inner = (points: number, fields: Fields = {}) => ({
  ...{ name: 'i', points, aggregation: 'sum', cases: [2] },
  ...fields,
})
const outer = (groups: Fields[], fields: Fields = {}) => group({ cases: undefined, groups, ...fields })
const thousand = Array.from({ length: 1000 }, (_, i) => inner(0, { name: `${i}`, cases: [i + 1] }))
const multipliers = (time_multipliers: Fields) => ({ limits: { time_multipliers } })
const nested = (levels: number): Fields =>
  levels === 1 ? inner(1) : { ...inner(1), cases: undefined, groups: [nested(levels - 1)] }
const custom = (fields: Fields) => ({ validation: { ...checker, ...fields } })
const file = (name: string) => ({ name, content: '' })

describe('creating and updating a problem', () => {
  it.each([
    '',
    ' case_sensitive\tspace_change_sensitive\ncase_sensitive ',
    'float_tolerance 1e-6',
    'float_relative_tolerance .5E+1 float_absolute_tolerance +1.',
    'float_absolute_tolerance 0',
  ])('accepts the flags "%s" of the default validator', async (flags) => {
    const { id } = await createProblem({ validation: { type: 'default', flags } })
    expect((await readTests(id)).body.validation).toEqual({ type: 'default', flags })
  })

  it.each([
    ['an unknown flag', 'float_tolerance 1 strict'],
    ['a flag in another case', 'CASE_SENSITIVE'],
    ['a tolerance without a number', 'float_tolerance'],
    ['a flag instead of a number', 'float_tolerance case_sensitive'],
    ['a negative number', 'float_tolerance -1e-6'],
    ['a number that is not finite', 'float_tolerance 1e999'],
    ['a hexadecimal number', 'float_tolerance 0x1'],
    ['a tolerance twice', 'float_absolute_tolerance 1 float_absolute_tolerance 1'],
    ['float_tolerance beside another', 'float_relative_tolerance 1 float_tolerance 1'],
  ])('refuses %s of the default validator (400)', async (_, flags) => {
    await admin.put(urlOf(1), { validation: { type: 'default', flags } }, invalidField('validation.flags'))
  })

  it.each<[string, string, Fields]>([
    ['an unknown type', 'validation.type', { validation: { type: 'diff' } }],
    ['files of the default validator', 'validation.files', custom({ type: 'default', protocol: undefined })],
    ['a program without files', 'validation.files', custom({ files: undefined })],
    ['both language and run', 'validation', custom({ run: ['x'] })],
    ['neither language nor run', 'validation', custom({ language: undefined })],
    ['build with language', 'validation.build', custom({ build: ['x'] })],
    ['an unknown language', 'validation.language', custom({ language: 'Klingon' })],
    ['an unknown protocol', 'validation.protocol', custom({ protocol: 'kattis' })],
    ['a file name twice', 'validation.files', custom({ files: [file('a'), file('a')] })],
    ['a file in a file', 'validation.files', custom({ files: [file('a'), file('a/b')] })],
    ['a file outside the folder', 'validation.files', custom({ files: [file('a/../../b')] })],
    ["a file with a worker's name", 'validation.files', custom({ files: [file('.judging-a/b')] })],
    ['an absolute file name', 'validation.files.0.name', custom({ files: [file('/etc/passwd')] })],
    ['no group', 'test_groups', { test_groups: [] }],
    ['points with three decimals', 'test_groups.0.points', group({ points: 0.125 })],
    ['too many points', 'test_groups.0.points', group({ points: 1_000_001 })],
    ['an unknown aggregation', 'test_groups.0.aggregation', group({ aggregation: 'max' })],
    ['a group with cases and groups', 'test_groups.0', group({ groups: [inner(1)] })],
    ['a group with neither', 'test_groups.0', group({ cases: undefined })],
    ['a case in two groups', 'test_groups.0.groups.0.cases', outer([inner(1, { cases: [2, 2] })])],
    ['a wrong sum of points', 'test_groups.0.points', outer([inner(0.5)])],
    ['other points below min', 'test_groups.0.groups', outer([inner(0.5)], { aggregation: 'min' })],
    ['a name twice among siblings', 'test_groups', { test_groups: [inner(1), inner(2, { cases: [1] })] }],
    ['nine levels of groups', 'test_groups.0', { test_groups: [nested(9)] }],
    ['more than 1,000 groups', 'test_groups', outer(thousand, { points: 0 })],
    ['a case that does not exist', 'test_groups', group({ cases: [1, 3] })],
    ['case 0', 'test_groups.0.cases.0', group({ cases: [0] })],
    ['an unknown value of run', 'run', { run: 'some' }],
    ['limits without a limit', 'limits', { limits: { memory: 5 } }],
    ['a limit of 0', 'limits.output', { limits: { output: 0 } }],
    ['a multiplier of 0', 'limits.time_multipliers', multipliers({ C: 0 })],
    ['a multiplier of an unknown language', 'limits.time_multipliers', multipliers({ Klingon: 2 })],
    ['a language twice', 'limits.time_multipliers', multipliers({ 'C++': 2, cpp: 2 })],
    ['text with U+0000', 'test_groups.0.name', group({ name: 'a\0b' })],
  ])('refuses %s (400)', async (_, field, sent) => {
    const fields = { ...sent, title: 'Refused' }
    const body = { identifier: 'x', prompt: 'x', difficulty: 'EASY', test_cases: cases(2), ...fields }
    await admin.post('/v1/problems', body, invalidField(field))
    await admin.put(urlOf(1), fields, invalidField(field))
    expect((await admin.get(urlOf(1))).title).not.toBe('Refused')
  })

  it('accepts groups in eight levels, and compares them with the test cases of the problem afterwards', async () => {
    const { id: deep } = await createProblem({ test_groups: [nested(8)] })
    expect((await readTests(deep)).body).toMatchObject({ max_score: 1, test_groups: [{ name: 'i' }] })
    const id = await createWithOptions()
    const refused = invalidField('test_groups')
    await admin.put(urlOf(id), { test_cases: cases(4) }, refused)
    await admin.put(urlOf(id), { test_cases: cases(5), ...group({ cases: [6] }) }, refused)
    await put(id, { test_cases: cases(6), ...group({ cases: [6] }) })
    await admin.put(urlOf(id), group({ cases: [7] }), refused)
    await put(id, { test_cases: cases(1), test_groups: null })
    expect((await readTests(id)).body).not.toHaveProperty('max_score')
  })
})

describe('a judge worker without the capabilities of a problem (D41)', () => {
  const tooOld = (missing: string) =>
    refusal(409, 'WORKER_TOO_OLD', expect.stringContaining(`lacks ${missing}:`))

  it.each<[string, Fields, string | undefined, string | undefined]>([
    ['nothing for run', { run: 'all' }, undefined, undefined],
    ['validation/1', { validation: { type: 'default' } }, 'test-groups/1, limits/1', 'validation/1'],
    ['test-groups/1', group({}), 'test-groups/2, test-groups', 'test-groups/1'],
    ['limits/1', { limits: { output: 1 } }, undefined, 'limits/1'],
    ['all three', { ...options, ...group({}) }, undefined, 'validation/1, test-groups/1, limits/1'],
  ])('gets no tests, no 304 and no problem, and gives no verdict: %s', async (_, fields, sent, missing) => {
    const { id } = await createProblem(fields)
    const submission = await submit(user, { problem_id: id })
    const { headers } = await readTests(id)
    const patch = (own: Record<string, string>) =>
      judge.send('PATCH', `/v1/submissions/${submission}`, { status: 'WRONG_ANSWER' }, own)
    const own: Record<string, string> = sent === undefined ? {} : { 'judge-capabilities': sent }
    const known = { ...own, 'if-none-match': headers.etag ?? '' }
    const read = [await readTests(id, own), await judge.send('GET', urlOf(id), undefined, own)]
    for (const response of [...read, await readTests(id, known), await patch(own)])
      expect(response).toMatchObject(missing === undefined ? {} : tooOld(missing))
    expect((await readRecord(submission)).status).toBe(missing === undefined ? 'WRONG_ANSWER' : 'PENDING')
    expect(await patch(ALL)).toMatchObject({ status: 204 })
    expect((await readRecord(submission)).status).toBe('WRONG_ANSWER')
  })

  it('still judges other problems; admins need no capabilities', async () => {
    const id = await createWithOptions()
    const ofProblem = await submit(user, { problem_id: id })
    expect(await readTests(id, {}, admin)).toMatchObject({ status: 200, body: shown })
    await admin.patch(`/v1/submissions/${ofProblem}`, { status: 'WRONG_ANSWER' }, 204)
    const submission = await submit(user)
    await judge.get(testsUrl(1), 200)
    await judge.patch(`/v1/submissions/${submission}`, { status: 'ACCEPTED' }, 204)
  })
})
