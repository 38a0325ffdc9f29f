import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import {
  DateTime,
  Instant,
  IntegerId,
  Name,
  OrNull,
  ResponseObject,
  Update,
  Uuid,
  Written,
} from '../../../http/routing/schema.ts'
import { UserResponse } from '../../shared/records/users.ts'
import { FullEventProblemResponse, NewEventProblem } from '../event-problems/schemas.ts'
import { contestRules, shownRules } from './contest-rules.ts'

export const EventTitleQuery = Type.Object({
  title: Written({ minLength: 1, description: 'The whole title, in the same case. NFC forms are compared.' }),
})

/** UUIDs, or integers that JSON represents exactly (D32). */
const Languages = Type.Array(
  Type.Union(
    [
      Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
      Type.String({ format: 'uuid' }),
    ],
    { 'x-wants': 'be an integer or a UUID' },
  ),
)

const event = {
  id: IntegerId(),
  user_id: Uuid({ description: 'Its owner.' }),
  title: Type.String({ description: 'Not unique.' }),
  description: Type.String(),
  start_time: Instant(),
  end_time: Instant({ description: 'The first instant after the event.' }),
  teams: Type.Boolean({ description: 'Whether the event has teams.' }),
  languages: Type.Array(Type.Union([Type.Integer(), Type.String()]), { description: 'As they were sent.' }),
  problem_count: Type.Integer({ description: 'Without problems that are hidden from the caller.' }),
  participant_count: Type.Integer(),
}

const ProblemIds = (options = {}) =>
  Type.Array(ResponseObject({ id: IntegerId({ description: 'A `problem_id`.' }) }), options)

/** An event in lists and after a write: `participants` contains only the caller (D31, D32). */
export const EventResponse = ResponseObject(
  {
    ...event,
    participants: Type.Array(UserResponse, { description: 'Only the caller, if they take part.' }),
    problems: ProblemIds({ description: 'Without problems that are hidden from the caller.' }),
    ...shownRules,
  },
  { title: 'EventSummary' },
)

/** The public view: every participant, and the problems by their ids (D31). */
export const PublicEventResponse = ResponseObject(
  { ...event, participants: Type.Array(UserResponse), problems: ProblemIds(), ...shownRules },
  { title: 'PublicEvent' },
)

/** The admin view: every participant, and the whole problems (D31). */
export const FullEventResponse = ResponseObject(
  {
    ...event,
    participants: Type.Array(UserResponse),
    problems: Type.Array(FullEventProblemResponse),
    ...shownRules,
  },
  { title: 'FullEvent' },
)

/** Body of `POST /v1/events` (D32). */
export function eventCreation(sizes: Config['sizes']) {
  const { title, description, start_time, end_time, teams, languages } = eventFields(sizes)
  return Type.Object(
    {
      title,
      description: Type.Optional(description),
      start_time,
      end_time,
      teams: Type.Optional(teams),
      user_id: Type.Optional(Uuid()),
      problems: Type.Optional(Type.Array(NewEventProblem)),
      languages: Type.Optional(languages),
      ...contestRules,
    },
    { title: 'EventBody' },
  )
}

/**
 * Body of `PUT /v1/events/{event_id}`: any of the fields, but not the problems (D32). The languages
 * change only where they are enforced, or with `enforce_languages` (P20).
 */
export function eventUpdate(sizes: Config['sizes']) {
  const fields = eventFields(sizes)
  const languages = OrNull(fields.languages, {
    description: 'Ignored unless the contest enforces its languages, or the body has `enforce_languages`.',
  })
  return Update({ ...fields, languages, ...contestRules }, { title: 'EventUpdateBody' })
}

function eventFields({ nameCharacters }: Config['sizes']) {
  return {
    title: Name({ maxLength: nameCharacters }),
    description: Written(),
    start_time: DateTime(),
    end_time: DateTime(),
    teams: Type.Boolean(),
    languages: Languages,
  }
}
