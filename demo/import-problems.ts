import type { Schemas } from '@judge-data-layer/client'
import { isErrorBody, JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import type { Account } from './account.ts'
import { type DemoProblem, zipPackage } from './load-problems.ts'

export interface ImportedProblem extends DemoProblem {
  readonly id: number
  readonly title: string
}

/** Packages have no difficulty; the others are MEDIUM. */
const difficulties: Readonly<Record<string, Schemas['Problem']['difficulty']>> = {
  brokencable: 'EASY',
  countthemirrors: 'HARD',
  rainbarrel: 'EASY',
}

/** Imports the packages as public problems. Throws `JudgeApiError`. */
export async function importProblems(
  baseUrl: string,
  admin: Account,
  problems: readonly DemoProblem[],
): Promise<ImportedProblem[]> {
  const imported: ImportedProblem[] = []
  for (const problem of problems) {
    const id = await importPackage(baseUrl, admin.token, problem)
    const { title } = await orThrow(admin.client.GET('/v1/problems/{id}', { params: { path: { id } } }))
    imported.push({ ...problem, id, title })
  }
  return imported
}

/** Sends a zip file, which the typed client cannot do; returns the id of the problem. */
async function importPackage(baseUrl: string, token: string, problem: DemoProblem): Promise<number> {
  const difficulty = difficulties[problem.identifier] ?? 'MEDIUM'
  const response = await fetch(`${baseUrl}/v1/problem_packages?public=true&difficulty=${difficulty}`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/zip' },
    body: new Blob([await zipPackage(problem)]),
  })
  const body: unknown = await response.json()
  if (isErrorBody(body)) throw new JudgeApiError(response, body)
  return Number(Object(body).problem_id)
}
