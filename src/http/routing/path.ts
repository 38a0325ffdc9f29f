import Type, { type TObject, type TSchema } from 'typebox'
import { IntegerId, Uuid } from './schema.ts'

/** The schemas of path parameters by their names. Routes with other parameters have `params`. */
const pathParams = {
  category_id: Uuid(),
  decision_id: Uuid(),
  event_id: IntegerId(),
  event_problem_id: IntegerId({ description: 'The `id` of the problem in the event, not its `problem_id`.' }),
  language_id: Uuid(),
  problem_description_id: IntegerId(),
  problem_id: IntegerId(),
  question_id: Uuid(),
  rejudging_id: Uuid(),
  scoreboard_token_id: Uuid(),
  shadow_judging_id: Uuid(),
  submission_id: Uuid(),
  team_id: Uuid(),
  test_case_id: Uuid(),
  user_id: Uuid(),
  verification_id: Uuid(),
  webhook_id: Uuid(),
}

type Known = typeof pathParams

type NamesIn<Url extends string> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Url extends `${string}:${infer Name}`
    ? Name
    : never

/** The schema of the path parameters that a URL names. */
export type PathOf<Url extends string> = TObject<Pick<Known, NamesIn<Url> & keyof Known>>

/** The names of the path parameters of a URL. */
export const namesOf = (url: string) => [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** The schema of the path parameters of a URL. Throws if one is unknown. */
export function pathOf<Url extends string>(url: Url): PathOf<Url> {
  const known: Readonly<Record<string, TSchema>> = pathParams
  const properties: Record<string, TSchema> = {}
  for (const name of namesOf(url)) {
    const schema = known[name]
    if (!schema) throw new Error(`the route ${url} needs params for :${name}`)
    properties[name] = schema
  }
  const path: TSchema = Type.Object(properties)
  // `PathOf` has the same names.
  return path as PathOf<Url>
}
