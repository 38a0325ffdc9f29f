import { defineCollection } from './collection.ts'
import { judgementId, runId, submissionOfJudgement, submissionOfRun } from './ids.ts'
import { judgementTypeOf } from './judgement-types.ts'
import { verdictsOf } from './judgements-sql.ts'
import { SHOWN_SUBMISSIONS, WITH_PROBLEMS } from './submissions-sql.ts'
import { contestTimeOf, measuredSeconds, timeOf } from './times.ts'

/** The numbers of the problems' present test cases, as one object for each problem. */
const ORDINALS = `ordinals as materialized (
      select numbered.problem_id, jsonb_object_agg(numbered.id, numbered.ordinal) as numbers
      from (
        select test_cases.problem_id, test_cases.id,
               row_number() over (partition by test_cases.problem_id order by test_cases.position, test_cases.id) as ordinal
        from shown_problems
        join test_cases on test_cases.problem_id = shown_problems.problem_id
      ) as numbered
      group by numbered.problem_id
    )`

/** What all runs of a judgement share. `offset 0`: it is computed once. */
const SHARED = `(
          select ${judgementId('submissions.id', 'verdict.place')} as judgement_id,
                 ${timeOf('verdict.ended_at')} as time, ${contestTimeOf('verdict.ended_at')} as contest_time
          offset 0)`

/** A test case that failed without a status has the status of the verdict. */
const STATUS = `coalesce(result.status, case when result.passed then 'ACCEPTED'
            when verdict.status = 'ACCEPTED' then 'WRONG_ANSWER' else verdict.status end)`

/** A judge may send a test case twice: the last one counts. */
const RUNS = `(
          select distinct on (numbered.ordinal) numbered.ordinal, ${STATUS} as status, result.time_elapsed
          from rows from (json_to_recordset(verdict.case_details)
                          as (test_case_id uuid, status text, passed boolean, time_elapsed float8))
               with ordinality as result (test_case_id, status, passed, time_elapsed, place)
          cross join lateral (select (ordinals.numbers -> result.test_case_id::text)::integer as ordinal) as numbered
          where numbered.ordinal is not null
          order by numbered.ordinal, result.place desc
        )`

const RUN_ID = runId('shared.judgement_id', 'run.ordinal')

/**
 * The test cases of judgings whose judge has sent details, without those that no longer exist. Only
 * judges and admins see them (D25).
 */
export const listRuns = defineCollection({
  type: 'runs',
  id: RUN_ID,
  item: `json_build_object(
          'id', ${RUN_ID},
          'judgement_id', shared.judgement_id,
          'ordinal', run.ordinal,
          'judgement_type_id', ${judgementTypeOf('run.status')},
          'time', shared.time,
          'contest_time', shared.contest_time,
          'run_time', ${measuredSeconds('run.time_elapsed')})`,
  with: `${WITH_PROBLEMS}, ${ORDINALS}`,
  from: (hasKey) => `${SHOWN_SUBMISSIONS.from(hasKey)}
        join ordinals on ordinals.problem_id = submissions.problem_id
        cross join lateral ${verdictsOf(['case_details'])} as verdict
        cross join lateral ${SHARED} as shared
        cross join lateral ${RUNS} as run`,
  where: `${SHOWN_SUBMISSIONS.where} and verdict.case_details is not null and :actor_role > 0`,
  key: 'submissions.id',
  keyType: 'uuid',
  keyOf: submissionOfRun,
  keyFilter: { name: 'judgement_id', keyOf: submissionOfJudgement },
  order: 'verdict.ended_at, submissions.id, verdict.place, run.ordinal',
})
