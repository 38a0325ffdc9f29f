import type { Static } from 'typebox'
import { newIds } from '../../../db/ids.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { judgingValues } from './judging-rules.ts'
import type { problemCreation, problemUpdate } from './schemas.ts'

type Creation = Static<ReturnType<typeof problemCreation>>
export type ProblemUpdate = Static<ReturnType<typeof problemUpdate>>
type TestCases = Creation['test_cases']

/** The values of a new problem; the author is the caller unless sent (D17). */
export function creationValues(body: Creation, callerId: string) {
  const { timeout } = body
  return {
    ...body,
    user_id: body.user_id ?? callerId,
    source: body.source ?? '',
    public: body.public ?? false,
    accept_timeout: body.accept_timeout ?? timeout ?? 10,
    execution_timeout: body.execution_timeout ?? timeout ?? 5,
    memory_limit: body.memory_limit ?? 256,
    category_ids: body.category_ids ?? [],
    judging_options: judgingValues(body).judging_options,
    ...testCaseValues(body.test_cases),
  }
}

/** The values of an update; fields that were not sent stay as they are (D20). */
export function updateValues(body: ProblemUpdate) {
  return {
    ...body,
    accept_timeout: body.accept_timeout ?? body.timeout,
    execution_timeout: body.execution_timeout ?? body.timeout,
    ...judgingValues(body),
  }
}

/** The columns of test cases, each with a new id. */
export function testCaseValues(cases: TestCases) {
  return {
    test_case_ids: newIds(cases.length),
    inputs: cases.map(({ input }) => input),
    expected_outputs: cases.map(({ expected_output }) => expected_output),
    hidden: cases.map(({ hidden }) => hidden ?? false),
  }
}

/** Throws VALIDATION where two test cases have the same id. */
export function refuseRepeatedIds(cases: TestCases): void {
  const ids = cases.flatMap(({ id }) => (id === undefined ? [] : [id]))
  if (new Set(ids).size < ids.length) throw new AppError('VALIDATION', 'test_cases must name each id once')
}
