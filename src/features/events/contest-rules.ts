import Type from 'typebox'
import { DateTime, Instant, ResponseObject, Uuid } from '../../http/routing/schema.ts'

const admission = Type.Enum(['open', 'invited'], {
  description: '`open`: everybody may take part. `invited`: only users whom staff has added.',
})
const scoreboard = Type.Enum(['participants', 'users', 'public'], {
  description: 'Who may read the standings: participants, all users, or everybody without a token.',
})
const clarifications = Type.Enum(['any', 'staff'], {
  description:
    '`any`: all users see and answer questions. `staff`: only staff answers, and users see their own questions and public ones.',
})
const scoring = Type.Enum(['icpc', 'points'], {
  description: 'What ranks people: the number of solved problems, or the sum of their best scores.',
})
const penaltyMinutes = Type.Integer({
  minimum: 0,
  maximum: 10_000,
  description: 'Added for each rejected submission to a solved problem. Default: 20.',
})
const enforceLanguages = Type.Boolean({
  description: 'Allows only the languages in `languages`, which must be UUIDs of existing languages.',
})
const MEDALS = 'How many places get a medal of each kind in the Contest API.'
const medalCounts = { gold: medalCount(), silver: medalCount(), bronze: medalCount() }
const medals = Type.Object(medalCounts, { description: MEDALS })
const STAFF = 'Users who manage the contest, besides admins and its owner.'
const FREEZE = 'Submissions since then are shown as pending until staff thaws the standings.'

/** The rules of a contest in a request (P20). Null removes a rule. */
export const contestRules = {
  freeze_time: nullable(DateTime({ description: FREEZE })),
  penalty_minutes: nullable(penaltyMinutes),
  admission: nullable(admission),
  scoreboard: nullable(scoreboard),
  clarifications: nullable(clarifications),
  enforce_languages: nullable(enforceLanguages),
  scoring: nullable(scoring),
  medals: nullable(medals),
  staff: nullable(Type.Array(Uuid(), { maxItems: 1000, description: STAFF })),
}

type Rules = Type.Static<Type.TObject<typeof contestRules>>

/** The rules in a response: those that are set (D5, P20). */
export const shownRules = {
  freeze_time: Type.Optional(Instant({ description: FREEZE })),
  thawed_at: Type.Optional(Instant({ description: 'When staff thawed the standings.' })),
  penalty_minutes: Type.Optional(penaltyMinutes),
  admission: Type.Optional(admission),
  scoreboard: Type.Optional(scoreboard),
  clarifications: Type.Optional(clarifications),
  enforce_languages: Type.Optional(enforceLanguages),
  scoring: Type.Optional(scoring),
  medals: Type.Optional(ResponseObject(medalCounts, { title: 'Medals', description: MEDALS })),
  staff: Type.Optional(Type.Array(Uuid(), { description: STAFF })),
}

function medalCount() {
  return Type.Integer({ minimum: 0, maximum: 1000 })
}

function nullable<S extends Type.TSchema>(schema: S) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}

/** The parameters of a statement that stores rules. */
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
} as const

/** The values of `ruleParams`. */
export function ruleValues(body: Rules) {
  const { freeze_time, penalty_minutes, admission, scoreboard, clarifications, enforce_languages, scoring } =
    body
  return {
    ...{ freeze_time, penalty_minutes, admission, scoreboard, clarifications, enforce_languages, scoring },
    medals: body.medals ? JSON.stringify(medalsOf(body.medals)) : null,
    staff: [...new Set(body.staff ?? [])],
    rules: Object.keys(contestRules).filter((rule) => rule in body),
  }
}

/** Without unknown fields, which a request may have (D2). */
const medalsOf = ({ gold, silver, bronze }: Type.Static<typeof medals>) => ({ gold, silver, bronze })

/**
 * SQL: the sent value of a rule, else the one that `events` has. `:rules` names those that were
 * sent.
 */
export const plannedRule = (rule: keyof typeof contestRules) =>
  `case when '${rule}' = any (:rules) then :${rule} else events.${rule} end`

/**
 * SQL condition: all of `:staff` are accounts, or were named before (their accounts may be
 * deleted).
 */
export const staffExists = (former = `'{}'::uuid[]`) => `not exists (
        select from unnest(:staff) as named (id)
        where named.id <> all (${former})
          and not exists (select from users where users.id = named.id and users.deleted_at is null))`

/** The fields of the rules; those that are not set are null. */
export const ruleFields = `
      'freeze_time', utc(events.freeze_time),
      'thawed_at', utc(events.thawed_at),
      'penalty_minutes', events.penalty_minutes,
      'admission', events.admission,
      'scoreboard', events.scoreboard,
      'clarifications', events.clarifications,
      'enforce_languages', events.enforce_languages,
      'scoring', events.scoring,
      'medals', events.medals,
      'staff', nullif(events.staff, '{}')`
