import Type from 'typebox'
import { ResponseObject, Uuid } from '../../http/routing/schema.ts'

export const languageJson = (language: string) => `json_build_object(
    'id', ${language}.id,
    'name', ${language}.name,
    'extension', ${language}.extension,
    'version', ${language}.version)`

export const LanguageResponse = ResponseObject(
  {
    id: Uuid(),
    name: Type.String(),
    extension: Type.String({ description: 'File extension without its dot.' }),
    version: Type.String(),
  },
  { title: 'Language' },
)
