import { actorStatement } from '../../../db/actor-statement.ts'
import { capabilitiesParam, missingAmong } from '../../shared/access/capabilities.ts'
import { EVENT_PROBLEM, recordText, relatedTo, statusJson } from './sql.ts'

// The judge routes read a shadow judging like a submission. For users other than judges and admins
// it does not exist.

/** Shadow judgings as submissions: their user is the admin who requested them. */
const SHADOWS = `(
        select shadow_judgings.*, shadow_judgings.requested_by as user_id from shadow_judgings
      ) as submissions`

const IS_SHOWN = 'submissions.id = :submission_id and :actor_role > 0'

/** The timeouts of a verification replace the timeouts of an event. */
const LIMITS = `lateral (
        select coalesce((submissions.task ->> 'accept_timeout')::float8, event_problems.accept_timeout) as accept_timeout,
               coalesce((submissions.task ->> 'execution_timeout')::float8, event_problems.execution_timeout) as execution_timeout,
               event_problems.memory_limit
        from (select) as one
        left join ${EVENT_PROBLEM}) as event_problems on true`

/** The stored arguments are by the names of test cases, which may have changed since. */
const VALIDATOR = `jsonb_set(submissions.task -> 'validator', '{arguments}', coalesce((
             select jsonb_object_agg(test_cases.id, given.words)
             from jsonb_each(submissions.task #> '{validator,arguments}') as given (name, words)
             join test_cases on test_cases.problem_id = submissions.problem_id and test_cases.name = given.name), '{}'))`

/**
 * The record of a shadow judging: the fields of a submission's record for judges, and the fields of
 * a verification. The worker needs its capabilities.
 */
export const readShadow = actorStatement({
  name: 'read_shadow_judging',
  params: { submission_id: 'uuid', requeue_after: 'integer', ...capabilitiesParam },
  columns: { body: 'text | null', missing_capabilities: 'text | null' },
  select: `
      select ${recordText({
        run: `submissions.task -> 'run'`,
        program: `submissions.task -> 'program'`,
        validator: VALIDATOR,
      })} as body,
             ${missingAmong('submissions.needed_capabilities')} as missing_capabilities
      from ${relatedTo(SHADOWS, LIMITS)}
      where ${IS_SHOWN}`,
})

export const readShadowStatus = actorStatement({
  name: 'read_shadow_status',
  params: { submission_id: 'uuid' },
  columns: { body: 'text | null' },
  select: `
      select ${statusJson}::text as body
      from ${SHADOWS}
      where ${IS_SHOWN}`,
})
