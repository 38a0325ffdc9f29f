import {
  contestOf,
  type Item,
  instant,
  isSet,
  isUnique,
  listOf,
  type Rules,
  type SeenContest,
  span,
} from './rule.ts'

/** The properties that refer to objects, with the types of these. */
const REFERENCES: Readonly<Record<string, string>> = {
  ...{ main_scoreboard_group_id: 'groups', group_ids: 'groups', to_group_ids: 'groups' },
  ...{ organization_id: 'organizations', language_id: 'languages', problem_id: 'problems' },
  ...{ team_id: 'teams', team_ids: 'teams', from_team_id: 'teams', to_team_ids: 'teams' },
  ...{ person_id: 'persons', account_id: 'accounts', submission_id: 'submissions' },
  ...{ judgement_id: 'judgements', judgement_type_id: 'judgement-types' },
  ...{ simplified_judgement_type_id: 'judgement-types', reply_to_id: 'clarifications' },
}

/** Properties with files; those with one archive have exactly one file. */
const FILES = ['package', 'statement', 'attachments', 'files', 'logo', 'banner', 'photo', 'reaction']
const ARCHIVES: readonly (readonly [type: string, property: string])[] = [
  ['problems', 'package'],
  ['submissions', 'files'],
]

/** Instants with the contest times that belong to them. */
const TIMES: readonly (readonly [type: string, time: string, contestTime: string])[] = [
  ['submissions', 'time', 'contest_time'],
  ['judgements', 'start_time', 'start_contest_time'],
  ['judgements', 'end_time', 'end_contest_time'],
  ['runs', 'time', 'contest_time'],
  ['clarifications', 'time', 'contest_time'],
]

const SECONDS: readonly (readonly [type: string, property: string])[] = [
  ['problems', 'time_limit'],
  ['judgements', 'max_run_time'],
  ['runs', 'run_time'],
]

const filesOf = (item: Item): readonly Item[] => FILES.flatMap((name) => item[name] ?? [])

const allOf = ({ objects }: SeenContest) =>
  [...objects].flatMap(([type, items]) =>
    items.map((item) => ({ type, item, name: `${type} ${item.id ?? ''}`.trim() })),
  )

/** The objects of these types whose property is set, and not right. */
const findSet = (
  seen: SeenContest,
  places: readonly (readonly [type: string, property: string])[],
  isRight: (value: Item[string], item: Item) => boolean,
) =>
  places.flatMap(([type, property]) =>
    listOf(seen, type)
      .filter((item) => isSet(item[property]) && !isRight(item[property], item))
      .map(({ id }) => `${type} ${id} ${property}`),
  )

const findIn = (seen: SeenContest, isBroken: (item: Item, type: string) => boolean) =>
  allOf(seen).flatMap(({ type, item, name }) => (isBroken(item, type) ? [name] : []))

const propertiesOf = ({ access }: SeenContest, type: string): readonly string[] =>
  access.endpoints.find((endpoint: Item) => endpoint.type === type)?.properties ?? []

export const COMMON_RULES: Rules = {
  'ids are unique within a type': ({ objects }) =>
    [...objects].flatMap(([type, items]) => (isUnique(items.map(({ id }) => id)) ? [] : [type])),
  'every id that an object names is that of an object': (seen) =>
    allOf(seen).flatMap(({ item, name }) =>
      Object.entries(REFERENCES).flatMap(([property, target]) => {
        const ids = new Set(listOf(seen, target).map(({ id }) => id))
        const missing = [item[property] ?? []].flat().filter((id) => !ids.has(id))
        return missing.map((id) => `${name} ${property} ${id}`)
      }),
    ),
  'objects have only properties that access announces': (seen) =>
    allOf(seen).flatMap(({ type, item, name }) =>
      Object.keys(item)
        .filter((property) => isSet(item[property]) && !propertiesOf(seen, type).includes(property))
        .map((property) => `${name} ${property}`),
    ),
  'access announces the types that announced properties refer to': (seen) =>
    seen.access.endpoints.flatMap(({ type, properties }: { type: string; properties: string[] }) =>
      properties
        .filter((property) => {
          const target = REFERENCES[property]
          return target !== undefined && !propertiesOf(seen, target).includes('id')
        })
        .map((property) => `${type} ${property}`),
    ),
  'the files of an object have different names': (seen) =>
    findIn(seen, (item) => !isUnique(filesOf(item).map(({ filename }) => filename))),
  'packages and submitted files are one zip archive': (seen) =>
    findSet(seen, ARCHIVES, (files) => files.length === 1 && files[0].mime === 'application/zip'),
  'a contest time is the time since the start of the contest': (seen) => {
    const { start_time } = contestOf(seen)
    if (!isSet(start_time)) return []
    return TIMES.flatMap(([type, time, contestTime]) =>
      findSet(
        seen,
        [[type, time]],
        (value, item) => instant(value) - instant(start_time) === span(item[contestTime]),
      ),
    )
  },
  'seconds are multiples of a thousandth': (seen) =>
    findSet(seen, SECONDS, (seconds) => seconds === Math.round(seconds * 1000) / 1000),
}
