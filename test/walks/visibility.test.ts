import { describe, expect, it } from 'vitest'
import { OF_INSIDERS, plantWorld } from './planted-world.ts'
import { listUrls, type Sight, walk } from './walk.ts'

const world = await plantWorld()
const { contests, marks, victim, mate, rival, elsewhere, invited } = world
const { service, admin, stranger } = contests
const urls = await listUrls(world)

/** Anyone with the id of a run sees its output, through its own channel only (D27). */
const SEEN_BY_ANYONE: Sight = {
  '/v1/public/input_submissions/:id': ['publicRunOut', 'publicRunErr'],
  '/v1/bench/input_submissions/:id': ['benchRunOut', 'benchRunErr'],
}

const PROFILE = ['email', 'image', 'name']
const QUESTIONS = [...PROFILE, 'question', 'answer', 'goneQuestion']

/** Users see profiles, and people, teams, questions and problem titles of contests (D33). */
const SEEN_BY_USERS: Sight = {
  ...SEEN_BY_ANYONE,
  '/v1/input_submissions/:id': ['runOut', 'runErr'],
  '/v1/users/:user_id': [...PROFILE, 'invitedName'],
  '/v1/public/events/:event_id': PROFILE,
  '/v1/public/events/:event_id/participants': PROFILE,
  '/v1/events/:event_id/problems': ['openTitle', 'unbegunTitle'],
  '/v1/events/:event_id/teams/:team_id': PROFILE,
  '/v1/events/:event_id/questions': QUESTIONS,
  '/v1/events/:event_id/standings': ['name'],
  '/v1/events/:event_id/standings.csv': ['name'],
}

const OPEN_SUMMARY = ['openTitle', 'openIdentifier']
const OPEN_TEXT = [...OPEN_SUMMARY, 'openPrompt', 'openSource']
const OPEN_PROBLEM = [...OPEN_TEXT, 'openInput', 'openOutput']

/** Participants also see the shown problem of their contest, without hidden tests (D19). */
const SEEN_BY_PARTICIPANTS: Sight = {
  ...SEEN_BY_USERS,
  '/v1/problems/:problem_id': OPEN_PROBLEM,
  '/v1/events/:event_id/problems': [...OPEN_TEXT, 'unbegunTitle'],
  '/v1/events/:event_id/problems/:event_problem_id': OPEN_PROBLEM,
  '/v1/problems/:problem_id/files': ['openFileName'],
  '/v1/problems/:problem_id/files/:name': ['openFileName', 'openFile'],
  '/v1/events/:event_id/questions': [...QUESTIONS, ...OPEN_SUMMARY],
  '/v1/user/notifications': [...QUESTIONS, ...OPEN_SUMMARY],
}

/** Participants of the invited contest see its people, team, problem and questions (P21). */
const INVITED_PEOPLE = ['invitedName', 'invitedTeam']
const INVITED_QUESTIONS = ['invitedName', 'invitedQuestion', 'invitedAnswer', 'invitedTitle']
const INVITED_PROBLEM = ['invitedTitle', 'invitedPrompt']
const SEEN_BY_INSIDERS: Sight = {
  '/v1/users/:user_id': ['invitedName'],
  '/v1/public/events/:event_id': ['invitedName'],
  '/v1/public/events/:event_id/participants': ['invitedName'],
  '/v1/events/:event_id/teams': ['invitedTeam'],
  '/v1/events/:event_id/teams/me': INVITED_PEOPLE,
  '/v1/events/:event_id/teams/:team_id': INVITED_PEOPLE,
  '/v1/events/:event_id/questions': INVITED_QUESTIONS,
  '/v1/user/notifications': INVITED_QUESTIONS,
  '/v1/events/:event_id/problems': INVITED_PROBLEM,
  '/v1/events/:event_id/problems/:event_problem_id': INVITED_PROBLEM,
  '/v1/problems/:problem_id': INVITED_PROBLEM,
  '/v1/events/:event_id/submissions': ['invitedName', 'invitedTitle'],
  '/v1/events/:event_id/standings': INVITED_PEOPLE,
  '/v1/events/:event_id/standings.csv': INVITED_PEOPLE,
}

