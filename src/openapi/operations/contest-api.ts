import * as examples from '../examples/example-contest-api.ts'
import { askedQuestion } from '../examples/example-questions.ts'
import { winterCup } from '../examples/example-world-contest.ts'
import type { SomeOperations } from '../operation-docs.ts'
import { diagram } from './problem-packages.ts'

/** The text of a collection, with what decides who sees its objects. */
const listOf = (objects: string, description: string, response: readonly object[]) => ({
  summary: `List the ${objects} of a contest over the Contest API`,
  description,
  example: { response },
})

const oneOf = (object: string, response: { readonly id: string }) => ({
  summary: `Read one ${object} of a contest over the Contest API`,
  description: `The same object as in the collection. Objects that the caller does not see get 404.`,
  example: { params: { id: response.id }, response },
})

const BASE = `The base of the Contest API, version 2026-01. Tools of the field read contests here: scoreboards,
resolvers, balloon printers. They send a token as everywhere in this API, or HTTP Basic with e-mail
and password. Without either they read contests whose \`scoreboard\` is \`public\`.`

const { cup, problem, team, wrong } = examples

/** `Main.py` with `print(42)`. */
const ZIP =
  'UEsDBBQAAAAAAAAAIVx6iYxCCgAAAAoAAAAHAAAATWFpbi5weXByaW50KDQyKQpQSwECFAMUAAAAAAAAACFceomMQgoAAAAKAAAABwAAAAAAAAAAAAAAgAEAAAAATWFpbi5weVBLBQYAAAAAAQABADUAAAAvAAAAAAA='

