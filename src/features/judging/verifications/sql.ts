import type { NamedLanguage } from '@judge-data-layer/languages'
import type { JudgedCase } from '@judge-data-layer/problem-format/expectations'
import type { TestGroup } from '@judge-data-layer/problem-format/judging-options'
import type { StoredMetadata } from '@judge-data-layer/problem-format/read-package'
import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { json, jsonOrNull, type RowOf, statement } from '../../../db/statement.ts'
import type { StoredFileName } from '../../problems/problem-packages/file-sql.ts'
import { finestStatus } from '../../shared/records/verdicts.ts'
import { shadowsCreatedFrom } from '../shadow-judgings/sql.ts'
import type { Plan } from './plan.ts'

const sourceColumns = {
  accept_timeout: 'float8',
  execution_timeout: 'float8',
  timeout_is_provisional: 'boolean',
  max_score: 'float8 | null',
  test_groups: jsonOrNull<readonly TestGroup[]>(),
  time_multipliers: jsonOrNull<Readonly<Record<string, number>>>(),
  /** With `package_version`; null: the problem was not imported. */
  metadata: jsonOrNull<StoredMetadata>(),
  package_version: 'text | null',
  tests_version: 'text',
  /** The test cases in their order. */
  cases: json<readonly { readonly id: string; readonly name: string }[]>(),
  files: json<readonly StoredFileName[]>(),
  /** The languages that the service offers. */
  offered: json<readonly { readonly id: string; readonly name: string; readonly extension: string }[]>(),
} as const

/** A problem with the files of its package, as a plan needs it. */
export interface StoredSource extends Omit<RowOf<typeof sourceColumns>, 'metadata' | 'package_version'> {
  readonly metadata: StoredMetadata
  /** The language file. */
  readonly languages: readonly NamedLanguage[]
  readonly mostSourceBytes: number
}

/** The stored part of a source, with the files in these folders. */
export const readPlanSource = actorStatement({
  name: 'read_plan_source',
  params: { problem_id: 'integer', folders: 'text[]' },
  columns: sourceColumns,
  select: `
      select problems.accept_timeout, problems.execution_timeout, problems.timeout_is_provisional,
             problems.max_score::float8 as max_score,
             problems.judging_options -> 'test_groups' as test_groups,
             problems.judging_options #> '{limits,time_multipliers}' as time_multipliers,
             problem_packages.metadata,
             problem_packages.version::text as package_version,
             problems.tests_version::text as tests_version,
             (select coalesce(json_agg(json_build_object(
                       'id', test_cases.id, 'name', coalesce(test_cases.name, test_cases.id::text))
                       order by test_cases.position), '[]')
              from test_cases
              where test_cases.problem_id = problems.id) as cases,
             (select coalesce(json_agg(json_build_object(
                       'id', problem_files.id, 'path', problem_files.path, 'bytes', problem_files.bytes)
                       order by problem_files.path collate "C"), '[]')
              from problem_files
              where problem_files.problem_id = problems.id
                and split_part(problem_files.path, '/', 1) = any (:folders)) as files,
             (select coalesce(json_agg(json_build_object(
                       'id', languages.id, 'name', languages.name, 'extension', languages.extension)
                       order by languages.position, languages.id), '[]')
              from languages
              where languages.retired_at is null) as offered
      from problems
      left join problem_packages on problem_packages.problem_id = problems.id
      where problems.id = :problem_id and problems.deleted_at is null`,
})

/** Stores a verification with its shadow judgings and their messages. No row: no such problem. */
export const createVerification = actorStatement({
  name: 'create_verification',
  params: {
    id: 'uuid',
    problem_id: 'integer',
    package_version: 'uuid',
    plan: 'json',
    judgings: 'json',
  },
  columns: { id: 'text' },
  with: `verification as (
      insert into verifications (id, problem_id, requested_by, package_version, plan)
      select :id, problems.id, :actor, :package_version, :plan::jsonb
      from problems
      where problems.id = :problem_id and problems.deleted_at is null and ${ACTOR_EXISTS}
      returning verifications.id, verifications.problem_id
    ), programs as (
      select given.id, null::uuid as submission_id, verification.problem_id, given.language_id,
             null::integer as event_id, given.source_code, verification.id as verification_id,
             given.task,
             case when given.task ? 'program' then array['verification/1', 'program-files/1']
                  else array['verification/1'] end as needed_capabilities
      from verification
      cross join json_to_recordset(:judgings) as given (id uuid, language_id uuid, source_code text, task jsonb)
    ), ${shadowsCreatedFrom(['verification_id', 'task', 'needed_capabilities'])}`,
  select: 'select verification.id::text from verification',
})

const storedColumns = {
  ...({ id: 'text', problem_id: 'integer', created_at: 'text' } as const),
  plan: json<Plan>(),
  /** The problem changed before the verification was settled. */
  is_outdated: 'boolean',
} as const

export type StoredVerification = RowOf<typeof storedColumns>

const HAS_CHANGED = `not exists (
               select from problems
               join problem_packages on problem_packages.problem_id = problems.id
               where problems.id = verifications.problem_id
                 and problems.tests_version::text = verifications.plan ->> 'tests_version'
                 and problem_packages.version = verifications.package_version)`

const verificationColumns = `verifications.id::text, verifications.problem_id,
             utc(verifications.created_at) as created_at, verifications.plan,
             case when verifications.settled_at is null then ${HAS_CHANGED} else verifications.is_outdated end as is_outdated`

