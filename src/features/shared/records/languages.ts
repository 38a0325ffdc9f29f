import Type from 'typebox'
import { ResponseObject, Uuid } from '../../../http/routing/schema.ts'

/** The JSON of a language, and `more` fields. */
export const languageJson = (language: string, ...more: string[]) => `json_build_object(
    ${[
      ...['id', 'name', 'extension', 'version'].map((field) => `'${field}', ${language}.${field}`),
      ...more,
    ].join(',\n    ')})`

const fields = {
  id: Uuid(),
  name: Type.String(),
  extension: Type.String({ description: 'File extension without its dot.' }),
  version: Type.String(),
}

export const LanguageResponse = ResponseObject(fields, { title: 'Language' })

/** A language in the list of languages. */
export const ListedLanguageResponse = ResponseObject(
  {
    ...fields,
    available: Type.Optional(
      Type.Boolean({
        description:
          'Whether a connected worker has the language; absent if no connected worker has registered.',
      }),
    ),
  },
  { title: 'ListedLanguage' },
)