export const contestApiOperations = {
  readContestApi: {
    summary: 'Read the version of the Contest API',
    description: BASE,
    example: { response: examples.information },
  },
  readContestApiWithoutSlash: {
    summary: 'Read the version of the Contest API, at the address without a slash',
    description: 'The same as with the slash, for clients that remove it.',
    example: { response: examples.information },
  },
  listContests: {
    summary: 'List the contests that the caller may read over the Contest API',
    description:
      'The newest contest first. Without a credential they are those with public scoreboards; otherwise also open ones, and invited ones in which the caller takes part.',
    example: { response: [examples.cup, examples.league] },
  },
  readContest: {
    summary: 'Read a contest over the Contest API',
    description: `Contests that the caller may not read get 404, and without a credential 401. The duration
does not include the extra time of some participants.`,
    example: { params: { event_id: winterCup.id }, response: examples.cup },
  },
  readContestAccess: {
    summary: 'Read what the caller may do and see in a contest over the Contest API',
    description:
      'Capabilities, and the properties of each type of objects that this caller sees, now or later in the contest.',
    example: { response: examples.access },
  },
  readContestState: {
    summary: 'Read the state of a contest over the Contest API',
    description: `\`ended\` is set when nobody may submit any more, not even those with extra time.
\`finalized\` and \`end_of_updates\` are never set: a rejudging may always follow.`,
    example: { params: { event_id: winterCup.id }, response: examples.cupState },
  },
  listJudgementTypes: listOf(
    'judgement types',
    'One for each status of a verdict. Those without `penalty` are no tries of the contestant.',
    examples.judgementTypes,
  ),
  readJudgementType: oneOf('judgement type', examples.accepted),
  listContestLanguages: listOf(
    'languages',
    'Those in which contestants may submit, and those of earlier submissions of the contest.',
    examples.languages,
  ),
  readContestLanguage: oneOf('language', examples.cppLanguage),
  listContestProblems: listOf(
    'problems',
    `Before the start only staff and judges see problems. Admins, judges and the owner see hidden ones,
and read problems before the start. Callers who may not read a problem get its label as its name, and
neither limits nor files. \`package\` is for admins: it has the secret tests.`,
    [examples.problem],
  ),
  readContestProblem: oneOf('problem', examples.problem),
  listContestGroups: listOf('groups', 'One group: all participants or teams that are in the standings.', [
    examples.group,
  ]),
  readContestGroup: oneOf('group', examples.group),
  listContestOrganizations: listOf('organizations', 'Always empty: the service stores none.', []),
  listContestTeams: listOf(
    'teams',
    `In a contest without teams every participant is a team. Testers are shown to staff and to
themselves, without a group.`,
    [examples.team],
  ),
  readContestTeam: oneOf('team', examples.team),
  listContestPersons: listOf(
    'persons',
    'Participants, and the owner and staff of the contest. Only staff sees the e-mail addresses of others.',
    examples.persons,
  ),
  readContestPerson: oneOf('person', examples.ullasPerson),
  listContestAccounts: listOf(
    'accounts',
    'Staff sees the accounts of all persons of the contest, others their own, and callers without a credential none.',
    [examples.ullasAccount],
  ),
  readContestAccount: oneOf('account', examples.ullasAccount),
  readOwnContestAccount: {
    summary: 'Read the caller’s own account over the Contest API',
    description: 'The account of the credential; without one the status is 404.',
    example: { response: examples.ullasAccount },
  },
  listContestSubmissions: listOf(
    'submissions',
    `Where \`scoreboard\` is \`participants\`, outsiders see none. Only staff, judges and the author
get \`files\`.`,
    examples.submissions,
  ),
  readContestSubmission: oneOf('submission', examples.wrong),
  readContestSubmissionFiles: {
    summary: 'Read the program of a submission as a zip',
    description: 'One file, for staff, judges and the author; others get 404.',
    example: { params: { submission_id: examples.wrong.id } },
  },
  listContestJudgements: {
    ...listOf(
      'judgements',
      `Completed judgings, also those that later ones replaced (\`current\` is false). During a freeze
the judgements of later submissions are withheld from everybody but staff, judges and the author.`,
      [],
    ),
    example: {
      query: { submission_id: examples.wrong.id },
      response: examples.judgements,
    },
  },
  readContestJudgement: oneOf('judgement', examples.judgement),
  listContestRuns: listOf('runs', 'The test cases of judgements, only for judges and admins.', examples.runs),
  readContestRun: oneOf('run', examples.run),
  listContestClarifications: listOf(
    'clarifications',
    `A question is one object, and its answer another that refers to it. Users see those that they see
in the rest of the API; callers without a credential see none. In contests in which all users answer, an
answer of a participant has \`from_team_id\`; one of a user without a team is left out.`,
    examples.clarifications,
  ),
  readContestClarification: oneOf('clarification', examples.answer),
  listContestAwards: listOf(
    'awards',
    'The leader, the first solution of each problem, and medals if the contest has them, as the caller sees the standings.',
    examples.awards,
  ),
  readContestAward: oneOf('award', examples.winner),
  readScoreboard: {
    summary: 'Read the scoreboard of a contest over the Contest API',
    description: `The standings, of teams in a contest with teams. During a freeze later submissions are
pending, except for staff and judges. Poll with \`If-None-Match\`.`,
    example: { response: examples.scoreboard },
  },
  readContestProblemFile: {
    summary: 'Read a file of a contest’s problem',
    description: `A statement, a picture of it or an attachment, for callers who may read the problem. Without a
credential the response may be cached by everybody.`,
    example: { params: { name: diagram.name } },
  },
  readContestPackage: {
    summary: 'Export a contest’s problem as a package',
    description: 'Only for admins: the package has the secret tests. Others get 404.',
  },
  changeContest: {
    summary: 'Move the start of a contest, or thaw it, over the Contest API',
    description: `For staff: the capabilities \`contest_start\` and \`contest_thaw\`. Others get 403. \`id\` must be
the one in the path (409). The body has either \`start_time\` or \`scoreboard_thaw_time\` (400).

The end and the freeze move along with the start: the duration stays. 403: the contest has started
or starts within 30 seconds, or the new start is in the past or within 30 seconds. The service
cannot store a contest without a start: null and \`countdown_pause_time\` get 403.

A thaw happens at once, like \`POST /v1/events/{event_id}/thaw\`, if \`scoreboard_thaw_time\` is not in
the future. 403: it is in the future, the contest has not ended for its last participant, or its
standings are not frozen.`,
    example: {
      params: { event_id: Number(cup.id) },
      body: { id: cup.id, scoreboard_thaw_time: '2026-02-01T22:30:00+01:00' },
      response: { ...cup, scoreboard_thaw_time: '2026-04-01T18:30:00.000Z' },
    },
  },
  createContestSubmission: {
    summary: 'Submit a program to a contest over the Contest API',
    description: `For everybody who may submit with \`POST /v1/submissions\`: the capability \`team_submit\`.
The rules and the rate limit are the same, and both routes count together. The zip has exactly one
file, the program, in UTF-8 (400). Its name does not matter, and \`entry_point\` and \`reaction\` are
ignored. \`team_id\` and \`account_id\` must be the caller's own (403). \`Location\` is the path of the
new submission.`,
    example: {
      body: {
        problem_id: problem.id,
        language_id: wrong.language_id,
        files: [{ data: ZIP, mime: 'application/zip' }],
      },
      response: { ...wrong, time: '2026-04-01T18:30:00.000Z', contest_time: '1953:30:00.000' },
    },
  },
  createClarification: {
    summary: 'Ask, answer or announce in a contest over the Contest API',
    description: `Users ask a question: the capability \`post_clar\`. \`from_team_id\` may be given and must be their own
team (403); recipients and times must be absent (400).

Staff answers and announces: the capability \`admin_clar\`. With \`reply_to_id\` the text answers this
question. With \`clarifications\` \`staff\`, a question that is answered already gets 409, unless the
request has \`replace=true\` or repeats the answer; elsewhere the answer is replaced. Without recipients the answer is for everybody. With the
team that asked as the only one of \`to_team_ids\` it is private, but only in contests with
\`clarifications\` \`staff\`: in others everybody sees all answers. Without \`reply_to_id\` the text is an
announcement to everybody; messages to some teams or groups are not supported (400). Staff that takes
part asks a question with \`from_team_id\`. \`time\` is not needed. It must be within an hour from now
(400), and the service stores the present time.

\`Location\` is the path of the new object.`,
    example: {
      body: { text: askedQuestion.question, problem_id: problem.id, from_team_id: team.id },
      response: {
        id: '019ba72f-17c0-7251-b6b3-6bb77e4064d5',
        from_team_id: team.id,
        problem_id: problem.id,
        text: askedQuestion.question,
        time: '2026-04-01T18:30:00.000Z',
        contest_time: '1953:30:00.000',
      },
    },
  },
  readEventFeed: {
    summary: 'Stream a contest over the Contest API: its objects, and then their changes',
    description: `Each line is one notification in JSON: \`type\`, \`id\`, \`data\` and mostly a \`token\`. With an
\`id\` it is an object as its route returns it. Without one it is a whole collection, or the \`contest\`
or \`state\`. First come all objects that the caller sees, then those that have changed. Once a line
was sent, the routes return this state or a later one, on all instances.

After a lost connection send the last token as \`since_token\`: the feed then begins with the changes
since. A line may come twice. Tokens are valid for a day (\`CHANGE_RETENTION_HOURS\`), and end with a
restart of PostgreSQL. An older or foreign one gets 400, and one from when the caller saw other types
of objects: read the feed without it.

When objects may have disappeared, for instance because staff has removed somebody, whole
collections follow. Submissions, judgements and runs then come as an empty collection, and one by
one. During the freeze the feed has no judgements of others; they follow after the
thaw, or step by step. Awards follow the judgements within seconds.

New feeds without \`since_token\` are limited (\`RATE_LIMIT_FEEDS\`) by account, or by address without
one. Staff of the contest, judges and admins have no limit.

An empty line comes at least every 15 seconds. A feed ends within 5 seconds after the credentials or
the access with which it was opened have changed, and at once when the instance stops. One account
may have 5 streams and feeds open on each instance, one address 200.`,
  },
} satisfies SomeOperations
