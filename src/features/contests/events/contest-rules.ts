import Type from 'typebox'
import { DateTime, Instant, Nullable, ResponseObject, Uuid } from '../../../http/routing/schema.ts'

const MEDALS = 'How many places get a medal of each kind in the Contest API.'
const medalCounts = { gold: medalCount(), silver: medalCount(), bronze: medalCount() }
const STAFF = 'Users who manage the contest, besides admins and its owner.'
const FREEZE = 'Submissions since then are shown as pending until staff thaws the standings.'

/**
 * Rules whose values are the same in requests, in responses and in the database. A new one needs a
 * column with its name, and its type in `ruleParams`; the contest file of the command line gets it
 * with the generated files.
 */
const plainRules = {
  penalty_minutes: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Added for each rejected submission to a solved problem. Default: 20.',
  }),
  admission: Type.Enum(['open', 'invited'], {
    description: '`open`: everybody may take part. `invited`: only users whom staff has added.',
  }),
  scoreboard: Type.Enum(['participants', 'users', 'public'], {
    description: 'Who may read the standings: participants, all users, or everybody without a token.',
  }),
  clarifications: Type.Enum(['any', 'staff'], {
    description:
      '`any`: all users see and answer questions. `staff`: only staff answers, and users see their own questions and public ones.',
  }),
  enforce_languages: Type.Boolean({
    description: 'Allows only the languages in `languages`, which must be UUIDs of existing languages.',
  }),
  scoring: Type.Enum(['icpc', 'points'], {
    description: 'What ranks people: the number of solved problems, or the sum of their points.',
  }),
}

/** The rules of a contest in a request (P20). Null removes a rule. */
export const contestRules = {
  freeze_time: Nullable(DateTime({ description: FREEZE })),
  ...allNullable(plainRules),
  medals: Nullable(Type.Object(medalCounts, { description: MEDALS })),
  staff: Nullable(Type.Array(Uuid(), { maxItems: 1000, description: STAFF })),
}

type Rules = Type.Static<Type.TObject<typeof contestRules>>
type RuleName = keyof typeof contestRules

/** The rules in a response: those that are set (D5, P20). */
export const shownRules = {
  freeze_time: Type.Optional(Instant({ description: FREEZE })),
  thawed_at: Type.Optional(Instant({ description: 'When staff thawed the standings.' })),
  ...Type.Partial(Type.Object(plainRules)).properties,
  medals: Type.Optional(ResponseObject(medalCounts, { title: 'Medals', description: MEDALS })),
  staff: Type.Optional(Type.Array(Uuid(), { description: STAFF })),
}

function medalCount() {
  return Type.Integer({ minimum: 0, maximum: 1000 })
}

function allNullable<P extends Type.TProperties>(rules: P) {
  const entries = Object.entries(rules).map(([name, schema]) => [name, Nullable(schema)])
  return Object.fromEntries(entries) as { [Name in keyof P]: ReturnType<typeof Nullable<P[Name]>> }
}

/** The parameters of a statement that stores rules: their columns of `events`. */
export const ruleParams = {
  freeze_time: 'timestamptz | null',
  penalty_minutes: 'integer | null',
  admission: 'text | null',
  scoreboard: 'text | null',
  clarifications: 'text | null',
  enforce_languages: 'boolean | null',
  scoring: 'text | null',
  medals: 'json | null',
  staff: 'uuid[]',
} as const satisfies Record<RuleName, string>

const ruleNames = Object.keys(ruleParams) as RuleName[]

/** SQL: the columns of the rules, and their parameters in the same order. */
export const ruleColumns = ruleNames.join(', ')
export const rulePlaceholders = ruleNames.map((rule) => `:${rule}`).join(', ')

/** SQL: the assignments of an update for all rules but those that need another value. */
export const assignRules = (values: Partial<Record<RuleName, string>>) =>
  ruleNames
    .map((rule) => `${rule} = ${values[rule] ?? plannedRule(rule)}`)
    .join(`,
          `)

/** The values of `ruleParams`, and the names of the rules that were sent. */
export function ruleValues(body: Rules) {
  const values = Object.fromEntries(ruleNames.map((rule) => [rule, body[rule] ?? null]))
  return {
    ...(values as { [Rule in RuleName]: NonNullable<Rules[Rule]> | null }),
    medals: body.medals ? JSON.stringify(medalsOf(body.medals)) : null,
    staff: [...new Set(body.staff ?? [])],
    rules: ruleNames.filter((rule) => rule in body),
  }
}

/** Without unknown fields, which a request may have (D2). */
const medalsOf = ({ gold, silver, bronze }: NonNullable<Rules['medals']>) => ({ gold, silver, bronze })

/** SQL: the sent value of a rule, else the one of `events`. `:rules` names those sent. */
export const plannedRule = (rule: RuleName) =>
  `case when '${rule}' = any (:rules) then :${rule} else events.${rule} end`

/** SQL condition: all of `:staff` are accounts, or were named before (and maybe deleted). */
export const staffExists = (former = `'{}'::uuid[]`) => `not exists (
        select from unnest(:staff) as named (id)
        where named.id <> all (${former})
          and not exists (select from users where users.id = named.id and users.deleted_at is null))`

/** SQL condition: the JSON array is empty or has a number. A number is no language of a program. */
export const namesNoUuid = (languages: string) => `(json_array_length(${languages}) = 0 or exists (
        select from json_array_elements(${languages}) as named (language)
        where json_typeof(named.language) <> 'string'))`

/**
 * SQL: where `isChecked`, the first UUID of the JSON array `languages` that is no language, if any.
 * Those in `former` are not checked: they may be retired (P21).
 */
export const unknownLanguage = (languages: string, isChecked: string, former = `'[]'`) => `(
        select named.language
        from json_array_elements_text(case when ${isChecked} then ${languages} else '[]' end)
               with ordinality as named (language, place)
        where not exists (
            select from languages
            where languages.id = named.language::uuid and languages.retired_at is null)
          and not exists (
            select from json_array_elements_text(${former}) as former (language)
            where lower(former.language) = lower(named.language))
        order by named.place
        limit 1)`

/** The fields of the rules; those that are not set are null. */
export const ruleFields = `
      'freeze_time', utc(events.freeze_time),
      'thawed_at', utc(events.thawed_at),
      ${[...Object.keys(plainRules), 'medals']
        .map((rule) => `'${rule}', events.${rule}`)
        .join(`,
      `)},
      'staff', nullif(events.staff, '{}')`
