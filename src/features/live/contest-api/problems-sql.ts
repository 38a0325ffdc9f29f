import { STATEMENT_TEXT } from '@judge-data-layer/problem-format/statement-names'
import { actorStatement } from '../../../db/actor-statement.ts'
import { fullScore, hasPoints } from '../../contests/standings/ranks.ts'
import { fileColumns, mediaTypeOf } from '../../problems/problem-packages/file-sql.ts'
import { type Collection, defineCollection } from './collection.ts'
import { secondsOf } from './times.ts'
import { CONTEST, SHOWN_PROBLEMS } from './visibility.ts'

const HEX_COLOR = `event_problems.color ~ '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$'`

/** The files for solvers whose paths match a regular expression. */
const filesOf = (paths: string) => `(
            select json_agg(json_build_object(
                     'href', concat('contests/', contest.id, '/problems/', problems.id, '/files/', problem_files.name),
                     'filename', problem_files.name,
                     'mime', split_part(${mediaTypeOf('problem_files.name')}, ';', 1)) order by problem_files.path)
            from problem_files
            where problem_files.problem_id = problems.id and problem_files.name is not null
              and problem_files.path ~ '${paths}')`

/** An export has all secret tests: as in the rest of the API only admins get it. */
const PACKAGE = `case when :actor_role = 2 then json_build_array(json_build_object(
            'href', concat('contests/', contest.id, '/problems/', problems.id, '/package'),
            'filename', 'package.zip',
            'mime', 'application/zip')) end`

/** Only for those who may read the problem (D19, D33). */
const readable = (value: string) => `case when shown_problems.is_readable then ${value} end`

/** Defines the problems; `sourceCodeBytes` is the largest program. */
export const defineProblems = (sourceCodeBytes: number): Collection =>
  defineCollection({
    type: 'problems',
    variant: String(sourceCodeBytes),
    with: `${CONTEST}, ${SHOWN_PROBLEMS}`,
    item: `json_build_object(
          'id', problems.id::text,
          'uuid', ${readable(`problem_packages.metadata ->> 'uuid'`)},
          'label', shown_problems.label,
          'name', coalesce(${readable('problems.title')}, shown_problems.label),
          'ordinal', shown_problems.ordinal,
          'rgb', case when ${HEX_COLOR} then event_problems.color end,
          'color', case when not ${HEX_COLOR} then event_problems.color end,
          'time_limit', ${readable(secondsOf('coalesce(event_problems.execution_timeout, problems.execution_timeout)'))},
          'memory_limit', ${readable('coalesce(event_problems.memory_limit, problems.memory_limit)')},
          'output_limit', ${readable(`problems.judging_options #> '{limits,output}'`)},
          'code_limit', ${readable(String(Math.floor(sourceCodeBytes / 1024)))},
          'test_data_count', ${readable('(select count(*) from test_cases where test_cases.problem_id = problems.id)')},
          'max_score', case when ${hasPoints('contest')} then ${readable(`trim_scale(${fullScore('shown_problems')})`)} end,
          'package', ${PACKAGE},
          'statement', ${readable(filesOf('^statement/problem\\.[^/]*$'))},
          'attachments', ${readable(filesOf('^attachments/'))})`,
    from: `contest
        cross join shown_problems
        join event_problems on event_problems.id = shown_problems.event_problem_id
        join problems on problems.id = shown_problems.problem_id
        left join problem_packages on problem_packages.problem_id = problems.id`,
    key: 'problems.id',
    keyType: 'integer',
    order: 'shown_problems.ordinal',
  })

/**
 * A file of a contest's problem for solvers: a statement, a picture of it or an attachment, without
 * its content; `constants` only of a statement's text. No row where the actor may not read the
 * problem.
 */
export const readContestProblemFile = actorStatement({
  name: 'read_contest_problem_file',
  params: { event_id: 'integer', problem_id: 'integer', name: 'text' },
  columns: fileColumns,
  with: `${CONTEST}, ${SHOWN_PROBLEMS}`,
  select: `
      select problem_files.id, problem_files.bytes, ${mediaTypeOf('problem_files.name')} as type,
             case when problem_files.path ~ '${STATEMENT_TEXT}'
                  then problem_packages.metadata -> 'constants' end as constants
      from shown_problems
      join problem_files on problem_files.problem_id = shown_problems.problem_id
      left join problem_packages on problem_packages.problem_id = problem_files.problem_id
      where shown_problems.problem_id = :problem_id and shown_problems.is_readable
        and problem_files.name = :name`,
})

/** Whether the problem is one of the contest that the actor, an admin, may export. */
export const readPackageAccess = actorStatement({
  name: 'read_contest_package_access',
  params: { event_id: 'integer', problem_id: 'integer' },
  with: `${CONTEST}, ${SHOWN_PROBLEMS}`,
  select: `
      select shown_problems.problem_id
      from shown_problems
      where shown_problems.problem_id = :problem_id and :actor_role = 2`,
})
