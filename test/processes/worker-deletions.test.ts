import { orThrow } from '@judge-data-layer/client/errors'
import { expect, it } from 'vitest'
import { SOLUTION } from '../../tools/local-servers/submitter.ts'
import { openJudgingService } from '../support/judging-service.ts'

it('the worker judges what waits when its problem is deleted and its language retired (D21, D27)', async () => {
  const { problemId, language, judge, root, submit, readStatus } = await openJudgingService()
  const [right, wrong] = await Promise.all([SOLUTION, 'console.log(7)'].map(submit))
  const program = { language_id: language.id, source_code: SOLUTION, stdin: '4' }
  const run = await orThrow(root.POST('/v1/input_submissions', { body: program }))
  const deleted = { id: problemId }
  await orThrow(root.DELETE('/v1/problems/{id}', { params: { path: deleted } }))
  const path = { language_id: language.id }
  await orThrow(root.DELETE('/v1/languages/{language_id}', { params: { path } }))
  await judge()

  await expect.poll(() => readStatus(right ?? '')).toBe('ACCEPTED')
  await expect.poll(() => readStatus(wrong ?? '')).toBe('WRONG_ANSWER')
  const readRun = () => orThrow(root.GET('/v1/input_submissions/{id}', { params: { path: { id: run } } }))
  await expect.poll(readRun).toMatchObject({ status: 'ACCEPTED', stdout: '8\n' })
})
