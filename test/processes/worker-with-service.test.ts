import { orThrow } from '@judge-data-layer/client/errors'
import { expect, it } from 'vitest'
import { SOLUTION } from '../../tools/local-servers/submitter.ts'
import { openJudgingService, startJudgingService } from '../support/judging-service.ts'

it('the worker fetches the tests of a problem once, and again only after a change', async () => {
  const { log, problemId, root, submit: send, readStatus } = await startJudgingService()
  const submit = async (sourceCode: string) => {
    const id = await send(sourceCode)
    await expect.poll(() => readStatus(id)).not.toBe('PENDING')
    return readStatus(id)
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
  for (const which of ['input', 'answer'])
    expect(statusesOf(`/:id/test_cases/:test_case_id/${which}`)).toEqual([200, 200])
  expect(statusesOf('/:id/tests')).toEqual([])
})

it('the worker judges what waits when its problem is deleted and its language retired (D21, D27)', async () => {
  const { problemId, language, judge, root, submit, readStatus } = await openJudgingService()
  const [right, wrong] = await Promise.all([SOLUTION, 'console.log(7)'].map(submit))
  const program = { language_id: language.id, source_code: SOLUTION, stdin: '4' }
  const run = await orThrow(root.POST('/v1/input_submissions', { body: program }))
  const deleted = { id: problemId }
  await orThrow(root.DELETE('/v1/problems/{id}', { params: { path: deleted } }))
  const retired = { language_id: language.id }
  await orThrow(root.DELETE('/v1/languages/{language_id}', { params: { path: retired } }))
  await judge()

  await expect.poll(() => readStatus(right ?? '')).toBe('ACCEPTED')
  await expect.poll(() => readStatus(wrong ?? '')).toBe('WRONG_ANSWER')
  const path = { id: run }
  const readRun = () => orThrow(root.GET('/v1/input_submissions/{id}', { params: { path } }))
  await expect.poll(readRun).toMatchObject({ status: 'ACCEPTED', stdout: '8\n' })
})
