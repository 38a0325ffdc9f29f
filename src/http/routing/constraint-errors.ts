import { DatabaseError } from '../../db/database.ts'
import { AppError, type ErrorKind } from './errors.ts'

const duplicateUser = {
  USER_EXISTS: 'Another account has this name or e-mail',
  DUPLICATE_USER: 'Another user has this name or e-mail',
}

/** The refusals of each constraint; the route's `refusals` choose between several. */
const refusalsOfConstraints: Readonly<Record<string, Partial<Record<ErrorKind, string>>>> = {
  categories_name_key: { CATEGORY_EXISTS: 'There is a category of this name' },
  event_problems_prompts_bytes: {
    VALIDATION:
      'The prompts of an event must have at most 64 MiB together: shorten them, or use fewer problems',
  },
  event_problems_public_tests_bytes: {
    VALIDATION:
      'The public test cases of an event must have at most 128 MiB together: hide some, or use fewer problems',
  },
  languages_name_version_key: { VALIDATION: 'name and version must not be those of a language that exists' },
  problem_categories_category_id_fkey: { NOT_FOUND: 'There is no such category' },
  teams_event_id_name_key: { TEAM_NAME_TAKEN: 'Another team of the event has this name' },
  test_cases_bytes: {
    VALIDATION: 'The test cases of a problem must have at most 256 MiB together: shorten or delete some',
  },
  test_cases_count: {
    VALIDATION: 'A problem must have at most 10,000 test cases: delete some',
  },
  test_cases_one_bytes: {
    VALIDATION: 'The input and the expected output of a test case must have at most 64 MiB together',
  },
  test_cases_public_bytes: {
    VALIDATION: 'The public test cases of a problem must have at most 64 MiB together: hide some',
  },
  users_email_folded_key: duplicateUser,
  users_name_folded_key: duplicateUser,
  users_provider_id_key: duplicateUser,
}

/** The SQLSTATEs of violations: unique, foreign key and check. */
const VIOLATIONS = ['23505', '23503', '23514']

/** The constraint that an error violates; undefined for other errors. */
export function violatedConstraint(err: unknown): string | undefined {
  if (!(err instanceof DatabaseError)) return undefined
  return VIOLATIONS.includes(err.sqlState) ? err.constraint : undefined
}

/** The route's refusal for a violated constraint; any other error is unchanged. */
export function refuseViolation(err: unknown, refusals: readonly ErrorKind[]): unknown {
  const messages = refusalsOfConstraints[violatedConstraint(err) ?? ''] ?? {}
  const kind = [...refusals, 'VALIDATION' as const].find((refusal) => refusal in messages)
  return kind === undefined ? err : new AppError(kind, messages[kind] ?? '')
}
