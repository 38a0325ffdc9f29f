import { newIds } from '../../src/db/ids.ts'
import { unprepared } from '../../src/db/statement.ts'
import type { TestApp } from './app.ts'

export interface StoredPackage {
  readonly metadata?: object
  readonly files: Readonly<Record<string, string>>
  /** The names of the test cases, in their order. */
  readonly names?: readonly string[]
  readonly timeout_is_provisional?: boolean
}

const METADATA = {
  ...{ format: '2025-09', type: ['pass-fail'], names: { en: 'Answer' }, keywords: [], limits: {} },
  ...{ prompt_language: 'en', prompt_hash: null, input_flags: {} },
}

/** Stores a package for a problem, as an import does. */
export async function storePackage(
  { database }: Pick<TestApp, 'database'>,
  problemId: number,
  { metadata = {}, files, names = [], timeout_is_provisional = false }: StoredPackage,
): Promise<void> {
  const run = (text: string, ...values: (string | number | boolean)[]) =>
    database.query(unprepared(text), values)
  await run('delete from problem_files where problem_id = $1', problemId)
  await run(
    `insert into problem_packages (problem_id, metadata) values ($1, $2)
     on conflict (problem_id) do update set metadata = excluded.metadata, version = gen_random_uuid()`,
    ...[problemId, JSON.stringify({ ...METADATA, ...metadata })],
  )
  const setProvisional = 'update problems set timeout_is_provisional = $2 where id = $1'
  await run(setProvisional, problemId, timeout_is_provisional)
  const setName = 'update test_cases set name = $3 where problem_id = $1 and position = $2'
  for (const [i, name] of names.entries()) await run(setName, problemId, i + 1, name)
  for (const [path, text] of Object.entries(files)) {
    const [id = ''] = newIds(1)
    const bytes = Buffer.byteLength(text)
    const insert = 'insert into problem_files (id, problem_id, path, bytes) values ($1, $2, $3, $4)'
    await run(insert, id, problemId, path, bytes)
    if (bytes > 0)
      await run(`insert into problem_file_parts values ($1, 0, convert_to($2, 'UTF8'))`, id, text)
  }
}
