import { expect } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { ProblemService } from './judging.ts'
import { type StoredPackage, storePackage } from './stored-package.ts'

/** The header of a worker that judges validators of test cases. */
export const VALIDATES = { 'judge-capabilities': 'verification/1' }

export const RIGHT = 'submissions/accepted/right.py'
export const WRONG = 'submissions/wrong_answer/wrong.py'
export const SLOW = 'submissions/time_limit_exceeded/slow.py'
export const CHECK = 'input_validators/check.py'
/** Imports and verifies problems of a service. */
export function makeVerifiedProblems({ service, admin, createProblem }: ProblemService) {
  const { database, judgeToken } = service
  /** A problem with two test cases, a limit of 1.5 s and this package. */
  const importProblem = async (
    files: StoredPackage['files'],
    more: Partial<StoredPackage> = {},
    fields = {},
  ) => {
    const problem = await createProblem(fields)
    await storePackage(service, problem.id, { files, names: ['sample/1', 'secret/2'], ...more })
    const url = `/v1/problem_packages/${problem.id}/verifications`
    const [first = '', second = ''] = problem.cases
    /** A result of each test case: its status and its time in seconds. */
    const resultsOf = (...results: (readonly [status: string, seconds: number, message?: string])[]) =>
      results.map(([status, time_elapsed, judge_message], i) => ({
        ...{ test_case_id: [first, second][i], passed: status === 'ACCEPTED', status, time_elapsed },
        ...(judge_message !== undefined && { judge_message }),
      }))
    return {
      ...{ id: problem.id, cases: problem.cases, url, resultsOf },
      verify: async () => (await admin.post(url, undefined, 201)).id as string,
      read: (id: string) => admin.get(`${url}/${id}`),
      readProblem: () => admin.get(`/v1/problems/${problem.id}`),
      /** Sends the verdict of the program or validator at a path. */
      judge: async (
        id: string,
        path: string,
        status: string,
        results = resultsOf([status, 0.1], [status, 0.2]),
      ) => {
        const failed = results.find(({ passed }) => !passed)?.test_case_id ?? null
        const verdict = { status, failed_test_case_id: failed, test_case_results: results, time_elapsed: 0 }
        const { status: code, text } = await service
          .as(judgeToken)
          .send('PATCH', `/v1/submissions/${await findJudging(id, path)}`, verdict, VALIDATES)
        expect([code, text]).toEqual([204, ''])
      },
    }
  }

  const findJudging = async (verification: string, path: string): Promise<string> => {
    const found = (await database.query(selectJudgings, [verification])).find((one) => one.path === path)
    if (!found?.id) throw new Error(`no judging of ${path}`)
    return found.id
  }
  return { importProblem, findJudging }
}

const selectJudgings = unprepared<{ path: string; id: string }>(
  `select planned ->> 'path' as path, planned ->> 'judging' as id
   from verifications, jsonb_array_elements((plan -> 'programs') || (plan -> 'validators')) as planned
   where verifications.id = $1`,
)
