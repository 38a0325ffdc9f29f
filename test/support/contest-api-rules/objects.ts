import {
  contestOf,
  findById,
  hasPoints,
  type Item,
  instant,
  isSet,
  isUnique,
  listOf,
  type Rules,
  type SeenContest,
  span,
} from './rule.ts'

const ROLES_WITH_TEAM = ['contestant', 'coach']

/** Times of the state that must be in this order, as far as they are set. */
const ORDERS = [
  ['started', 'frozen', 'ended', 'thawed', 'end_of_updates'],
  ['ended', 'finalized', 'end_of_updates'],
]

/** Times of the state with those without which they must not be set. */
const NEEDS: Readonly<Record<string, string>> = {
  ...{ ended: 'started', thawed: 'frozen', finalized: 'ended', end_of_updates: 'finalized' },
}

/** The problem of a run or of a judgement, if the caller sees it. */
function problemOf(seen: SeenContest, judgement: Item | undefined): Item | undefined {
  return findById(seen, 'problems', findById(seen, 'submissions', judgement?.submission_id)?.problem_id)
}

const isCompleted = ({ judgement_type_id, simplified_judgement_type_id }: Item) =>
  isSet(judgement_type_id) || isSet(simplified_judgement_type_id)

type Keeps = (item: Item, seen: SeenContest) => boolean

const OF_TYPES: Readonly<Record<string, Readonly<Record<string, Keeps>>>> = {
  contest: {
    'there is no start time while the countdown is paused': ({ start_time, countdown_pause_time }) =>
      !isSet(start_time) || !isSet(countdown_pause_time),
  },
  'judgement-types': {
    '`penalty` is present if and only if the contest has a penalty time': ({ penalty }, seen) =>
      isSet(penalty) === isSet(contestOf(seen).penalty_time),
    'a simplified type simplifies to itself': ({ simplified_judgement_type_id: simplified }, seen) =>
      !isSet(simplified) ||
      findById(seen, 'judgement-types', simplified)?.simplified_judgement_type_id === simplified,
  },
  languages: {
    '`entry_point_name` is present if and only if an entry point is required': (language) =>
      isSet(language.entry_point_name) === (language.entry_point_required === true),
  },
  problems: {
    'ordinals are unique': ({ id, ordinal }, seen) =>
      listOf(seen, 'problems').every((other) => other.id === id || other.ordinal !== ordinal),
    // A caller who may not read a problem gets neither (P26).
    '`max_score` is present, beside the limits, if and only if the scoreboard type is `score`': (
      item,
      seen,
    ) => isSet(item.max_score) === (isSet(item.time_limit) && hasPoints(seen)),
  },
  teams: {
    '`group_ids` is present if and only if access announces groups': ({ group_ids }, { access }) =>
      isSet(group_ids) === access.endpoints.some(({ type }: { type: string }) => type === 'groups'),
  },
  persons: {
    'contestants and coaches, and only they, have teams': ({ role, team_ids }) =>
      ROLES_WITH_TEAM.includes(role) === (team_ids ?? []).length > 0,
  },
  accounts: {
    'an account of type `team` has a team': ({ type, team_id }) => type !== 'team' || isSet(team_id),
  },
  state: {
    '`started` equals the start time of the contest': ({ started }, seen) =>
      !isSet(started) || started === contestOf(seen).start_time,
    '`frozen` and `thawed` are only set in a contest with a freeze duration': ({ frozen, thawed }, seen) =>
      (!isSet(frozen) && !isSet(thawed)) || isSet(contestOf(seen).scoreboard_freeze_duration),
    'the freeze lasts for the freeze duration until the end': ({ frozen }, seen) => {
      const { start_time, duration, scoreboard_freeze_duration: freeze } = contestOf(seen)
      return !isSet(frozen) || instant(frozen) === instant(start_time) + span(duration) - span(freeze)
    },
    'no time is set before the one that it needs': (state) =>
      Object.entries(NEEDS).every(([time, needed]) => !isSet(state[time]) || isSet(state[needed])),
    'there are no updates left only if a frozen contest is thawed': ({ end_of_updates, frozen, thawed }) =>
      !isSet(end_of_updates) || isSet(frozen) === isSet(thawed),
    'times are in their order': (state) =>
      ORDERS.every((names) => {
        const moments = names.filter((name) => isSet(state[name])).map((name) => instant(state[name]))
        return moments.every((moment, place) => place === 0 || Number(moments[place - 1]) < moment)
      }),
  },
  submissions: {
    'there is an entry point where the language requires one': ({ language_id, entry_point }, seen) =>
      findById(seen, 'languages', language_id)?.entry_point_required !== true || isSet(entry_point),
  },
  judgements: {
    'end times are present if and only if there is a judgement type': (judgement) =>
      isSet(judgement.end_time) === isCompleted(judgement) &&
      isSet(judgement.end_contest_time) === isCompleted(judgement),
    'none ends before it starts': ({ start_time, end_time }) =>
      !isSet(end_time) || instant(start_time) <= instant(end_time),
    '`score` is present if and only if the scoreboard type is `score`': ({ score }, seen) =>
      isSet(score) === hasPoints(seen),
    '`score` is between 0 and the maximum of the problem': (judgement, seen) => {
      const most = problemOf(seen, judgement)?.max_score ?? Number.POSITIVE_INFINITY
      return !isSet(judgement.score) || (judgement.score >= 0 && judgement.score <= most)
    },
    'at most one of a submission is current': ({ submission_id, current }, seen) => {
      const all = listOf(seen, 'judgements').filter((other) => other.submission_id === submission_id)
      return current === false || all.filter((other) => other.current !== false).length === 1
    },
    'the simplified type is that of the type': (judgement, seen) => {
      const { judgement_type_id: id, simplified_judgement_type_id: simplified } = judgement
      const type = findById(seen, 'judgement-types', id)
      return !isSet(id) || !isSet(simplified) || type?.simplified_judgement_type_id === simplified
    },
  },
  runs: {
    'the ordinals of a judgement are unique': ({ judgement_id }, seen) => {
      const all = listOf(seen, 'runs').filter((other) => other.judgement_id === judgement_id)
      return isUnique(all.map(({ ordinal }) => ordinal))
    },
    'ordinals are between 1 and the number of test cases': ({ ordinal, judgement_id }, seen) => {
      const problem = problemOf(seen, findById(seen, 'judgements', judgement_id))
      return ordinal >= 1 && ordinal <= (problem?.test_data_count ?? Number.POSITIVE_INFINITY)
    },
  },
  clarifications: {
    'a message of a team has no recipients': ({ from_team_id, to_team_ids, to_group_ids }) =>
      !isSet(from_team_id) || (!isSet(to_team_ids) && !isSet(to_group_ids)),
  },
}

export const OBJECT_RULES: Rules = Object.fromEntries(
  Object.entries(OF_TYPES).flatMap(([type, rules]) =>
    Object.entries(rules).map(([text, keeps]) => [
      `${type}: ${text}`,
      (seen: SeenContest) =>
        listOf(seen, type).flatMap((item) => (keeps(item, seen) ? [] : [String(item.id ?? type)])),
    ]),
  ),
)
