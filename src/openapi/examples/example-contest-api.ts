import type { Static } from 'typebox'
import { readVersion } from '../../config/project.ts'
import { accessOf } from '../../features/live/contest-api/access.ts'
import type { ApiInformation, ObjectOf, Scoreboard } from '../../features/live/contest-api/schemas.ts'
import { answeredQuestion, openQuestion } from './example-questions.ts'
import { acceptedSubmission, pendingSubmission, wrongSubmission } from './example-submissions.ts'
import { ada, cpp, python, sumOfTwo, ulla, viktor } from './example-world.ts'
import { nightOwls, practiceLeague, winterCup } from './example-world-contest.ts'

export const information: Static<typeof ApiInformation> = {
  version: '2026-01',
  version_url: 'https://ccs-specs.icpc.io/2026-01/contest_api',
  provider: { name: 'Judge Data Layer', version: readVersion() },
}

export const league: ObjectOf<'contest'> = {
  id: String(practiceLeague.id),
  name: practiceLeague.title,
  start_time: '2026-01-10T09:00:00.000Z',
  duration: '648446:59:59.000',
  scoreboard_type: 'pass-fail',
  main_scoreboard_group_id: 'participants',
  penalty_time: '0:20:00.000',
}

export const cup: ObjectOf<'contest'> = {
  ...league,
  id: String(winterCup.id),
  name: winterCup.title,
  start_time: '2026-02-01T18:00:00.000Z',
  duration: '3:00:00.000',
  scoreboard_freeze_duration: '1:00:00.000',
  penalty_time: '0:10:00.000',
}

export const cupState: ObjectOf<'state'> = {
  started: '2026-02-01T18:00:00.000Z',
  frozen: '2026-02-01T20:00:00.000Z',
  ended: '2026-02-01T21:00:00.000Z',
}

/** What Ulla, a participant, may do and see. */
export const access = accessOf({
  ...{ role: 0, has_token: true, has_points: false, is_staff: false, is_jury: false },
  sees_all: false,
  ...{ takes_part: true, may_submit: true, is_open: true, shows_results: true },
})

type JudgementType = ObjectOf<'judgement-types'>

const judgementType = (id: string, name: string, penalty: boolean): JudgementType => ({
  ...{ id, name, penalty, solved: id === 'AC' },
})

export const accepted = judgementType('AC', 'Accepted', false)

export const judgementTypes: JudgementType[] = [
  accepted,
  judgementType('WA', 'Wrong Answer', true),
  judgementType('PE', 'Presentation Error', true),
  judgementType('TLE', 'Time Limit Exceeded', true),
  judgementType('MLE', 'Memory Limit Exceeded', true),
  judgementType('OLE', 'Output Limit Exceeded', true),
  judgementType('RTE', 'Run-Time Error', true),
  judgementType('CE', 'Compile Error', false),
  judgementType('JE', 'Judging Error', false),
]

export const cppLanguage: ObjectOf<'languages'> = {
  id: cpp.id,
  name: 'C++ (17)',
  entry_point_required: false,
  extensions: ['cpp'],
}

export const languages = [
  cppLanguage,
  { ...cppLanguage, id: python.id, name: 'Python (3)', extensions: ['py'] },
]

export const problem: ObjectOf<'problems'> = {
  id: String(sumOfTwo.id),
  label: 'A',
  name: sumOfTwo.title,
  ordinal: 1,
  time_limit: 2,
  memory_limit: 256,
  code_limit: 256,
  test_data_count: 2,
}

export const group: ObjectOf<'groups'> = { id: 'participants', name: 'Participants' }

export const team: ObjectOf<'teams'> = {
  id: nightOwls.id,
  name: nightOwls.name,
  label: nightOwls.name,
  group_ids: [group.id],
}

/** Ulla sees her own e-mail address. */
export const ullasPerson: ObjectOf<'persons'> = {
  id: ulla.id,
  team_ids: [team.id],
  name: ulla.name,
  email: ulla.email,
  role: 'contestant',
}

export const persons: ObjectOf<'persons'>[] = [
  { id: ada.id, name: ada.name, role: 'staff' },
  ullasPerson,
  { id: viktor.id, team_ids: [team.id], name: viktor.name, role: 'contestant' },
]

export const ullasAccount: ObjectOf<'accounts'> = {
  id: ulla.id,
  username: ulla.email,
  name: ulla.name,
  type: 'team',
  team_id: team.id,
  person_id: ulla.id,
}

