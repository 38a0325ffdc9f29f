import type { Language } from '@judge-data-layer/languages'
import Type from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../config/config.ts'
import { isViolation } from '../../db/errors.ts'
import { AppError } from '../../http/routing/errors.ts'
import { answerList, created, found, noContent } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { NoFields, PageQuery } from '../../http/routing/schema.ts'
import { languageDocs } from '../../openapi/operations/languages.ts'
import { trimExtension, whyNotJudged } from './rules.ts'
import { LanguagePath, LanguageResponse, languageCreation } from './schemas.ts'
import { createLanguage, listLanguages, retireLanguage } from './sql.ts'

interface LanguageDependencies {
  readonly config: Pick<Config, 'sizes'>
  readonly languages: readonly Language[]
}

/** The specification's Languages table (D22). */
export function languageRoutes({ config, languages }: LanguageDependencies): Route[] {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/languages',
      name: 'listLanguages',
      summary: 'List the languages in use',
      docs: languageDocs.listLanguages,
      policy: 'none',
      limit: 'none',
      bodyLimit: 'body',
      isPolled: true,
      schema: {
        params: NoFields,
        query: PageQuery,
        body: undefined,
        answers: { 200: Type.Array(LanguageResponse) },
        refusals: [],
      },
      handler: (ctx) => answerList(ctx, listLanguages, [], 'list'),
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/languages',
      name: 'createLanguage',
      summary: 'Add a language that the judge is configured for',
      docs: languageDocs.createLanguage,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: languageCreation(config.sizes),
        answers: { 201: LanguageResponse },
        refusals: [],
      },
      handler: async ({ db, body }) => {
        const name = body.name.trim()
        const extension = trimExtension(body.extension)
        const reason = whyNotJudged(languages, name, extension)
        if (reason !== undefined) throw new AppError('VALIDATION', reason)
        const rows = await db
          .query(createLanguage, [uuidv7(), name, extension, body.version.trim()])
          .catch(refuseDuplicate)
        return created(found(rows, 'language').body)
      },
    }),
    defineRoute({
      method: 'DELETE',
      url: '/v1/languages/:language_id',
      name: 'deleteLanguage',
      summary: 'Retire a language; what was submitted in it stays',
      docs: languageDocs.deleteLanguage,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: LanguagePath,
        query: NoFields,
        body: undefined,
        answers: { 204: undefined },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params }) => {
        found(await db.query(retireLanguage, [params.language_id]), 'language')
        return noContent
      },
    }),
  ]
}

function refuseDuplicate(err: unknown): never {
  if (isViolation(err, 'languages_name_version_key')) {
    throw new AppError('VALIDATION', 'name and version must not be those of a language that exists')
  }
  throw err
}
