import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { running, scheduled } from '../support/contests.ts'
import { readWholeFeed } from './contest-feeds.ts'
import { listContestUrls } from './contest-walk.ts'
import { plantWorld } from './planted-world.ts'
import { type Sight, walk } from './walk.ts'

const world = await plantWorld()
const { contests, victim, mate, rival, elsewhere, invited, ids } = world
const { service, admin, stranger } = contests
const eventIds = (ids.event_id ?? []).map(Number)
const [arena = 0, , unbegun = 0] = eventIds
const staff = await service.createPerson()
for (const eventId of [arena, unbegun]) await admin.put(`/v1/events/${eventId}`, { staff: [staff.id] })
const hook = { webhookUrl: randomUUID(), webhookToken: randomUUID() }
const marks = new Map([...world.marks, ...Object.entries(hook)])
await staff.post('/v1/clics/webhooks', {
  url: `https://example.org/${hook.webhookUrl}`,
  token: hook.webhookToken,
  contest_ids: [String(arena)],
})
const urls = await listContestUrls({
  ...{ service, eventIds },
  // Together they see every object.
  tokens: [admin.token, staff.token, victim.token, service.judgeToken],
  names: (ids.name ?? []).map(String),
})

/** The marks by the last part of a route's path, and those in the feeds of all contests. */
async function sightOf(token: string | undefined): Promise<Sight> {
  const routes = Object.entries(await walk({ ...world, marks }, urls, token)).map(([url, names]) => [
    url.replace(/^\/v1\/clics\/(contests\/:event_id\/)?/, ''),
    names,
  ])
  const feeds = await Promise.all(eventIds.map((eventId) => readWholeFeed(service.app, eventId, token)))
  const seen = [...marks].filter(([, mark]) => feeds.some((text) => text.includes(mark)))
  return { ...Object.fromEntries(routes), feed: seen.map(([name]) => name).sort() }
}

/** Each object is in its collection, at its own address and in the feed. */
function expectedOf(objects: Sight, others: Sight = {}): Sight {
  const both = Object.entries(objects).flatMap(([type, names]) => [
    [type, names.toSorted()],
    [`${type}/:id`, names.toSorted()],
  ])
  const feed = [...new Set(Object.values(objects).flat())].sort()
  return { ...Object.fromEntries(both), ...others, feed }
}

const QUESTIONS = ['question', 'answer', 'goneQuestion']
/** What every user sees: names of people, and questions of open contests (P20). */
const OF_USERS = { persons: ['name'], clarifications: QUESTIONS }
const OPEN_PROBLEM = ['openTitle', 'openFileName']
const OPEN_FILE = { 'problems/:problem_id/files/:name': ['openFile', 'openFileName'] }
const FILES = 'submissions/:submission_id/files'
const PEOPLE = { persons: ['invitedName', 'name'], teams: ['invitedTeam'] }
const INVITED_QUESTIONS = [...QUESTIONS, 'invitedQuestion', 'invitedAnswer']

