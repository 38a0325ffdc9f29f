import type { PackageMetadata } from '@judge-data-layer/problem-format/read-package'
import { STATEMENT_TEXT } from '@judge-data-layer/problem-format/statement-names'
import { actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf } from '../../../db/json.ts'
import { jsonOrNull, type RowOf } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { ascending } from '../../../lists/order.ts'
import { problemIsVisibleAnywhere, VISIBLE_PROBLEM } from '../../shared/access/problems.ts'

/** Files that browsers show, by extension; not SVG and HTML, which could run scripts. */
const SHOWN: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  md: 'text/plain; charset=utf-8',
  pdf: 'application/pdf',
  png: 'image/png',
  tex: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}

/** All other files are downloads of this type. */
export const DOWNLOAD = 'application/octet-stream'

/** SQL expression of the media type of a file by its name. */
export const mediaTypeOf = (name: string) => `case lower(substring(${name} from '\\.([^.]+)$'))
${Object.entries(SHOWN)
  .map(([extension, type]) => `        when '${extension}' then '${type}'`)
  .join('\n')}
        else '${DOWNLOAD}' end`

/** The name of a stored file. */
export interface StoredFileName {
  readonly id: string
  readonly path: string
  readonly bytes: number
}

/** The files for solvers. 404 where the actor may not see the problem (D19). */
export const listProblemFiles = defineList({
  name: 'list_problem_files',
  params: { problem_id: 'integer' },
  item: `json_build_object(
      ${fieldsOf('problem_files', 'name', 'path', 'bytes')},
      'type', ${mediaTypeOf('problem_files.name')})`,
  from: 'problem_files',
  where: 'problem_files.problem_id = :problem_id and problem_files.name is not null',
  order: ascending({ column: 'problem_files.path', type: 'text' }),
  owner: VISIBLE_PROBLEM,
})

/** The columns of a file without its content. */
export const fileColumns = {
  ...({ id: 'uuid', bytes: 'integer', type: 'text' } as const),
  /** Replaced in the text of a statement. */
  constants: jsonOrNull<NonNullable<PackageMetadata['constants']>>(),
}

export type FileRow = RowOf<typeof fileColumns>

/**
 * A file for solvers, without its content; `constants` only of a statement's text. No row where the
 * actor may not see the problem.
 */
export const readProblemFile = actorStatement({
  name: 'read_problem_file',
  params: { problem_id: 'integer', name: 'text' },
  columns: fileColumns,
  select: `
      select problem_files.id, problem_files.bytes, ${mediaTypeOf('problem_files.name')} as type,
             case when problem_files.path ~ '${STATEMENT_TEXT}'
                  then problem_packages.metadata -> 'constants' end as constants
      from problem_files
      join problems on problems.id = problem_files.problem_id
      left join problem_packages on problem_packages.problem_id = problem_files.problem_id
      where problem_files.problem_id = :problem_id and problem_files.name = :name
        and ${problemIsVisibleAnywhere('problems')}`,
})

/** One part of a file; no row after the last one. The route has checked access to the file. */
export const readFilePart = actorStatement({
  name: 'read_file_part',
  params: { file_id: 'uuid', number: 'integer' },
  columns: { content: 'bytea' },
  select: `
      select problem_file_parts.content
      from problem_file_parts
      where problem_file_parts.file_id = :file_id and problem_file_parts.number = :number`,
})
