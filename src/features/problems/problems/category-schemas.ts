import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import { Filled, ResponseObject, Uuid } from '../../../http/routing/schema.ts'

export const CategoryBody = ({ nameCharacters }: Config['sizes']) =>
  Type.Object({ name: Filled({ maxLength: nameCharacters }) }, { title: 'CategoryBody' })

export const CategoryResponse = ResponseObject({ id: Uuid(), name: Type.String() }, { title: 'Category' })
