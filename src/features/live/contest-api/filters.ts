import Type from 'typebox'
import { Written } from '../../../http/routing/schema.ts'
import type { ObjectType } from './collection.ts'

/** The properties of type ID by which the collections of each type can be filtered. */
const filters: { readonly [T in ObjectType]?: readonly string[] } = {
  contest: ['main_scoreboard_group_id'],
  accounts: ['team_id', 'person_id'],
  submissions: ['language_id', 'problem_id', 'team_id', 'account_id'],
  judgements: ['submission_id', 'judgement_type_id'],
  runs: ['judgement_id', 'judgement_type_id'],
  clarifications: ['from_team_id', 'reply_to_id', 'problem_id'],
}

/** The query of a collection: properties that its objects must have; an empty text means absent. */
export const filtersOf = (type: ObjectType) =>
  Type.Object(
    Object.fromEntries(
      (filters[type] ?? []).map((name) => [
        name,
        Type.Optional(
          Written({ maxLength: 36, description: 'Only objects with this value; empty: without one.' }),
        ),
      ]),
    ),
  )

export const ContestFilter = filtersOf('contest')
