import Type from 'typebox'
import { ResponseObject, Uuid } from '../../http/routing/schema.ts'

export const languageJson = (language: string) => `json_build_object(
    'id', ${language}.id,
    'name', ${language}.name,
    'extension', ${language}.extension,
    'version', ${language}.version)`

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
        description: 'Whether a connected worker has the language; absent if no worker has registered.',
      }),
    ),
  },
  { title: 'ListedLanguage' },
)
