import type { contestApiRoutes } from '../../features/live/contest-api/routes.ts'
import { access } from '../examples/example-contest-access.ts'
import * as examples from '../examples/example-contest-api.ts'
import { sumOfTwo } from '../examples/example-world.ts'
import { practiceLeague, winterCup } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'
import { diagram } from './problem-packages.ts'

const event_id = practiceLeague.id
const problem_id = sumOfTwo.id

/** The text of a collection, with what decides who sees its objects. */
const listOf = (objects: string, description: string, response: readonly object[]) => ({
  summary: `List the ${objects} of a contest over the Contest API`,
  description,
  example: { params: { event_id }, response },
})

const oneOf = (object: string, response: { readonly id: string }) => ({
  summary: `Read one ${object} of a contest over the Contest API`,
  description: `The same object as in the collection. Objects that the caller does not see get 404.`,
  example: { params: { event_id, id: response.id }, response },
})

const BASE = `The base of the Contest API, version 2026-01. Tools of the field read contests here: scoreboards,
resolvers, balloon printers. They send a token as everywhere in this API, or HTTP Basic with e-mail
and password. Without either they read contests whose \`scoreboard\` is \`public\`.`

export const contestApiOperations: Operations<ReturnType<typeof contestApiRoutes>[number]> = {
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
    example: { params: { event_id }, response: access },
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
    `Before the start only staff and judges see problems, and only they see hidden ones. Callers who
may not read a problem get its label as its name, and neither limits nor files. \`package\` is for
admins: it has the secret tests.`,
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
    example: { params: { event_id }, response: examples.ullasAccount },
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
    example: { params: { event_id, submission_id: examples.wrong.id } },
  },
  listContestJudgements: {
    ...listOf(
      'judgements',
      `Completed judgings, also those that later ones replaced (\`current\` is false). During a freeze
the judgements of later submissions are withheld from everybody but staff, judges and the author.`,
      [],
    ),
    example: {
      params: { event_id },
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
in the rest of the API; callers without a credential see none.`,
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
    example: { params: { event_id }, response: examples.scoreboard },
  },
  readContestProblemFile: {
    summary: 'Read a file of a contest’s problem',
    description: `A statement, a picture of it or an attachment, for callers who may read the problem. Without a
credential the response may be cached by everybody.`,
    example: { params: { event_id, problem_id, name: diagram.name } },
  },
  readContestPackage: {
    summary: 'Export a contest’s problem as a package',
    description: 'Only for admins: the package has the secret tests. Others get 404.',
    example: { params: { event_id, problem_id } },
  },
}
