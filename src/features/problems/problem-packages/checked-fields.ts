import { OWN_SETTINGS } from '@judge-data-layer/problem-format/package-files'
import type { PackageProblem } from '@judge-data-layer/problem-format/read-package'
import type { Static, TSchema } from 'typebox'
import { AppError } from '../../../http/routing/errors.ts'
import { createValidatorCompiler } from '../../../http/routing/validation.ts'
import { checkCaseNumbers, checkJudgingOptions, findNamedCases } from '../problems/judging-rules.ts'
import { categoryNames, problemUpdate } from '../problems/schemas.ts'
import type { ReadInput } from './calls.ts'

export type CheckedFields = ReturnType<typeof checkFields>

/** The fields as `POST /v1/problems` takes them, checked by its rules. Throws VALIDATION. */
export function checkFields(problem: PackageProblem, { languages, sizes, query }: ReadInput) {
  const { title, identifier, source, timeout, accept_timeout, execution_timeout, memory_limit } = problem
  const { validation, test_groups, run, limits } = problem
  const difficulty = query.difficulty ?? problem.difficulty
  const sent = {
    ...{ title, identifier, source, accept_timeout, execution_timeout, memory_limit },
    ...(timeout !== undefined && { timeout }),
    prompt: problem.prompt ?? 'The statement is a file.',
    ...(difficulty !== undefined && { difficulty }),
    ...{ validation, test_groups, run, limits },
  }
  checkBody(categoryNames(sizes), { categories: problem.keywords }, problem)
  const fields = checkBody(problemUpdate(sizes), sent, problem)
  try {
    checkJudgingOptions(fields, languages)
    checkCaseNumbers(findNamedCases(fields), problem.tests.length)
  } catch (err) {
    throw inPackage(err, problem)
  }
  return fields
}

/** The value by the rules of a request's body. Throws VALIDATION. */
function checkBody<T extends TSchema, V>(schema: T, sent: V, problem: PackageProblem): Static<T> & V {
  const result = createValidatorCompiler()(schema, 'body')(structuredClone(sent))
  if ('error' in result) throw inPackage(result.error, problem)
  // The validator has confirmed that the value is of this schema.
  return result.value as Static<T> & V
}

/** The error with the file of the field that its message begins with. */
function inPackage(err: unknown, { ownFields }: PackageProblem): unknown {
  if (!(err instanceof AppError)) return err
  const [field = ''] = /^\w+/.exec(err.message) ?? []
  const file = ownFields.includes(field) ? OWN_SETTINGS : 'problem.yaml'
  return new AppError(err.kind, `${file}: ${err.message}`)
}
