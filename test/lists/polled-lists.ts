import { expect } from 'vitest'
import { isList, type Route } from '../../src/http/routing/route.ts'
import type { TestResponse } from '../support/app.ts'
import type { Caller } from '../support/caller.ts'
import { createContest } from '../support/contests.ts'
import { serviceWithProblem, submissionBody } from '../support/judging.ts'
import { listUrls } from './list-urls.ts'

/**
 * A service with items in every polled list, and the people who poll them. The running contest has
 * a public problem, private ones of the user and of an admin, and a hidden one. The participant has
 * submitted to the first. `beside` is another instance without a list cache: it builds each list
 * from the database.
 */
export async function openPolledWorld() {
  const judging = await serviceWithProblem()
  const { service, admin, user, stranger, problem, language } = judging
  const category: { readonly id: string; readonly name: string } = await admin.post('/v1/categories', {
    name: 'Polled',
  })
  const { id: privateId } = await judging.createProblem({ public: false, user_id: user.id })
  const { id: foreignId } = await judging.createProblem({ public: false })
  const { id: hiddenId } = await judging.createProblem({ public: false, category_ids: [category.id] })
  const participant = await service.createPerson()
  const shown = [problem.id, privateId, foreignId].map((problem_id) => ({ problem_id }))
  const problems = [...shown, { problem_id: hiddenId, hidden: true }]
  const eventId = await createContest(judging, problems, { teams: true })
  await participant.post(`/v1/public/events/${eventId}/register`)
  const submission = { ...submissionBody(participant, problem, language), event_id: eventId }
  await participant.post('/v1/submissions', submission)
  const polled = service.routes.filter(({ hasEntityTag }) => hasEntityTag)
  const { token }: { token: string } = await admin.post(`/v1/events/${eventId}/scoreboard_tokens`, {}, 201)
  const standings = polled.filter(({ url }) => /standings/.test(url))
  const lists = [
    ...listUrls(polled, { event_id: eventId }),
    ...standings.flatMap((route) =>
      ['', '?by=team'].map((query) => {
        const url = `${route.url.replace(':event_id', String(eventId))}${query}`
        return { name: route.url, url, route }
      }),
    ),
  ]
  return {
    ...{ judging, beside: await service.openBeside(), eventId, privateId, category, participant, lists },
    scoreboard: { ...service.as(token), token },
    readers: { admin, user, participant, stranger, judge: { ...service.judge, token: service.judgeToken } },
  }
}

export type PolledWorld = Awaited<ReturnType<typeof openPolledWorld>>
type Poller = Caller & { readonly token: string }

/** Returns who polls which URLs. To save time, `few` has three people and no pages. */
function listRequests({ readers, scoreboard, lists }: PolledWorld, audiences: 'all' | 'few') {
  const { admin, user, participant } = readers
  const people: Record<string, Poller> = audiences === 'all' ? readers : { admin, user, participant }
  const ofScoreboard = lists.filter(({ route }) => route.policy === 'scoreboard token')
  const others = lists.filter((list) => !ofScoreboard.includes(list))
  const ofPeople = Object.entries(people).flatMap(([name, by]) => {
    const open = others.filter(({ route }) => !isForStaff(route) || name === 'admin')
    const hasPages = audiences === 'all' && name === 'participant'
    const pages = open.filter(({ route }) => hasPages && isList(route)).map(({ url }) => `${url}?limit=1`)
    return [...open.map(({ url }) => url), ...pages].map((url) => ({ name, by, url }))
  })
  return [...ofPeople, ...ofScoreboard.map(({ url }) => ({ name: 'scoreboard', by: scoreboard, url }))]
}

const isForStaff = ({ policy, name }: Route) => policy === 'admin' || name === 'listScoreboardTokens'

/** A list as a client keeps it. */
interface Kept {
  readonly tag: string
  readonly content: string
}

const contentOf = ({ headers, text }: TestResponse) => `${headers.link ?? ''}\n${text}`

/**
 * Returns a function that reads every list as every poller, as clients do that keep each response.
 * It returns the entity tags, and a line for each list that was stale: what the client has then
 * differs from the database, or its tag stood for another content before.
 */
export function createPolling(world: PolledWorld, audiences: 'all' | 'few' = 'all') {
  const kept = new Map<string, Kept>()
  const stoodFor = new Map<string, string>()
  const requests = listRequests(world, audiences)
  return async () => {
    const stale: string[] = []
    const tags = new Set<string>()
    for (const { name, by, url } of requests) {
      const now = await poll(by, url, kept.get(`${name} ${url}`))
      if (now === undefined) {
        kept.delete(`${name} ${url}`)
        continue
      }
      const built = await world.beside.send({ method: 'GET', url, token: by.token })
      expect(built.headers.etag).toBe(now.tag)
      const content = contentOf(built)
      for (const shown of new Set([now.content, stoodFor.get(now.tag) ?? content]))
        if (shown !== content) stale.push(`${name} ${url}: ${shown} is now ${content}`)
      kept.set(`${name} ${url}`, now)
      stoodFor.set(now.tag, content)
      tags.add(now.tag)
    }
    return { stale, tags }
  }
}

/** Reads a list with the entity tag that the client has; undefined if the list does not exist. */
async function poll(by: Caller, url: string, before: Kept | undefined): Promise<Kept | undefined> {
  const response = await by.send('GET', url, undefined, before && { 'if-none-match': before.tag })
  if (response.status === 404) return undefined
  const tag = response.headers.etag ?? ''
  if (before !== undefined && response.status === 304) {
    expect(tag).toBe(before.tag)
    return before
  }
  expect(response.status, response.text).toBe(200)
  expect(tag).not.toBe(before?.tag)
  return { tag, content: contentOf(response) }
}

/** Expects these records for every reader as an instance gives them that keeps no texts. */
export async function expectPresentTexts({ readers, beside }: PolledWorld, urls: string[], after: string) {
  for (const url of urls) {
    for (const [name, reader] of Object.entries(readers)) {
      const { status, text } = await reader.send('GET', url)
      const built = await beside.send({ method: 'GET', url, token: reader.token })
      // The id of the request differs.
      const expected = built.status === 200 ? built.text : text
      expect([status, text], `${name} ${url} after ${after}`).toEqual([built.status, expected])
    }
  }
}
