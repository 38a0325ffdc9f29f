import { describe, expect, it } from 'vitest'
import { serviceWithProblem } from '../../support/judging.ts'
import { invalidField, refusal } from '../../support/refusals.ts'

type Fields = Record<string, unknown>

const { service, admin, user, createProblem, submit, readRecord } = await serviceWithProblem()
const { judge } = service

const ABLE = { 'judge-capabilities': 'Case-Flags/1, validation/1' }
const urlOf = (id: number) => `/v1/problems/${id}`
const testsUrl = (id: number) => `/v1/problem_description/${id}/tests`
const readTests = (id: number, headers: Record<string, string> = ABLE) =>
  judge.send('GET', testsUrl(id), undefined, headers)
const cases = (count: number) => Array.from({ length: count }, () => ({ input: '1', expected_output: '1' }))

const entry = (flags: string, ...numbers: number[]) => ({ cases: numbers, flags })
const byDefault = (...case_flags: unknown[]) => ({ validation: { type: 'default', flags: '', case_flags } })
const program = { language: 'Python', files: [{ name: 'validate.py', content: '' }] }
const wrong = entry('x', 2)
const entries = (length: number, flags: string) => Array.from({ length }, (_, i) => entry(flags, i + 1))
const strict = entry('case_sensitive', 3, 1)
const create = async (fields: Fields) => (await createProblem({ test_cases: cases(4), ...fields })).id

const kept = await create(byDefault(strict))

describe('flags of single test cases (D41)', () => {
  it.each<[string, Fields]>([
    ['default', byDefault(strict, entry('', 2), entry(' float_tolerance  1e-6 ', 4))],
    ['custom', { validation: { type: 'custom', ...program, case_flags: [entry('a "b c" ü', 1, 2)] } }],
    ['interactive', { validation: { type: 'interactive', ...program, case_flags: [entry('--most 3', 4)] } }],
  ])('are shown to judges as they were sent: the type %s', async (_, { validation }) => {
    const id = await create({ validation })
    for (const url of [urlOf(id), testsUrl(id), `/v1/problem_description/${id}/test_cases`])
      expect((await judge.send('GET', url, undefined, ABLE)).body.validation).toEqual(validation)
    await admin.put(urlOf(id), byDefault(strict), 200)
    expect((await readTests(id)).body.validation).toEqual(byDefault(strict).validation)
  })

  it.each<[string, string, Fields]>([
    ['an invalid flag of the default validator', 'validation.case_flags.1.flags', byDefault(strict, wrong)],
    ['no entry', 'validation.case_flags', byDefault()],
    ['an entry without test cases', 'validation.case_flags.0.cases', byDefault(entry(''))],
    ['an entry without flags', 'validation.case_flags.0.flags', byDefault({ cases: [1] })],
    ['test case 0', 'validation.case_flags.0.cases.0', byDefault(entry('', 0))],
    ['a number that is not whole', 'validation.case_flags.0.cases.0', byDefault(entry('', 1.5))],
    ['a test case in two entries', 'validation.case_flags.1.cases', byDefault(strict, entry('', 2, 3))],
    ['a test case twice in an entry', 'validation.case_flags.0.cases', byDefault(entry('', 2, 2))],
    ['a test case that does not exist', 'validation.case_flags', byDefault(entry('', 5))],
    ['long flags', 'validation.case_flags.0.flags', byDefault(entry(' '.repeat(4097), 1))],
    ['more than 1,000 entries', 'validation.case_flags', byDefault(...entries(1001, ''))],
    ['more than 1 MiB of flags', 'validation.case_flags', byDefault(...entries(129, 'ä'.repeat(4096)))],
    ['U+0000', 'validation.case_flags.0.flags', byDefault(entry('\0', 1))],
    ['a list of texts', 'validation.case_flags.0', byDefault('case_sensitive')],
  ])('refuses %s (400)', async (_, field, fields) => {
    const body = { title: 'x', identifier: 'x', prompt: 'x', difficulty: 'EASY', test_cases: cases(4) }
    await admin.post('/v1/problems', { ...body, ...fields }, invalidField(field))
    await admin.put(urlOf(kept), fields, invalidField(field))
    expect((await readTests(kept)).body.validation).toEqual(byDefault(strict).validation)
  })

  it('must fit the test cases that the problem has afterwards, none of which is deleted (400)', async () => {
    const id = await create(byDefault(entry('', 4)))
    const refused = invalidField('validation.case_flags')
    await admin.put(urlOf(id), { test_cases: cases(3) }, refused)
    await admin.put(urlOf(id), { test_cases: cases(3), ...byDefault(entry('', 4)) }, refused)
    await admin.put(urlOf(id), { test_cases: cases(3), ...byDefault(entry('', 3)) }, 200)
    await admin.put(urlOf(id), { test_cases: cases(2), validation: null }, 200)
    await admin.put(urlOf(id), byDefault(entry('', 3)), refused)
    const added = { test_cases: [{ input: '3', expected_output: '3' }] }
    await admin.post(`/v1/problems/${id}/test_cases`, added, 201)
    await admin.put(urlOf(id), byDefault(entry('', 3)), 200)
    const { id: other, cases: ids } = await createProblem({
      test_cases: cases(2),
      ...byDefault(entry('', 1)),
    })
    const url = `/v1/problems/${other}/test_cases/${ids[1]}`
    await admin.delete(url, refusal(400, '400', expect.stringContaining('validation.case_flags')))
    await admin.put(urlOf(other), { validation: { type: 'default' } }, 200)
    await admin.delete(url, 204)
  })

  it.each([
    ['validation/1', 'case-flags/1'],
    ['case-flags/1', 'validation/1'],
    ['', 'validation/1, case-flags/1'],
  ])('keep tests and verdicts from a worker with "%s" until they are removed', async (sent, missing) => {
    const id = await create(byDefault(strict))
    const submission = await submit(user, { problem_id: id })
    const own = { 'judge-capabilities': sent }
    const tooOld = refusal(409, 'WORKER_TOO_OLD', expect.stringContaining(`lacks ${missing}:`))
    const patch = (headers: Record<string, string>) =>
      judge.send('PATCH', `/v1/submissions/${submission}`, { status: 'WRONG_ANSWER' }, headers)
    for (const response of [await readTests(id, own), await patch(own)])
      expect(response).toMatchObject(tooOld)
    expect((await readRecord(submission)).status).toBe('PENDING')
    expect(await patch(ABLE)).toMatchObject({ status: 204 })
    await admin.put(urlOf(id), { validation: null }, 200)
    expect(await readTests(id, own)).toMatchObject({ status: 200 })
  })
})
