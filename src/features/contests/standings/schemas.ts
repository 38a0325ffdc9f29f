import Type from 'typebox'
import { Instant, IntegerId, ResponseObject, Uuid } from '../../../http/routing/schema.ts'
import { CONTEST_STATES } from '../../shared/access/contest-times.ts'

const Tries = Type.Integer({
  description:
    'Judged submissions up to and including the first accepted one, without `COMPILE_TIME_ERROR` and `INTERNAL_ERROR`.',
})

export const AttemptStatResponse = ResponseObject(
  {
    user_id: Uuid(),
    problem_id: IntegerId(),
    attempts: Tries,
    total_attempts: Type.Integer({ description: 'All submissions, pending ones included.' }),
    first_accepted_time: Type.Optional(
      Instant({ description: 'The `submit_time` of the first accepted submission, if any.' }),
    ),
    minutes_to_solve: Type.Optional(
      Type.Integer({ description: 'Whole minutes from `start_time` to `first_accepted_time`, at least 0.' }),
    ),
  },
  { title: 'AttemptStat' },
)

export const ProblemStatusResponse = ResponseObject(
  {
    problem_id: IntegerId(),
    status: Type.String({ description: 'The status of the latest accepted submission, else of the latest.' }),
    submit_time: Instant({ description: 'The time of the same submission.' }),
  },
  { title: 'ProblemStatus' },
)

export const ProblemStatsResponse = ResponseObject(
  {
    problem_id: IntegerId(),
    accepted_count: Type.Integer({ description: 'How many people solved it.' }),
    attempted_count: Type.Integer({ description: 'How many people submitted to it.' }),
  },
  { title: 'ProblemStats' },
)

export const StandingsQuery = Type.Object({
  by: Type.Optional(
    Type.Enum(['user', 'team'], {
      description: 'Whom the rows rank; `team` only in an event with teams. Default: `user`.',
    }),
  ),
})

const state = Type.Enum([...CONTEST_STATES], {
  description:
    '`frozen` from `freeze_time` until staff thaws the standings; `ended` after the last participant.',
})

const StandingsCell = ResponseObject(
  {
    problem_id: IntegerId(),
    tries: Tries,
    pending: Type.Integer({ description: 'Submissions without a verdict, or with one that is frozen.' }),
    minutes: Type.Optional(
      Type.Integer({ description: 'Whole minutes from the start to the first accepted submission.' }),
    ),
    score: Type.Optional(
      Type.Number({ description: 'The best score, with `scoring` `points`, as it counts in the contest.' }),
    ),
    first: Type.Optional(
      Type.Literal(true, {
        description: 'The first solution for certain: no submission that was sent earlier is pending.',
      }),
    ),
  },
  { title: 'StandingsCell' },
)

const Ranked = (title: string) => ResponseObject({ id: Uuid(), name: Type.String() }, { title })

const ranked = { user: Type.Optional(Ranked('RankedUser')), team: Type.Optional(Ranked('RankedTeam')) }

const row = {
  rank: Type.Integer({ description: 'The same for rows that are equal; the next rank is then left out.' }),
  ...ranked,
  solved: Type.Integer(),
  points: Type.Optional(Type.Number({ description: 'The sum of the best scores, with `scoring` `points`.' })),
  penalty: Type.Integer({
    description:
      'Minutes of all solved problems, and `penalty_minutes` for each rejected submission to them; with `scoring` `points`, of those that gave points.',
  }),
  last_accepted: Type.Optional(Instant({ description: 'When the last solved problem was first accepted.' })),
  cells: Type.Array(StandingsCell, {
    description: 'In the order of the problems; only those with a submission.',
  }),
}

/** The standings of a contest (P22). */
export const StandingsResponse = ResponseObject(
  {
    event_id: IntegerId(),
    state,
    at: Instant({ description: 'When the data last changed.' }),
    problems: Type.Array(
      ResponseObject(
        {
          problem_id: IntegerId(),
          label: Type.String({ description: 'The problem’s `label`, else a letter.' }),
          color: Type.Optional(Type.String()),
          points: Type.Optional(
            Type.Number({ description: 'Its full score, with `scoring` `points`, if the contest sets one.' }),
          ),
        },
        { title: 'StandingsProblem' },
      ),
    ),
    rows: Type.Array(ResponseObject(row, { title: 'StandingsRow' }), {
      description: 'In the order of their ranks; people who share a rank by name.',
    }),
  },
  { title: 'Standings' },
)

export const ThawQuery = Type.Object({
  next: Type.Optional(
    Type.Boolean({ description: 'Reveals only the first frozen cell of the last row that has one.' }),
  ),
  undo: Type.Optional(Type.Boolean({ description: 'Hides again what the last step has revealed.' })),
})

const ChangedCell = ResponseObject({ ...ranked, problem_id: IntegerId() }, { title: 'ChangedCell' })

export const ThawResponse = ResponseObject(
  {
    event_id: IntegerId(),
    state,
    steps_left: Type.Integer({
      description: 'Frozen cells (of teams, if the event has teams) plus one. 0: thawed.',
    }),
    revealed: Type.Optional(ChangedCell),
    hidden: Type.Optional(ChangedCell),
  },
  { title: 'Thaw' },
)
