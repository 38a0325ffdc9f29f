import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import { Filled } from '../../../http/routing/schema.ts'

/** Body of `POST /v1/languages` (D22). */
export function languageCreation({ nameCharacters }: Config['sizes']) {
  const field = Filled({ maxLength: nameCharacters })
  return Type.Object({ name: field, extension: field, version: field }, { title: 'LanguageBody' })
}
