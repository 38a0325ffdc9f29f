import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { createContest, INSTANT } from '../../support/contests.ts'
import { NO_PROBLEM, NOBODY, UUID } from '../../support/ids.ts'
import { messagesFor, queueAgain, serviceWithProblem } from '../../support/judging.ts'
import { observeStatements } from '../../support/observed-statements.ts'
import { forbidden, invalid, notFound, refusal } from '../../support/refusals.ts'

const judging = await serviceWithProblem()
const { service, admin, user, stranger, problem, language, submit, giveVerdict } = judging
const { judge, database } = service

const URL = '/v1/admin/shadow_judgings'
const program = { problem_id: problem.id, language_id: language.id, source_code: 'print(41 + 1)' }
const event_id = await createContest(judging, [{ problem_id: problem.id, memory_limit: 33 }])
const submission_id = await submit(user, { event_id, source_code: 'print(40)' })
await giveVerdict(submission_id, 'WRONG_ANSWER')

const create = async (body: object = { submission_id }): Promise<string> =>
  (await admin.post(URL, body, 201)).id

const countShadows = async () => (await database.query(unprepared('select from shadow_judgings'))).length

describe('a shadow judging', () => {
  it('has the program, problem, language and event of a submission, or those of its request (201)', async () => {
    const generated = { id: expect.stringMatching(UUID), submit_time: expect.stringMatching(INSTANT) }
    const pending = { ...generated, status: 'PENDING' }
    const ofProgram = { problem_id: problem.id, language_id: language.id }
    const wakes = service.wakes()
    const first = await admin.post(URL, { submission_id: submission_id.toUpperCase(), problem_id: null }, 201)
    expect(first).toEqual({ ...pending, submission_id, ...ofProgram })
    const second = await admin.post(URL, { ...program, submission_id: null }, 201)
    expect(second).toEqual({ ...pending, ...ofProgram })
    expect(service.wakes()).toBe(wakes + 2)
    for (const { id } of [first, second])
      expect(await messagesFor(service, id)).toEqual([{ kind: 'shadow', judging: 1 }])
    const shown = await judge.get(`/v1/submissions/${first.id}`)
    expect(shown).toMatchObject({ event_id, source_code: 'print(40)', problem: { memory_limit: 33 } })
    const own = await judge.get(`/v1/submissions/${second.id}`)
    expect(own).toMatchObject({ source_code: program.source_code, problem: { memory_limit: 64 } })
    expect(own).not.toHaveProperty('event_id')
  })

  it('has the fields of a submission for judges and admins, with its verdict', async () => {
    const id = await create()
    const url = `/v1/submissions/${id}`
    const submission = await judge.get(`/v1/submissions/${await submit(admin, { event_id })}`)
    const user = { id: admin.id, name: admin.name, is_admin: true }
    for (const caller of [judge, admin]) {
      const record = await caller.get(url)
      expect(Object.keys(record).sort()).toEqual(Object.keys(submission).sort())
      expect(record).toMatchObject({ id, user_id: admin.id, user, status: 'PENDING', judging: 1, attempt: 1 })
      expect(await caller.get(`${url}/status`)).toEqual({ id, status: 'PENDING' })
    }
    const [failed_test_case_id = ''] = problem.cases
    const result = { test_case_id: failed_test_case_id, stdout: 'a', stderr: 'b', passed: false }
    const verdict = { status: 'WRONG_ANSWER', stdout: 'out', stderr: 'err', time_elapsed: 0.5 }
    const wakes = service.wakes()
    await giveVerdict(id, { ...verdict, failed_test_case_id, test_case_results: [result] })
    expect(service.wakes()).toBe(wakes + 1)
    const results = [{ ...result, id: expect.stringMatching(UUID), submission_id: id }]
    const judged = { ...verdict, failed_test_case_id, test_case_results: results }
    expect(await admin.get(url)).toMatchObject(judged)
    await giveVerdict(id, 'ACCEPTED')
    expect(await judge.get(url)).toMatchObject({ status: 'ACCEPTED', stdout: '', test_case_results: [] })
    expect(await judge.get(`${url}/status`)).toEqual({ id, status: 'ACCEPTED' })
  })

  it('refuses a verdict on a test case of another problem (400), and drops one of an older judging', async () => {
    const id = await create()
    const foreign = { status: 'WRONG_ANSWER', failed_test_case_id: NOBODY }
    await judge.patch(`/v1/submissions/${id}`, foreign, invalid)
    await queueAgain(service)
    await giveVerdict(id, { status: 'ACCEPTED', judging: 2 })
    await giveVerdict(id, { ...foreign, judging: 1 })
    expect(await judge.get(`/v1/submissions/${id}`)).toMatchObject({ status: 'ACCEPTED', judging: 2 })
  })

  it('does not exist for users: they get what an unknown id gets, from the same statements', async () => {
    const id = await create(program)
    const formerAdmin = await service.createPerson({ admin: true })
    const own = (await formerAdmin.post(URL, { submission_id }, 201)).id
    await admin.put(`/v1/users/${formerAdmin.id}`, { is_admin: false })
    const names: string[] = []
    const stop = observeStatements(database, (name) => void names.push(name))
    for (const caller of [user, stranger, formerAdmin])
      for (const path of ['', '/status', '/verdicts']) {
        const seen = []
        for (const one of [id, own, NOBODY]) {
          names.length = 0
          const { status, text } = await caller.send('GET', `/v1/submissions/${one}${path}`)
          seen.push({ status, text, names: [...names] })
        }
        expect(seen[0]).toMatchObject({ status: 404 })
        expect(seen).toEqual([seen[0], seen[0], seen[0]])
      }
    stop()
    for (const caller of [judge, admin])
      await caller.get(`/v1/submissions/${id}/verdicts`, notFound('submission'))
  })

  it('changes no other response and no entity tag', async () => {
    const others = /_judging|team|question_id|run|clock$|changes$|event-feed/
    const values = new Map<string, unknown>(Object.entries({ event_id, submission_id, user_id: user.id }))
    const paths = service.routes
      .filter(({ method, url }) => method === 'GET' && url.startsWith('/v1') && !others.test(url))
      .map(({ url }) => url.replace(/:(\w+)/g, (_, name) => String(values.get(name) ?? problem.id)))
    const readAll = async () => {
      const responses: unknown[] = []
      for (const path of paths)
        for (const caller of [user, admin]) {
          const { status, text, headers } = await caller.send('GET', path)
          responses.push([path, status, text, headers.etag])
        }
      return responses
    }
    const before = await readAll()
    expect(before.length).toBeGreaterThan(40)
    for (const body of [{ submission_id }, program]) await giveVerdict(await create(body), 'ACCEPTED')
    expect(await readAll()).toEqual(before)
  })

  it('can be deleted with its unsent message; a late verdict gets 404', async () => {
    const wakes = service.wakes()
    const id = await create()
    await user.delete(`${URL}/${id}`, forbidden)
    await admin.delete(`${URL}/${id.toUpperCase()}`, 204)
    expect(service.wakes()).toBe(wakes + 2)
    expect(await messagesFor(service, id)).toEqual([])
    await judge.patch(`/v1/submissions/${id}`, { status: 'ACCEPTED' }, notFound('submission'))
    await judge.get(`/v1/submissions/${id}`, notFound('submission'))
    for (const unknown of [id, submission_id])
      await admin.delete(`${URL}/${unknown}`, notFound('shadow judging'))
  })

  it('is refused for an unknown or deleted record (404) and for a mixed or partial body (400)', async () => {
    const { id: deleted } = await judging.createProblem()
    const ofDeleted = await submit(user, { problem_id: deleted })
    await admin.delete(`/v1/problems/${deleted}`)
    const [, retired] = await user.get('/v1/languages')
    await admin.delete(`/v1/languages/${retired.id}`)
    const noSubmission = refusal(404, 'NOT_FOUND', 'There is no such submission, or its problem was deleted')
    const either = 'Either submission_id or all of problem_id, language_id and source_code are required'
    const before = await countShadows()
    for (const [body, expected] of [
      [{ submission_id: NOBODY }, noSubmission],
      [{ submission_id: ofDeleted }, noSubmission],
      [{ ...program, problem_id: deleted }, notFound('problem')],
      [{ ...program, problem_id: NO_PROBLEM }, notFound('problem')],
      [{ ...program, language_id: retired.id }, notFound('language')],
      [{ ...program, submission_id }, refusal(400, '400', either)],
      [{}, refusal(400, '400', either)],
      [{ ...program, source_code: null }, refusal(400, '400', either)],
      [{ ...program, source_code: '' }, invalid],
    ] as const)
      await admin.post(URL, body, expected)
    for (const caller of [user, judge]) await caller.post(URL, { submission_id }, forbidden)
    expect(await countShadows()).toBe(before)
  })
})
