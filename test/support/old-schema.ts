import { readFileSync } from 'node:fs'
import type { Database } from '../../src/db/database.ts'

const [preface = '', ...migrations] = readFileSync(new URL('old-schema.sql', import.meta.url), 'utf8').split(
  /^(?=-- migration \d+$)/m,
)

/** Replaces the schema by the one that older releases created with migrations 1 to `last`. */
export async function createOldSchema(database: Database, last: number): Promise<void> {
  const script = ['drop schema public cascade; create schema public;', preface, ...migrations.slice(0, last)]
  await database.transaction((tx) => tx.execute(script.join('\n')))
}
