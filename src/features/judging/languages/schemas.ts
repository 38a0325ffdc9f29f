import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import { Filled, Uuid } from '../../../http/routing/schema.ts'

export const LanguagePath = Type.Object({ language_id: Uuid() })

/** Body of `POST /v1/languages` (D22). */
export function languageCreation({ nameCharacters }: Config['sizes']) {
  const field = Filled({ maxLength: nameCharacters })
  return Type.Object({ name: field, extension: field, version: field }, { title: 'LanguageBody' })
}
