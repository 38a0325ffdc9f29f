import { createJudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { expect, it } from 'vitest'
import { ROOT, SOLUTION } from '../../tools/local-servers/submitter.ts'
import { startJudgingService } from '../support/judging-service.ts'

it('the worker fetches the tests of a problem once, and again only after a change', async () => {
  const { url, log, problemId, language } = await startJudgingService()
  const root = createJudgeClient({ baseUrl: url })
  const { token, id } = await orThrow(root.POST('/v1/basic_login', { body: ROOT }))
  root.setToken(token)
  const submit = async (source_code: string) => {
    const body = { user_id: id, problem_id: problemId, language_id: language.id, source_code }
    const submission = await orThrow(root.POST('/v1/submissions', { body }))
    const path = { submission_id: submission.id }
    const readStatus = async () =>
      (await orThrow(root.GET('/v1/submissions/{submission_id}/status', { params: { path } }))).status
    await expect.poll(readStatus).not.toBe('PENDING')
    return readStatus()
  }
  const path = { id: problemId }
  const test_cases = [{ input: '1', expected_output: 'changed' }]

  expect(await submit(SOLUTION)).toBe('ACCEPTED')
  expect(await submit(SOLUTION)).toBe('ACCEPTED')
  await orThrow(root.PUT('/v1/problems/{id}', { params: { path }, body: { title: 'Renamed' } }))
  expect(await submit(SOLUTION)).toBe('ACCEPTED')
  await orThrow(root.PUT('/v1/problems/{id}', { params: { path }, body: { test_cases } }))
  expect(await submit(SOLUTION)).toBe('WRONG_ANSWER')
  expect(await submit('console.log("changed")')).toBe('ACCEPTED')

  const responses = log.map((line) => JSON.parse(line))
  const statusesOf = (end: string) =>
    responses.filter(({ route }) => route?.endsWith(end)).map(({ status }) => status)
  expect(statusesOf('/:id/test_cases')).toEqual([200, 304, 304, 200, 304])
  expect(statusesOf('/:id/test_cases/:test_case_id')).toEqual([200, 200])
  expect(statusesOf('/:id/tests')).toEqual([])
})
