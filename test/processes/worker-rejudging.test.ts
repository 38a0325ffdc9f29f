import { createJudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { waitForVerdict } from '@judge-data-layer/client/waiting'
import { expect, it } from 'vitest'
import { SOLUTION } from '../../tools/local-servers/submitter.ts'
import { isoIn } from '../support/contests.ts'
import { startJudgingService } from '../support/judging-service.ts'

/** It knows the wrong answer of the second test case. */
const FITTED = `
  const number = Number(require('fs').readFileSync(0, 'utf8'))
  console.log(number === 5 ? 11 : 2 * number)`

type Person = Awaited<ReturnType<typeof register>>

async function register(baseUrl: string, name: string) {
  const client = createJudgeClient({ baseUrl })
  const body = { name, email: `${name}@example.org`, password: `a password of ${name}` }
  const { id, token } = await orThrow(client.POST('/v1/basic_register', { body }))
  client.setToken(token)
  return { id, client }
}

it('a worker judges a contest again after a test case was corrected; staff looks, and applies', async () => {
  const { url, problemId, language, root } = await startJudgingService()
  const ofProblem = { params: { path: { id: problemId } } }
  const right = { input: '21', expected_output: '42' }
  const wrong = { input: '5', expected_output: '11' }
  await orThrow(root.PUT('/v1/problems/{id}', { ...ofProblem, body: { test_cases: [right, wrong] } }))
  const times = { start_time: isoIn(-60), end_time: isoIn(60) }
  const contest = { title: 'Contest', description: '', ...times, problems: [{ problem_id: problemId }] }
  const { id: event_id } = await orThrow(root.POST('/v1/events', { body: contest }))
  const [solver, fitter] = [await register(url, 'solver'), await register(url, 'fitter')]

  const submit = async ({ id, client }: Person, source_code: string) => {
    const ids = { user_id: id, problem_id: problemId, language_id: language.id, event_id }
    const submission = await orThrow(client.POST('/v1/submissions', { body: { ...ids, source_code } }))
    const { status } = await waitForVerdict(client, submission.id)
    return { id: submission.id, status }
  }
  const solved = await submit(solver, SOLUTION)
  const fitted = await submit(fitter, FITTED)
  expect([solved.status, fitted.status]).toEqual(['WRONG_ANSWER', 'ACCEPTED'])

  const tests = await orThrow(root.GET('/v1/problem_description/{id}/tests', ofProblem))
  const test_case_id = tests.test_cases.find(({ input }) => input === '5')?.id ?? ''
  const path = { problem_id: problemId, test_case_id }
  const correction = { params: { path }, body: { expected_output: '10' } }
  await orThrow(root.PUT('/v1/problems/{problem_id}/test_cases/{test_case_id}', correction))

  const readRanks = async () => {
    const params = { path: { event_id } }
    const { rows } = await orThrow(root.GET('/v1/events/{event_id}/standings', { params }))
    return rows.map(({ rank, user, solved }) => [rank, user?.id, solved])
  }
  /** The verdicts as their owner sees them, the newest first. */
  const readVerdicts = async ({ client }: Person, { id: submission_id }: { id: string }) => {
    const params = { path: { submission_id } }
    const verdicts = await orThrow(client.GET('/v1/submissions/{submission_id}/verdicts', { params }))
    return verdicts.map(({ judging, status, test_case_results }) => [
      ...[judging, status],
      ...test_case_results.map(({ stdout, passed }) => `${stdout?.trim()} ${passed}`),
    ])
  }
  const before = [
    [1, fitter.id, 1],
    [2, solver.id, 0],
  ]
  expect(await readRanks()).toEqual(before)
  const request = { body: { event_id, reason: 'The second test case was wrong.' } }
  const { id: decision_id } = await orThrow(root.POST('/v1/rejudgings', request))
  const ofDecision = { params: { path: { decision_id } } }
  const readDecision = () => orThrow(root.GET('/v1/rejudgings/{decision_id}', ofDecision))
  await expect.poll(async () => (await readDecision()).pending).toBe(0)

  const preview = await readDecision()
  const changes = [
    { submission_id: solved.id, from_status: 'WRONG_ANSWER', to_status: 'ACCEPTED' },
    { submission_id: fitted.id, from_status: 'ACCEPTED', to_status: 'WRONG_ANSWER' },
  ]
  const rank_changes = [
    { event_id, user_id: fitter.id, from_rank: 1, to_rank: 2 },
    { event_id, user_id: solver.id, from_rank: 2, to_rank: 1 },
  ]
  expect(preview).toMatchObject({ state: 'OPEN', changed: 2, changes, rank_changes })
  expect(await readRanks()).toEqual(before)
  expect(await readVerdicts(fitter, fitted)).toEqual([[1, 'ACCEPTED', '42 true', '11 true']])

  const applied = await orThrow(root.POST('/v1/rejudgings/{decision_id}/apply', ofDecision))
  expect(applied).toMatchObject({ state: 'APPLIED', applied: 2, changes, rank_changes })
  expect(await readRanks()).toEqual([
    [1, solver.id, 1],
    [2, fitter.id, 0],
  ])
  expect(await readVerdicts(solver, solved)).toEqual([
    [2, 'ACCEPTED', '42 true', '10 true'],
    [1, 'WRONG_ANSWER', '42 true', '10 false'],
  ])
  expect(await readVerdicts(fitter, fitted)).toEqual([
    [2, 'WRONG_ANSWER', '42 true', '11 false'],
    [1, 'ACCEPTED', '42 true', '11 true'],
  ])
})
