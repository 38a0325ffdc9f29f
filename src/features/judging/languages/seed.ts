import type { NamedLanguage } from '@judge-data-layer/languages'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '../../../db/database.ts'
import { seedLanguages } from './sql.ts'

/** Stores the languages of the language file, at the first start only (D22). */
export async function fillLanguages(database: Queryable, languages: readonly NamedLanguage[]): Promise<void> {
  await database.query(seedLanguages, {
    ids: languages.map(() => uuidv7()),
    names: languages.map(({ name }) => name),
    extensions: languages.map(({ extensions }) => extensions[0] ?? null),
    versions: languages.map(({ version }) => version),
  })
}
