import Type, { type Static } from 'typebox'
import { IntegerId, ResponseObject, Written } from '../../../http/routing/schema.ts'

const described = (description?: string) => (description === undefined ? {} : { description })

/** TIME of the Contest API: in UTC, always with milliseconds. */
export const Time = (description?: string) =>
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$', ...described(description) })

/** RELTIME: always with milliseconds. */
const Span = (description?: string) =>
  Type.String({ pattern: '^-?\\d+:[0-5]\\d:[0-5]\\d\\.\\d{3}$', ...described(description) })

/** ID: at most 36 characters. */
const ID = '^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,34}[A-Za-z0-9_-])?$'

const Id = (description?: string) => Type.String({ pattern: ID, ...described(description) })

/** A number of seconds: a multiple of a thousandth. */
const Seconds = (description: string) => Type.Number({ minimum: 0, description })

const Whole = (description?: string) => Type.Integer({ minimum: 0, ...described(description) })

const absent = Type.Optional

const FileReference = ResponseObject(
  {
    href: Type.String({ description: 'The address, relative to `/v1/clics/`.' }),
    filename: Type.String(),
    mime: Type.String(),
  },
  { title: 'ClicsFile' },
)

export const ApiInformation = ResponseObject(
  {
    version: Type.Literal('2026-01'),
    version_url: Type.String({ description: 'The documentation of this version.' }),
    provider: ResponseObject({ name: Type.String(), version: Type.String() }),
  },
  { title: 'ClicsApiInformation' },
)

const FileReferences = (description: string) =>
  absent(Type.Array(FileReference, { minItems: 1, description }))

const State = ResponseObject(
  {
    started: absent(Time()),
    frozen: absent(Time()),
    ended: absent(Time('When nobody could submit any more.')),
    thawed: absent(Time()),
  },
  { title: 'ClicsState' },
)

const ScoreboardCell = ResponseObject(
  {
    problem_id: Id(),
    num_judged: Whole('Judged submissions up to the first accepted one.'),
    num_pending: Whole('Submissions without a verdict, or with one that is frozen.'),
    solved: absent(Type.Boolean({ description: 'Only if `scoreboard_type` is `pass-fail`.' })),
    score: absent(Type.Number({ description: 'Only if `scoreboard_type` is `score`.' })),
    time: absent(Span('The contest time of the solution; with a score, of the last improvement.')),
  },
  { title: 'ClicsScoreboardProblem' },
)

const ScoreboardRow = ResponseObject(
  {
    rank: Type.Integer({ minimum: 1 }),
    team_id: Id(),
    score: ResponseObject({
      num_solved: absent(Whole()),
      total_time: absent(Span('The penalty.')),
      score: absent(Type.Number()),
      time: absent(Span('The contest time of the last solution; with a score, of the last improvement.')),
    }),
    problems: Type.Array(ScoreboardCell),
  },
  { title: 'ClicsScoreboardRow' },
)

export const Scoreboard = ResponseObject(
  { time: Time(), contest_time: Span(), state: State, rows: Type.Array(ScoreboardRow) },
  { title: 'ClicsScoreboard' },
)

