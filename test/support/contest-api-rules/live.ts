import {
  contestOf,
  each,
  findById,
  hasPoints,
  type Item,
  instant,
  isSet,
  isUnique,
  listOf,
  type Rule,
  type SeenContest,
  span,
} from './rule.ts'

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
  const submission = findById(seen, 'submissions', judgement?.submission_id)
  return findById(seen, 'problems', submission?.problem_id)
}

const isCompleted = ({ judgement_type_id, simplified_judgement_type_id }: Item) =>
  isSet(judgement_type_id) || isSet(simplified_judgement_type_id)

const STATE_RULES: readonly Rule[] = [
  each(
    'state',
    '`started` equals the start time of the contest',
    ({ started }, seen) => !isSet(started) || started === contestOf(seen).start_time,
  ),
  each(
    'state',
    '`frozen` and `thawed` are only set in a contest with a freeze duration',
    ({ frozen, thawed }, seen) =>
      (!isSet(frozen) && !isSet(thawed)) || isSet(contestOf(seen).scoreboard_freeze_duration),
  ),
  each('state', 'the freeze lasts for the freeze duration until the end', ({ frozen }, seen) => {
    const { start_time, duration, scoreboard_freeze_duration: freeze } = contestOf(seen)
    return !isSet(frozen) || instant(frozen) === instant(start_time) + span(duration) - span(freeze)
  }),
  each('state', 'no time is set before the one that it needs', (state) =>
    Object.entries(NEEDS).every(([time, needed]) => !isSet(state[time]) || isSet(state[needed])),
  ),
  each(
    'state',
    'there are no updates left only if a frozen contest is thawed',
    ({ end_of_updates, frozen, thawed }) => !isSet(end_of_updates) || isSet(frozen) === isSet(thawed),
  ),
  each('state', 'times are in their order', (state) =>
    ORDERS.every((names) => {
      const moments = names.filter((name) => isSet(state[name])).map((name) => instant(state[name]))
      return moments.every((moment, place) => place === 0 || Number(moments[place - 1]) < moment)
    }),
  ),
]

const JUDGEMENT_RULES: readonly Rule[] = [
  each(
    'judgements',
    'end times are present if and only if there is a judgement type',
    (judgement) =>
      isSet(judgement.end_time) === isCompleted(judgement) &&
      isSet(judgement.end_contest_time) === isCompleted(judgement),
  ),
  each(
    'judgements',
    'none ends before it starts',
    ({ start_time, end_time }) => !isSet(end_time) || instant(start_time) <= instant(end_time),
  ),
  each(
    'judgements',
    '`score` is present if and only if the scoreboard type is `score`',
    ({ score }, seen) => isSet(score) === hasPoints(seen),
  ),
  each('judgements', '`score` is between 0 and the maximum of the problem', (judgement, seen) => {
    const most = problemOf(seen, judgement)?.max_score ?? Number.POSITIVE_INFINITY
    return !isSet(judgement.score) || (judgement.score >= 0 && judgement.score <= most)
  }),
  each(
    'judgements',
    'at most one of a submission is current',
    ({ submission_id, current }, seen) =>
      current === false ||
      listOf(seen, 'judgements').filter(
        (other) => other.submission_id === submission_id && other.current !== false,
      ).length === 1,
  ),
  each(
    'judgements',
    'the simplified type is that of the type',
    ({ judgement_type_id, simplified_judgement_type_id: simplified }, seen) =>
      !isSet(judgement_type_id) ||
      !isSet(simplified) ||
      findById(seen, 'judgement-types', judgement_type_id)?.simplified_judgement_type_id === simplified,
  ),
]

/** Rules for what happens during a contest. */
export const LIVE_RULES: readonly Rule[] = [
  ...STATE_RULES,
  each(
    'submissions',
    'there is an entry point where the language requires one',
    ({ language_id, entry_point }, seen) =>
      findById(seen, 'languages', language_id)?.entry_point_required !== true || isSet(entry_point),
  ),
  ...JUDGEMENT_RULES,
  each('runs', 'the ordinals of a judgement are unique', ({ judgement_id }, seen) =>
    isUnique(
      listOf(seen, 'runs')
        .filter((other) => other.judgement_id === judgement_id)
        .map(({ ordinal }) => ordinal),
    ),
  ),
  each('runs', 'ordinals are between 1 and the number of test cases', ({ ordinal, judgement_id }, seen) => {
    const problem = problemOf(seen, findById(seen, 'judgements', judgement_id))
    return ordinal >= 1 && ordinal <= (problem?.test_data_count ?? Number.POSITIVE_INFINITY)
  }),
  each(
    'clarifications',
    'a message of a team has no recipients',
    ({ from_team_id, to_team_ids, to_group_ids }) =>
      !isSet(from_team_id) || (!isSet(to_team_ids) && !isSet(to_group_ids)),
  ),
]
