import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import { Filled, IntegerId, ResponseObject, Uuid } from '../../../http/routing/schema.ts'

export const CategoryPath = Type.Object({ category_id: Uuid() })
export const ProblemOfCategoriesPath = Type.Object({ problem_id: IntegerId() })

export const CategoryBody = ({ nameCharacters }: Config['sizes']) =>
  Type.Object({ name: Filled({ maxLength: nameCharacters }) }, { title: 'CategoryBody' })

export const CategoryResponse = ResponseObject({ id: Uuid(), name: Type.String() }, { title: 'Category' })
