import { contestOf, each, findById, isSet, isUnique, listOf, type Rule } from './rule.ts'

/** Roles of persons who belong to a team. */
const ROLES_WITH_TEAM = ['contestant', 'coach']

/** Rules for what is set up before a contest. */
export const SETUP_RULES: readonly Rule[] = [
  each(
    'contest',
    'there is no start time while the countdown is paused',
    ({ start_time, countdown_pause_time }) => !isSet(start_time) || !isSet(countdown_pause_time),
  ),
  each(
    'judgement-types',
    '`penalty` is present if and only if the contest has a penalty time',
    ({ penalty }, seen) => isSet(penalty) === isSet(contestOf(seen).penalty_time),
  ),
  each(
    'judgement-types',
    'a simplified type simplifies to itself',
    ({ simplified_judgement_type_id: simplified }, seen) =>
      !isSet(simplified) ||
      findById(seen, 'judgement-types', simplified)?.simplified_judgement_type_id === simplified,
  ),
  each(
    'languages',
    '`entry_point_name` is present if and only if an entry point is required',
    ({ entry_point_name, entry_point_required }) =>
      isSet(entry_point_name) === (entry_point_required === true),
  ),
  {
    text: 'problems: ordinals are unique',
    find: (seen) =>
      isUnique(listOf(seen, 'problems').map(({ ordinal }) => ordinal)) ? [] : ['all problems'],
  },
  // A caller who may not read a problem gets neither (P26).
  each(
    'problems',
    '`max_score` is present, beside the limits, if and only if the scoreboard type is `score`',
    ({ max_score, time_limit }, seen) =>
      isSet(max_score) === (isSet(time_limit) && contestOf(seen).scoreboard_type === 'score'),
  ),
  each(
    'teams',
    '`group_ids` is present if and only if access announces groups',
    ({ group_ids }, { access }) =>
      isSet(group_ids) === access.endpoints.some(({ type }: { type: string }) => type === 'groups'),
  ),
  each(
    'persons',
    'contestants and coaches, and only they, have teams',
    ({ role, team_ids }) => ROLES_WITH_TEAM.includes(role) === (team_ids ?? []).length > 0,
  ),
  each(
    'accounts',
    'an account of type `team` has a team',
    ({ type, team_id }) => type !== 'team' || isSet(team_id),
  ),
]
