import type { Language } from '@judge-data-layer/languages'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '../../db/database.ts'
import { seedLanguages } from './sql.ts'

/** Fills the languages table from the judge's configuration at the first start; later starts leave it alone (D22). */
export async function fillLanguages(database: Queryable, languages: readonly Language[]): Promise<void> {
  await database.query(seedLanguages, [
    languages.map(() => uuidv7()),
    languages.map(({ name }) => name),
    languages.map(({ extensions }) => extensions[0]),
    languages.map(({ version }) => version),
  ])
}