/** No row: the problem has no such verification, or was deleted. */
export const readVerification = actorStatement({
  name: 'read_verification',
  params: { problem_id: 'integer', verification_id: 'uuid' },
  columns: storedColumns,
  select: `
      select ${verificationColumns}
      from verifications
      join problems on problems.id = verifications.problem_id
      where verifications.id = :verification_id and verifications.problem_id = :problem_id
        and problems.deleted_at is null`,
})

const resultColumns = {
  ...({ id: 'text', status: 'text', score: 'float8 | null' } as const),
  /** The reason of the verdict, or what the compiler printed. */
  message: 'text | null',
  /** Null for validators. */
  cases: jsonOrNull<readonly JudgedCase[]>(),
  /** The first rejected test cases; null for programs. */
  rejected: jsonOrNull<readonly { readonly test_case: string; readonly message?: string }[]>(),
  rejected_count: 'integer',
} as const

export type JudgingRow = RowOf<typeof resultColumns>

/** The most rejected test cases that the report names for a validator. */
export const SHOWN_CASES = 20
const SHOWN_CHARACTERS = 2000

/** Workers that send no details name only the test cases that passed and failed. */
const CASE_STATUS = `coalesce(result.value ->> 'status',
                       case when (result.value ->> 'passed')::boolean then 'ACCEPTED'
                            when result.value ->> 'test_case_id' = judged.failed_test_case_id::text then ${finestStatus('judged')}
                            else 'WRONG_ANSWER' end)`

const CASE_ID = `result.value ->> 'test_case_id'`

const RESULTS = `json_array_elements(coalesce(judged.case_details, judged.test_case_results, '[]'))
                     with ordinality as result (value, place)`

const CASES = `(
              select coalesce(json_agg(json_strip_nulls(json_build_object(
                       'name', ${CASE_ID},
                       'status', ${CASE_STATUS},
                       'time', coalesce((result.value ->> 'time_elapsed')::float8, 0),
                       'score', result.value -> 'score',
                       'judgeMessage', case when judged.id = any (:with_messages) then result.value -> 'judge_message' end))
                       order by result.place), '[]')
              from ${RESULTS})`

const REJECTED = `(
              select coalesce(json_agg(json_strip_nulls(json_build_object(
                       'test_case', rejected.name, 'message', left(rejected.message, ${SHOWN_CHARACTERS})))
                       order by rejected.place), '[]')
              from (
                select ${CASE_ID} as name, result.value ->> 'judge_message' as message, result.place
                from ${RESULTS}
                where not (result.value ->> 'passed')::boolean
                order by result.place
                limit ${SHOWN_CASES}) as rejected)`

/**
 * The judgings of a verification. Test cases have their ids as names, and messages only in the
 * judgings of `validators` and `with_messages`.
 */
export const listJudgingResults = statement({
  name: 'list_judging_results',
  params: { verification_id: 'uuid', validators: 'uuid[]', with_messages: 'uuid[]' },
  columns: resultColumns,
  sql: `select judged.id::text, ${finestStatus('judged')} as status, judged.score::float8 as score,
             left(coalesce(nullif(judged.judge_message, ''), judged.stderr), ${SHOWN_CHARACTERS}) as message,
             case when judged.id <> all (:validators) then ${CASES} end as cases,
             case when judged.id = any (:validators) then ${REJECTED} end as rejected,
             case when judged.id = any (:validators) then (
               select count(*)::integer
               from json_array_elements(coalesce(judged.case_details, '[]')) as result (value)
               where not (result.value ->> 'passed')::boolean) else 0 end as rejected_count
      from shadow_judgings as judged
      where judged.verification_id = :verification_id
      order by judged.id`,
})

const IS_JUDGED = `verifications.settled_at is null and not exists (
        select from shadow_judgings
        where shadow_judgings.verification_id = verifications.id and shadow_judgings.status = 'PENDING')`

/** The verification, unless a judging is pending or it is settled. */
export const findJudged = statement({
  name: 'find_judged_verification',
  params: { verification_id: 'uuid' },
  columns: storedColumns,
  sql: `select ${verificationColumns}
      from verifications
      where verifications.id = :verification_id and ${IS_JUDGED}`,
})

/** Some verifications whose last verdict or deletion did not settle them, such as after a crash. */
export const findAllJudged = statement({
  name: 'find_judged_verifications',
  columns: { id: 'text' },
  sql: `select verifications.id::text
      from verifications
      where ${IS_JUDGED}
      order by verifications.created_at
      limit 100`,
})

/**
 * Notes that a verification is judged, and whether the problem has changed since it was requested.
 * If it has not, the computed limit, if any, replaces the provisional one.
 */
export const settle = statement({
  name: 'settle_verification',
  params: {
    verification_id: 'uuid',
    execution_timeout: 'float8 | null',
    accept_timeout: 'float8 | null',
  },
  sql: `with settled as (
        update verifications
        set settled_at = now(), is_outdated = ${HAS_CHANGED}
        where verifications.id = :verification_id and verifications.settled_at is null
        returning verifications.problem_id, verifications.package_version,
                  verifications.plan ->> 'tests_version' as tests_version
      )
      update problems
      set execution_timeout = :execution_timeout, accept_timeout = :accept_timeout,
          timeout_is_provisional = false
      from settled
      join problem_packages
        on problem_packages.problem_id = settled.problem_id and problem_packages.version = settled.package_version
      where problems.id = settled.problem_id and problems.timeout_is_provisional
        and :execution_timeout is not null
        -- Every change of the limits changes it, too.
        and problems.tests_version::text = settled.tests_version`,
})
