import { createJudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { expect, it } from 'vitest'
import { ROOT, SOLUTION } from '../../tools/local-servers/submitter.ts'
import { openJudgingService } from '../support/judging-service.ts'

it('the worker judges what waits when its problem is deleted and its language retired (D21, D27)', async () => {
  const { url, problemId, language, judge } = await openJudgingService()
  const root = createJudgeClient({ baseUrl: url })
  const { token, id } = await orThrow(root.POST('/v1/basic_login', { body: ROOT }))
  root.setToken(token)
  const program = { user_id: id, language_id: language.id, source_code: SOLUTION }
  const body = { ...program, problem_id: problemId }
  const submissions = [SOLUTION, 'console.log(7)'].map((source_code) =>
    orThrow(root.POST('/v1/submissions', { body: { ...body, source_code } })),
  )
  const [right, wrong] = await Promise.all(submissions)
  const run = await orThrow(root.POST('/v1/input_submissions', { body: { ...program, stdin: '4' } }))
  const deleted = { id: problemId }
  await orThrow(root.DELETE('/v1/problems/{id}', { params: { path: deleted } }))
  const path = { language_id: language.id }
  await orThrow(root.DELETE('/v1/languages/{language_id}', { params: { path } }))
  await judge()

  const statusOf = async (submission_id = '') =>
    (
      await orThrow(
        root.GET('/v1/submissions/{submission_id}/status', { params: { path: { submission_id } } }),
      )
    ).status
  await expect.poll(() => statusOf(right?.id)).toBe('ACCEPTED')
  await expect.poll(() => statusOf(wrong?.id)).toBe('WRONG_ANSWER')
  const readRun = () => orThrow(root.GET('/v1/input_submissions/{id}', { params: { path: { id: run } } }))
  await expect.poll(readRun).toMatchObject({ status: 'ACCEPTED', stdout: '8\n' })
})
