import { v7 as uuidv7 } from 'uuid'
import { AppError } from '../../../http/routing/errors.ts'
import { created, found, noContent } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { LanguageResponse, ListedLanguageResponse } from '../../shared/records/languages.ts'
import { trimExtension, whyNotJudged } from './rules.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

type LanguageDependencies = Pick<FeatureDependencies, 'config' | 'languages'>

/** The specification's Languages table (D22). */
export function languageRoutes({ config, languages }: LanguageDependencies) {
  return [
    defineListRoute('listLanguages', '/v1/languages', {
      policy: 'none',
      list: sql.listLanguages,
      item: ListedLanguageResponse,
    }),
    defineRoute('createLanguage', 'POST /v1/languages', {
      policy: 'admin',
      body: schemas.languageCreation(config.sizes),
      responses: { 201: LanguageResponse },
      handler: async ({ db, body }) => {
        const name = body.name.trim()
        const extension = trimExtension(body.extension)
        const reason = whyNotJudged(languages, name, extension)
        if (reason !== undefined) throw new AppError('VALIDATION', reason)
        const version = body.version.trim()
        const rows = await db.query(sql.createLanguage, { id: uuidv7(), name, extension, version })
        return created(found(rows, 'language').body)
      },
    }),
    defineRoute('deleteLanguage', 'DELETE /v1/languages/:language_id', {
      policy: 'admin',
      responses: { 204: undefined },
      handler: async ({ db, params }) => {
        found(await db.query(sql.retireLanguage, params), 'language')
        return noContent
      },
    }),
  ]
}
