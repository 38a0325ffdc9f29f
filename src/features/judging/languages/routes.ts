import { findLanguage, type NamedLanguage } from '@judge-data-layer/languages'
import Type from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../../config/config.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { created, found, noContentFor } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { Name } from '../../../http/routing/schema.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { LanguageResponse, ListedLanguageResponse } from '../../shared/records/languages.ts'
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
      body: languageCreation(config.sizes),
      responses: { 201: LanguageResponse },
      handler: async ({ db, body }) => {
        const { name, version } = body
        // Stored without a leading dot (D22).
        const extension = body.extension.replace(/^\./, '')
        const reason = whyNotJudged(languages, name, extension)
        if (reason !== undefined) throw new AppError('VALIDATION', reason)
        const rows = await db.query(sql.createLanguage, { id: uuidv7(), name, extension, version })
        return created(found(rows, 'language').body)
      },
    }),
    defineRoute('deleteLanguage', 'DELETE /v1/languages/:language_id', {
      policy: 'admin',
      responses: { 204: undefined },
      handler: async ({ db, params }) => noContentFor(await db.query(sql.retireLanguage, params), 'language'),
    }),
  ]
}

/** Body of `POST /v1/languages` (D22). */
function languageCreation({ nameCharacters }: Config['sizes']) {
  const field = Name({ maxLength: nameCharacters })
  return Type.Object({ name: field, extension: field, version: field }, { title: 'LanguageBody' })
}

/** Why the judge cannot run such a language, or undefined where it can (D22). */
function whyNotJudged(languages: readonly NamedLanguage[], name: string, extension: string) {
  const known = findLanguage(languages, name)
  if (known === undefined) {
    return `name must be one of the judge’s languages: ${languages.map((language) => language.name).join(', ')}`
  }
  const fits = known.extensions.some((own) => own.toLowerCase() === extension.toLowerCase())
  return fits ? undefined : `extension must be one of ${known.extensions.join(', ')} for ${known.name}`
}
