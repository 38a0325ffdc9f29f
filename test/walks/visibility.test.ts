import { describe, expect, it } from 'vitest'
import { OF_INSIDERS } from './plant-invited.ts'
import { plantWorld } from './planted-world.ts'
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

/** The marks that no response to a GET contains. */
const SEEN_BY_NOBODY = [
  ...['password', 'passwordHash', 'resetToken', 'resetTokenHash', 'providerId'],
  ...['scoreboardToken', 'scoreboardTokenHash'],
  ...['goneName', 'goneEmail', 'goneImage'],
]

async function expectSight(token: string | undefined, expected: Sight): Promise<void> {
  const sorted = Object.entries(expected).map(([route, names]) => [route, names.toSorted()])
  expect(await walk(world, urls, token)).toEqual(Object.fromEntries(sorted))
}

describe('GET requests with every existing id, query and cursor show', () => {
  it('only outputs of public and bench runs without a token', () => expectSight(undefined, SEEN_BY_ANYONE))

  it('to strangers no program, output, hidden test, private problem, notification or secret (D19, D33)', () =>
    expectSight(stranger.token, SEEN_BY_USERS))

  it('with a scoreboard token the names in the standings of its contest, and otherwise what anyone sees (P29)', () =>
    expectSight(marks.get('scoreboardToken'), {
      ...SEEN_BY_ANYONE,
      '/v1/scoreboard/:event_id/standings': ['name'],
    }))

  it('to participants of another contest only what strangers see', () =>
    expectSight(elsewhere.token, SEEN_BY_USERS))

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

  it('to users whom staff has removed from an invited contest only what strangers see (P21)', () =>
    expectSight(invited.removed.token, SEEN_BY_USERS))

  it('to participants of an invited contest its people, team, problem and questions, but no e-mail (P21)', async () => {
    const sight = await walk(world, urls, invited.teammate.token)
    const ofContest = Object.entries(sight).map(([route, names]) => [
      route,
      names.filter((name) => name.startsWith('invited')),
    ])
    const [name, team, question] = [['invitedName'], ['invitedTeam'], ['invitedQuestion', 'invitedAnswer']]
    const problem = ['invitedTitle', 'invitedPrompt']
    const expected: Sight = {
      '/v1/users/:user_id': name,
      '/v1/public/events/:event_id': name,
      '/v1/public/events/:event_id/participants': name,
      '/v1/events/:event_id/teams': team,
      '/v1/events/:event_id/teams/me': [...name, ...team],
      '/v1/events/:event_id/teams/:team_id': [...name, ...team],
      '/v1/events/:event_id/questions': [...name, ...question, 'invitedTitle'],
      '/v1/user/notifications': [...name, ...question, 'invitedTitle'],
      '/v1/events/:event_id/problems': problem,
      '/v1/events/:event_id/problems/:event_problem_id': problem,
      '/v1/problems/:problem_id': problem,
      '/v1/events/:event_id/submissions': [...name, 'invitedTitle'],
      '/v1/events/:event_id/standings': [...name, ...team],
      '/v1/events/:event_id/standings.csv': [...name, ...team],
    }
    const sorted = Object.entries(expected).map(([route, names]) => [route, names.toSorted()])
    expect(Object.fromEntries(ofContest.filter(([, names]) => names?.length))).toEqual(
      Object.fromEntries(sorted),
    )
    expect(Object.values(expected).flat()).toEqual(expect.arrayContaining(OF_INSIDERS))
  })

  it('to owners no worker, no message for judges and no transcript; to judges and admins in judgings', async () => {
    const ofStaff = [...marks.keys()].filter((name) =>
      /(Worker|JudgeMessage|CaseMessage|Transcript)$/.test(name),
    )
    expect(ofStaff).toHaveLength(2 * 2 * 4)
    const seenBy = async (token: string) =>
      Object.entries(await walk(world, urls, token)).filter(([, names]) =>
        names.some((name) => ofStaff.includes(name)),
      )
    expect(await seenBy(victim.token)).toEqual([])
    for (const token of [admin.token, service.judgeToken]) {
      const [[route, names = []] = [], ...others] = await seenBy(token)
      expect([route, others]).toEqual(['/v1/submissions/:submission_id/judgings', []])
      expect(names).toEqual(expect.arrayContaining(ofStaff))
    }
  })

  it('to owners, admins and judges together everything, except secrets and the names of deleted users', async () => {
    const seenWith = async (token: string) => Object.values(await walk(world, urls, token)).flat()
    const byAdmin = await seenWith(admin.token)
    const names = [...marks.keys()]
    const ofProblems = names.filter((name) => /^(private|hidden|unbegun|open)[A-Z]/.test(name))
    expect(byAdmin).toEqual(expect.arrayContaining(ofProblems))
    const seen = [...byAdmin, ...(await seenWith(victim.token)), ...(await seenWith(service.judgeToken))]
    expect(names.filter((name) => !seen.includes(name)).sort()).toEqual(SEEN_BY_NOBODY.toSorted())
  })
})
