import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import { Filled, ResponseObject, Uuid } from '../../http/routing/schema.ts'

export const LanguageResponse = ResponseObject(
  {
    id: Uuid(),
    name: Type.String(),
    extension: Type.String({ description: 'File extension without its dot.' }),
    version: Type.String(),
  },
  { title: 'Language' },
)

export const LanguagePath = Type.Object({ language_id: Uuid() })

/** Body of `POST /v1/languages` (D22). */
export function languageCreation({ nameCharacters }: Config['sizes']) {
  const field = Filled({ maxLength: nameCharacters })
  return Type.Object({ name: field, extension: field, version: field }, { title: 'LanguageBody' })
}
