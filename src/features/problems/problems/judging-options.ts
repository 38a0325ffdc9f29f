import {
  judgingOptions,
  type SchemaMaker,
  validatorProgram,
} from '@judge-data-layer/problem-format/judging-options'
import Type from 'typebox'
import { Filled, Nullable, ResponseObject, Written } from '../../../http/routing/schema.ts'

const sent: SchemaMaker = {
  ...{ object: Type.Object, array: Type.Array, integer: Type.Integer, number: Type.Number },
  ...{ text: Written, filled: Filled },
}
const shown: SchemaMaker = { ...sent, object: ResponseObject }

const bodies = judgingOptions(sent, 'Body')

/** The judging options in a body of `POST` and `PUT`; on `PUT`, null removes one. */
export const judgingOptionFields = {
  validation: Nullable(bodies.validation),
  test_groups: Nullable(bodies.test_groups),
  run: Nullable(bodies.run),
  limits: Nullable(bodies.limits),
}

/** The fields of a validator's program in responses. */
export const validatorProgramShown = validatorProgram(shown)

const { validation, test_groups, run, limits } = judgingOptions(shown)

/** The judging options in responses, each absent if the problem does not have it. */
export const judgingOptionsShown = {
  validation: Type.Optional(validation),
  test_groups: Type.Optional(test_groups),
  max_score: Type.Optional(
    Type.Number({ description: 'The sum of the points of `test_groups`; absent without them.' }),
  ),
  run: Type.Optional(run),
  limits: Type.Optional(limits),
}