/** The marks that no response to a GET contains. */
const SEEN_BY_NOBODY = [
  ...['password', 'passwordHash', 'resetTokenHash', 'providerId'],
  ...['scoreboardToken', 'scoreboardTokenHash', 'nameAtEnd', 'goneName', 'goneEmail', 'goneImage'],
]

const sorted = (sight: Sight) =>
  Object.fromEntries(Object.entries(sight).map(([route, names]) => [route, names.toSorted()]))

async function expectSight(token: string | undefined, expected: Sight): Promise<void> {
  expect(await walk(world, urls, token)).toEqual(sorted(expected))
}

describe('GET requests with every existing id, query and cursor show', () => {
  it('only outputs of public and bench runs without a token', () => expectSight(undefined, SEEN_BY_ANYONE))

  it('to strangers, participants of other contests and removed people no program, output, hidden test, private problem, notification or secret (D19, D33, P21)', async () => {
    for (const { token } of [stranger, elsewhere, invited.removed]) await expectSight(token, SEEN_BY_USERS)
  })

  it('with a scoreboard token the names in the standings of its contest, and otherwise what anyone sees (P29)', () =>
    expectSight(marks.get('scoreboardToken'), {
      ...SEEN_BY_ANYONE,
      '/v1/scoreboard/:event_id/standings': ['name'],
    }))

  it('to participants the problems of the contest, without hidden problems and before its start only titles', () =>
    expectSight(rival.token, {
      ...SEEN_BY_PARTICIPANTS,
      '/v1/submissions/:submission_id': OPEN_SUMMARY,
      '/v1/user_submissions/:user_id': OPEN_SUMMARY,
      '/v1/user_problem_submissions/:user_id/:problem_id': OPEN_SUMMARY,
      '/v1/events/:event_id/submissions': OPEN_SUMMARY,
    }))

  it('to members of a team that a mate has submitted, but no program and no output (D28)', () =>
    expectSight(mate.token, {
      ...SEEN_BY_PARTICIPANTS,
      '/v1/events/:event_id/teams/me': PROFILE,
      '/v1/events/:event_id/submissions': PROFILE,
    }))

  it('to participants of an invited contest its people, team, problem and questions, but no e-mail (P21)', async () => {
    const sight = await walk(world, urls, invited.teammate.token)
    const ofContest = Object.entries(sight)
      .map(([route, names]) => [route, names.filter((name) => name.startsWith('invited'))] as const)
      .filter(([, names]) => names.length > 0)
    expect(Object.fromEntries(ofContest)).toEqual(sorted(SEEN_BY_INSIDERS))
    expect(Object.values(SEEN_BY_INSIDERS).flat()).toEqual(expect.arrayContaining(OF_INSIDERS))
  })

  it('to owners, admins and judges together everything but secrets and names of deleted users; workers, transcripts and messages for judges only to admins and judges, in judgings', async () => {
    const sights = {
      owner: await walk(world, urls, victim.token),
      admin: await walk(world, urls, admin.token),
      judge: await walk(world, urls, service.judgeToken),
    }
    const names = [...marks.keys()]
    const forStaff = names.filter((name) => /(Worker|JudgeMessage|CaseMessage|Transcript)$/.test(name))
    expect(forStaff).toHaveLength(2 * 2 * 4)
    const routesWith = (sight: Sight) =>
      Object.keys(sight).filter((route) => sight[route]?.some((name) => forStaff.includes(name)))
    expect(routesWith(sights.owner)).toEqual([])
    const judgings = '/v1/submissions/:submission_id/judgings'
    for (const sight of [sights.admin, sights.judge]) {
      expect(routesWith(sight)).toEqual([judgings])
      expect(sight[judgings]).toEqual(expect.arrayContaining(forStaff))
    }
    const ofProblems = names.filter((name) => /^(private|hidden|unbegun|open)[A-Z]/.test(name))
    expect(Object.values(sights.admin).flat()).toEqual(expect.arrayContaining(ofProblems))
    const seen = new Set(Object.values(sights).flatMap((sight) => Object.values(sight).flat()))
    expect(names.filter((name) => !seen.has(name)).sort()).toEqual(SEEN_BY_NOBODY.toSorted())
  })
})
