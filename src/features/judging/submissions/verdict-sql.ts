import { jsonOf, objectOf } from '../../../db/json.ts'
import { defineList } from '../../../lists/definition.ts'

/** The columns of a verdict, which submissions, replaced verdicts and shadow judgings share. */
export const verdictColumns = [
  ...['status', 'reason', 'time_elapsed', 'memory_used', 'score', 'stdout', 'stderr', 'failed_test_case_id'],
  ...['test_case_results', 'queued_at', 'judged_at', 'worker', 'judge_message', 'case_details'],
]

const columnsOf = (table: string) => verdictColumns.map((column) => `${table}.${column}`).join(', ')

/** Part of a statement: keeps the verdicts of the submissions in the CTE `replaced`. */
export const keptFrom = (
  replaced: string,
) => `insert into verdicts (submission_id, attempt, ${verdictColumns.join(', ')})
      select ${replaced}.id, ${replaced}.verdict_attempt, ${columnsOf(replaced)}
      from ${replaced}
      where ${replaced}.status <> 'PENDING'`

/**
 * The current verdict, if `current` holds, the replaced ones, and `more`. The place of a verdict
 * counts from the oldest: later verdicts and rejudgings do not change it.
 */
const verdictsWhere = (current: string, attempt: string, more = '') => `(
      select (select count(*) from verdicts where verdicts.submission_id = :submission_id) + 1 as place,
             ${attempt} as attempt, ${columnsOf('submissions')}
      from submissions
      where submissions.id = :submission_id and ${current}
      union all
      select row_number() over (order by verdicts.id) as place, verdicts.attempt, ${columnsOf('verdicts')}
      from verdicts
      where verdicts.submission_id = :submission_id${more}
    ) as verdicts`

const newestPlace = { key: [{ column: 'verdicts.place', type: 'bigint' }], direction: 'desc' } as const

const verdictFields = {
  ...{ judging: 'verdicts.attempt', attempt: 'verdicts.attempt' },
  ...jsonOf('verdicts', 'status', 'reason', 'time_elapsed', 'stdout', 'stderr'),
  failed_test_case_id: `coalesce(to_json(verdicts.failed_test_case_id), 'null')`,
}

/** Verdicts from before the service kept their times have no instant (D5). */
const optionalFields = {
  judged_at: 'to_json(utc(verdicts.judged_at))',
  memory_used: 'verdicts.memory_used',
  score: 'trim_scale(verdicts.score)',
}

const outputBytes = 'octet_length(verdicts.stdout) + octet_length(verdicts.stderr)'
const bytesOf = (column: string) => `coalesce(octet_length(verdicts.${column}::text), 0)`

/** The current verdict and the earlier ones, newest first. The route checks access. */
export const listVerdicts = defineList({
  name: 'list_verdicts',
  params: { submission_id: 'uuid' },
  item: objectOf({
    ...verdictFields,
    test_case_results: `coalesce(verdicts.test_case_results, '[]')`,
    ...optionalFields,
  }),
  from: verdictsWhere(`submissions.status <> 'PENDING'`, 'submissions.verdict_attempt'),
  bytes: `${outputBytes} + ${bytesOf('test_case_results')}`,
  order: newestPlace,
})

/** Verdicts of workers that send no details name only the test cases that passed and failed. */
const caseDetails = `coalesce(verdicts.case_details, (
        select json_agg(json_build_object('test_case_id', result -> 'test_case_id', 'passed', result -> 'passed'))
        from json_array_elements(verdicts.test_case_results) as result), '[]')`

/** The number of the judging with the verdict, or of the newest one while it has none. */
const attemptOf = (table: string) =>
  `case when ${table}.status = 'PENDING' then ${table}.attempt else ${table}.verdict_attempt end`

/** A shadow judging keeps no earlier verdict. */
const shadow = `
      union all
      select 1 as place, ${attemptOf('shadow_judgings')} as attempt, ${columnsOf('shadow_judgings')}
      from shadow_judgings
      where shadow_judgings.id = :submission_id`

/** The judgings as judges and admins see them; the newest is PENDING until it has a verdict. */
export const listJudgings = defineList({
  name: 'list_judgings',
  params: { submission_id: 'uuid' },
  item: objectOf({
    ...verdictFields,
    test_case_results: caseDetails,
    ...jsonOf('verdicts', 'judge_message'),
    ...optionalFields,
    ...jsonOf('verdicts', 'worker'),
  }),
  from: verdictsWhere('true', attemptOf('submissions'), shadow),
  bytes: `${outputBytes} + ${bytesOf('case_details')} + ${bytesOf('test_case_results')} + ${bytesOf('judge_message')}`,
  order: newestPlace,
  owner: {
    name: 'submission',
    exists: `(exists (select from submissions where submissions.id = :submission_id)
      or exists (select from shadow_judgings where shadow_judgings.id = :submission_id))`,
  },
})
