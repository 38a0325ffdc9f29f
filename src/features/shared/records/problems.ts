import Type from 'typebox'
import { Instant } from '../../../http/routing/schema.ts'

/** Two-word values have a space, not an underscore (D17). */
export const Difficulty = Type.Enum(['VERY EASY', 'EASY', 'MEDIUM', 'HARD', 'VERY HARD'], {
  title: 'Difficulty',
})

/** In every response that contains a problem (D18). */
export const UpdatedAt = () =>
  Instant({ description: 'The last change of the problem, its test cases or its categories.' })