describe('every GET of the Contest API, with every id and filter, and every feed shows (P26)', () => {
  it('nothing without a token in contests without a public scoreboard', async () => {
    expect(await sightOf(undefined)).toEqual({ feed: [] })
  })

  it('to strangers, and to people of other contests, names and questions of open contests, no e-mail', async () => {
    for (const { token } of [stranger, elsewhere, invited.removed])
      expect(await sightOf(token)).toEqual(expectedOf(OF_USERS))
  })

  it('to participants the problems of their contest, without hidden ones and those before the start', async () => {
    const objects = { ...OF_USERS, problems: OPEN_PROBLEM }
    for (const { token } of [rival, mate])
      expect(await sightOf(token)).toEqual(expectedOf(objects, OPEN_FILE))
  })

  it('to the author also the own program, e-mail and account', async () => {
    const own = ['email', 'name']
    const objects = { ...OF_USERS, persons: own, accounts: own, problems: OPEN_PROBLEM }
    const others = { ...OPEN_FILE, account: own, [FILES]: ['contestSource'] }
    expect(await sightOf(victim.token)).toEqual(expectedOf(objects, others))
  })

  it('to participants of an invited contest its people, team, problem and questions, but no e-mail (P21)', async () => {
    const objects = { ...PEOPLE, problems: ['invitedTitle'], clarifications: INVITED_QUESTIONS }
    expect(await sightOf(invited.teammate.token)).toEqual(expectedOf(objects))
  })

  it('to staff the e-mails and programs of the own contests, the own webhooks, and no package, no hidden problem and none before the start (D33)', async () => {
    const people = ['email', 'name']
    const objects = { ...OF_USERS, persons: people, accounts: people, problems: OPEN_PROBLEM }
    const others = { ...OPEN_FILE, [FILES]: ['contestSource', 'goneSource'] }
    const webhooks = { webhooks: ['webhookUrl'], 'webhooks/:webhook_id': ['webhookUrl'] }
    expect(await sightOf(staff.token)).toEqual(expectedOf(objects, { ...others, ...webhooks }))
  })

  it('to judges all problems and programs, but no e-mail, no test and no package', async () => {
    const shown = ['open', 'hidden', 'unbegun']
    const problems = ['invitedTitle', ...shown.flatMap((name) => [`${name}Title`, `${name}FileName`])]
    const files = shown.flatMap((name) => [`${name}File`, `${name}FileName`]).sort()
    const objects = { ...PEOPLE, problems, clarifications: INVITED_QUESTIONS }
    const others = { 'problems/:problem_id/files/:name': files, [FILES]: ['contestSource', 'goneSource'] }
    expect(await sightOf(service.judgeToken)).toEqual(expectedOf(objects, others))
  })

  it('to admins no secret, no output, and no problem that is in no contest; tests only in packages', async () => {
    const { 'problems/:problem_id/package': inPackages = [], ...others } = await sightOf(admin.token)
    const seen = [...inPackages, ...Object.values(others).flat()]
    const isWithheld = /^(password|resetTokenHash|providerId|goneName|goneEmail|goneImage|private|webhook)/
    const isOutput = /(Out|Err|TeamMessage|Transcript|CaseMessage|JudgeMessage|Worker)$/
    expect(seen.filter((name) => isWithheld.test(name) || isOutput.test(name))).toEqual([])
    expect(
      Object.values(others)
        .flat()
        .filter((name) => /(Input|Output|Validator\w*|Program)$/.test(name)),
    ).toEqual([])
    expect(others.accounts).toEqual(['email', 'invitedEmail', 'invitedName', 'name'])
  })
})

/** Whether both interfaces show a problem of a contest, and its text, to a caller. */
async function compareProblem(token: string, eventId: number, eventProblemId: number, problemId: number) {
  const caller = service.as(token)
  const own: { problem_id: number }[] = await caller.get(`/v1/events/${eventId}/problems`)
  const { status } = await caller.send('GET', `/v1/events/${eventId}/problems/${eventProblemId}`)
  const { status: shown, body } = await caller.send(
    'GET',
    `/v1/clics/contests/${eventId}/problems/${problemId}`,
  )
  return {
    own: { isListed: own.some(({ problem_id }) => problem_id === problemId), isReadable: status === 200 },
    contestApi: { isListed: shown === 200, isReadable: 'time_limit' in body },
  }
}

it('shows a hidden problem, and the text of one before the start, to those to whom our own routes show it (D33)', async () => {
  const owner = await service.createPerson()
  const [, , hidden = 0, unbegunProblem = 0] = (ids.problem_id ?? []).map(Number)
  for (const [times, problem, isHidden] of [
    [running(), hidden, true],
    [scheduled(), hidden, true],
    [scheduled(), unbegunProblem, false],
  ] as const) {
    const problems = [{ problem_id: problem, hidden: isHidden }]
    const eventId = await contests.createEvent({ ...times, user_id: owner.id, staff: [staff.id], problems })
    const [eventProblemId = 0] = (await contests.eventProblemIds(eventId)).values()
    await contests.register(victim, eventId)
    for (const { token } of [admin, owner, { token: service.judgeToken }]) {
      const { own, contestApi } = await compareProblem(token, eventId, eventProblemId, problem)
      expect(own).toEqual({ isListed: true, isReadable: true })
      expect(contestApi).toEqual(own)
    }
    for (const { token } of [staff, victim, stranger]) {
      const { own, contestApi } = await compareProblem(token, eventId, eventProblemId, problem)
      expect(own).toEqual({ isListed: !isHidden, isReadable: false })
      // Before the start our own list names problems to everybody, this one to staff.
      expect(contestApi).toEqual({ ...own, isListed: !isHidden && token === staff.token })
    }
  }
})

it('a public scoreboard shows names of people and teams without a token, also to outsiders, and nothing else (P22)', async () => {
  for (const eventId of eventIds) await admin.put(`/v1/events/${eventId}`, { scoreboard: 'public' })
  expect(await sightOf(undefined)).toEqual(expectedOf(PEOPLE))
  expect(await sightOf(invited.removed.token)).toEqual(expectedOf({ ...OF_USERS, ...PEOPLE }))
})