/** The schemas of objects by the type of notifications. */
export const objectSchemas = {
  contest: ResponseObject(
    {
      id: Id(),
      name: Type.String(),
      start_time: absent(Time('Absent if the contest was ended before its start.')),
      duration: Span(),
      scoreboard_freeze_duration: absent(Span('Only if the standings freeze.')),
      scoreboard_thaw_time: absent(Time('When the standings were thawed.')),
      scoreboard_type: Type.Enum(['pass-fail', 'score']),
      main_scoreboard_group_id: Id(),
      penalty_time: Span(),
    },
    { title: 'ClicsContest' },
  ),
  'judgement-types': ResponseObject(
    { id: Id(), name: Type.String(), penalty: Type.Boolean(), solved: Type.Boolean() },
    { title: 'ClicsJudgementType' },
  ),
  languages: ResponseObject(
    {
      id: Id(),
      name: Type.String(),
      entry_point_required: Type.Boolean(),
      extensions: Type.Array(Type.String()),
    },
    { title: 'ClicsLanguage' },
  ),
  problems: ResponseObject(
    {
      id: Id(),
      uuid: absent(Type.String({ description: 'The UUID of the problem’s package, if it has one.' })),
      label: Type.String(),
      name: Type.String({ description: 'The title; the label for callers who may not read the problem.' }),
      ordinal: Type.Integer({ minimum: 1 }),
      rgb: absent(Type.String({ pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$' })),
      color: absent(Type.String({ description: 'The colour, if it is a name.' })),
      time_limit: absent(
        Seconds('In seconds. This and what follows is only for callers who may read the problem.'),
      ),
      memory_limit: absent(Whole('In MiB.')),
      output_limit: absent(Whole('In MiB, if the problem has such a limit.')),
      code_limit: absent(Whole('In KiB.')),
      test_data_count: absent(Whole()),
      max_score: absent(Type.Number({ description: 'Only if the contest’s `scoreboard_type` is `score`.' })),
      package: FileReferences('The problem package, only for admins.'),
      statement: FileReferences('Statements of the problem’s package.'),
      attachments: FileReferences('Attachments of the problem’s package.'),
    },
    { title: 'ClicsProblem' },
  ),
  groups: ResponseObject({ id: Id(), name: Type.String() }, { title: 'ClicsGroup' }),
  organizations: ResponseObject({ id: Id(), name: Type.String() }, { title: 'ClicsOrganization' }),
  teams: ResponseObject(
    {
      id: Id('In a contest without teams the id of a user.'),
      name: Type.String(),
      label: Type.String(),
      group_ids: Type.Array(Id(), { description: 'Empty for testers, who are not in the standings.' }),
    },
    { title: 'ClicsTeam' },
  ),
  persons: ResponseObject(
    {
      id: Id(),
      team_ids: absent(Type.Array(Id(), { minItems: 1 })),
      name: Type.String(),
      email: absent(Type.String({ description: 'Only for staff and the person.' })),
      role: Type.Enum(['contestant', 'staff', 'other']),
    },
    { title: 'ClicsPerson' },
  ),
  accounts: ResponseObject(
    {
      id: Id(),
      username: Type.String({ description: 'The e-mail address.' }),
      name: absent(Type.String()),
      type: Type.Enum(['team', 'judge', 'admin', 'staff', 'other']),
      team_id: absent(Id()),
      person_id: absent(Id()),
    },
    { title: 'ClicsAccount' },
  ),
  state: State,
  submissions: ResponseObject(
    {
      id: Id(),
      language_id: Id(),
      problem_id: Id(),
      team_id: absent(Id()),
      account_id: absent(Id('Only for staff, judges and the author.')),
      time: Time(),
      contest_time: Span(),
      files: FileReferences('A zip with the program, only for staff, judges and the author.'),
    },
    { title: 'ClicsSubmission' },
  ),
  judgements: ResponseObject(
    {
      id: Id(),
      submission_id: Id(),
      judgement_type_id: Id(),
      score: absent(Type.Number({ description: 'Only if the contest’s `scoreboard_type` is `score`.' })),
      current: Type.Boolean({ description: 'False for verdicts that later ones replaced.' }),
      start_time: Time(),
      start_contest_time: Span(),
      end_time: Time(),
      end_contest_time: Span(),
      max_run_time: absent(Seconds('The longest time of a test case, in seconds.')),
    },
    { title: 'ClicsJudgement' },
  ),
  runs: ResponseObject(
    {
      id: Id(),
      judgement_id: Id(),
      ordinal: Type.Integer({ minimum: 1 }),
      judgement_type_id: Id(),
      time: Time(),
      contest_time: Span(),
      run_time: absent(Seconds('In seconds.')),
    },
    { title: 'ClicsRun' },
  ),
  clarifications: ResponseObject(
    {
      id: Id(),
      from_team_id: absent(Id('Absent for messages of the jury.')),
      to_team_ids: absent(Type.Array(Id(), { description: 'Absent if everybody sees it.' })),
      reply_to_id: absent(Id('The question that this answers.')),
      problem_id: absent(Id()),
      text: Type.String(),
      time: Time(),
      contest_time: Span(),
    },
    { title: 'ClicsClarification' },
  ),
  awards: ResponseObject(
    { id: Id(), citation: Type.String(), team_ids: Type.Array(Id()) },
    { title: 'ClicsAward' },
  ),
} as const

/** An object of a type. */
export type ObjectOf<T extends keyof typeof objectSchemas> = Static<(typeof objectSchemas)[T]>

export const Access = ResponseObject(
  {
    capabilities: Type.Array(
      Type.Enum(['contest_start', 'contest_thaw', 'team_submit', 'post_clar', 'admin_clar']),
    ),
    endpoints: Type.Array(
      ResponseObject({
        type: Type.Enum(Object.keys(objectSchemas)),
        properties: Type.Array(Type.String(), { minItems: 1 }),
      }),
    ),
  },
  { title: 'ClicsAccess' },
)

/** An id in a path. */
export const ObjectId = () => Written({ pattern: ID, 'x-wants': 'be an id of 1 to 36 characters' })

/** The path of an object in a contest. */
export const ObjectPath = Type.Object({ event_id: IntegerId(), id: ObjectId() })