type Submission = ObjectOf<'submissions'>

/** Ulla reads the programs of her own submissions. */
const ofUlla = (id: string) => ({
  account_id: ulla.id,
  files: [
    {
      href: `contests/${practiceLeague.id}/submissions/${id}/files`,
      filename: 'files.zip',
      mime: 'application/zip',
    },
  ],
})

const submitted = { problem_id: problem.id, team_id: team.id }

export const wrong: Submission = {
  ...{ ...submitted, ...ofUlla(wrongSubmission.id), id: wrongSubmission.id, language_id: python.id },
  time: '2026-01-10T09:12:00.000Z',
  contest_time: '0:12:00.000',
}

export const submissions: Submission[] = [
  wrong,
  {
    ...{ ...submitted, id: acceptedSubmission.id, language_id: cpp.id },
    time: '2026-01-10T09:20:41.000Z',
    contest_time: '0:20:41.000',
  },
  {
    ...{ ...submitted, ...ofUlla(pendingSubmission.id), id: pendingSubmission.id, language_id: python.id },
    time: '2026-01-10T09:31:00.000Z',
    contest_time: '0:31:00.000',
  },
]

/** The present judgement of Ulla's first attempt. */
export const judgement: ObjectOf<'judgements'> = {
  id: 'jAZunLUMAdiqhLDWJI7efvQ-2',
  submission_id: wrong.id,
  judgement_type_id: 'WA',
  current: true,
  start_time: '2026-01-10T09:25:02.000Z',
  start_contest_time: '0:25:02.000',
  end_time: '2026-01-10T09:25:02.000Z',
  end_contest_time: '0:25:02.000',
  max_run_time: 0.041,
}

export const judgements: ObjectOf<'judgements'>[] = [
  {
    ...{ id: 'jAZunLUMAdiqhLDWJI7efvQ-1', submission_id: wrong.id, judgement_type_id: 'TLE', current: false },
    start_time: '2026-01-10T09:12:00.000Z',
    start_contest_time: '0:12:00.000',
    end_time: '2026-01-10T09:12:03.000Z',
    end_contest_time: '0:12:03.000',
    max_run_time: 0.5,
  },
  judgement,
]

export const run: ObjectOf<'runs'> = {
  id: 'rAZunLUMAdiqhLDWJI7efvQ-2-1',
  judgement_id: judgement.id,
  ordinal: 1,
  judgement_type_id: 'AC',
  time: judgement.end_time,
  contest_time: judgement.end_contest_time,
  run_time: 0.041,
}

export const runs: ObjectOf<'runs'>[] = [
  run,
  { ...run, id: 'rAZunLUMAdiqhLDWJI7efvQ-2-2', ordinal: 2, judgement_type_id: 'WA', run_time: 0.039 },
]

export const answer: ObjectOf<'clarifications'> = {
  id: 'aAZunLxfAclG2s2u3fkBk1Q',
  reply_to_id: answeredQuestion.id,
  problem_id: problem.id,
  text: 'Yes, down to -1000.',
  time: '2026-01-10T09:18:30.000Z',
  contest_time: '0:18:30.000',
}

export const clarifications: ObjectOf<'clarifications'>[] = [
  {
    id: answeredQuestion.id,
    from_team_id: team.id,
    problem_id: problem.id,
    text: answeredQuestion.question,
    time: '2026-01-10T09:14:00.000Z',
    contest_time: '0:14:00.000',
  },
  answer,
  {
    id: openQuestion.id,
    from_team_id: team.id,
    text: openQuestion.question,
    time: '2026-01-10T09:25:00.000Z',
    contest_time: '0:25:00.000',
  },
]

export const winner: ObjectOf<'awards'> = { id: 'winner', citation: 'Winner', team_ids: [team.id] }

export const awards: ObjectOf<'awards'>[] = [
  winner,
  { id: 'first-to-solve-1', citation: 'First to solve problem A', team_ids: [team.id] },
]

export const scoreboard: Static<typeof Scoreboard> = {
  time: '2026-04-01T18:30:00.000Z',
  contest_time: '1953:30:00.000',
  state: { started: '2026-01-10T09:00:00.000Z' },
  rows: [
    {
      rank: 1,
      team_id: team.id,
      score: { num_solved: 1, total_time: '0:40:00.000', time: '0:20:41.000' },
      problems: [
        { problem_id: problem.id, num_judged: 2, num_pending: 1, solved: true, time: '0:20:00.000' },
      ],
    },
  ],
}
