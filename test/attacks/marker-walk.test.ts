import { expect, it } from 'vitest'
import type { Route } from '../../src/http/routing/route.ts'
import type { TestResponse } from '../support/app.ts'
import { plantWorld } from './planted-world.ts'

const world = await plantWorld()

/** Marks by the route that shows them. */
type Sight = Readonly<Record<string, readonly string[]>>

/** Who knows the id of a run may read what it printed, each by the way it came in alone (D27). */
const SEEN_BY_NOBODY: Sight = {
  '/v1/public/input_submissions/:id': ['publicRunOut', 'publicRunErr'],
  '/v1/bench/input_submissions/:id': ['benchRunOut', 'benchRunErr'],
}

/** A user's record is everybody's who has a token, with its e-mail; so are a contest's people, teams and questions. */
const PROFILE = ['email', 'image', 'name'] as const
const SEEN_BY_USERS: Sight = {
  ...SEEN_BY_NOBODY,
  '/v1/input_submissions/:id': ['runOut', 'runErr'],
  '/v1/users/:user_id': PROFILE,
  '/v1/public/events/:event_id': PROFILE,
  '/v1/public/events/:event_id/participants': PROFILE,
  '/v1/events/:event_id/teams/:team_id': PROFILE,
  '/v1/events/:event_id/questions': [...PROFILE, 'question', 'answer', 'goneQuestion'],
}

/** What was told of the questions of others. */
const TOLD = [...PROFILE, 'question', 'answer', 'goneQuestion']

/** What no answer to a GET shows to anybody, admins and the owner included. */
const SHOWN_TO_NO_ONE = [
  ...['password', 'passwordHash', 'resetToken', 'resetTokenHash', 'providerId'],
  ...['goneName', 'goneEmail', 'goneImage'],
]

it('shows nobody without a token anything but what the public runs whose ids they know have printed', async () => {
  expect(await walk(undefined)).toEqual(sorted(SEEN_BY_NOBODY))
})

it('shows a stranger no program, output, run, hidden test, notification or secret of another', async () => {
  expect(await walk(world.contests.stranger.token)).toEqual(sorted(SEEN_BY_USERS))
})

it('shows a participant of another contest no more than a stranger', async () => {
  expect(await walk(world.elsewhere.token)).toEqual(sorted(SEEN_BY_USERS))
})

it('shows a participant of the same contest no more than a stranger, but what they were told themselves', async () => {
  const seen = { ...SEEN_BY_USERS, '/v1/user/notifications': TOLD }
  expect(await walk(world.rival.token)).toEqual(sorted(seen))
})

it('shows a member of the same team no program and no output either, only that there was a submission (D28)', async () => {
  const seen = {
    ...SEEN_BY_USERS,
    '/v1/user/notifications': TOLD,
    '/v1/events/:event_id/teams/me': PROFILE,
    '/v1/events/:event_id/submissions': PROFILE,
  }
  expect(await walk(world.mate.token)).toEqual(sorted(seen))
})

it('shows every mark to its owner, an admin or a judge, but passwords, hashes, reset tokens, provider ids and who is deleted, which it shows to no one', async () => {
  const { victim, contests, marks } = world
  const seen = new Set<string>()
  for (const token of [victim.token, contests.admin.token, contests.service.judgeToken]) {
    for (const found of Object.values(await walk(token)).flat()) seen.add(found)
  }
  expect([...marks.keys()].filter((name) => !seen.has(name)).sort()).toEqual([...SHOWN_TO_NO_ONE].sort())
})

const sorted = (sight: Sight) =>
  Object.fromEntries(Object.entries(sight).map(([url, names]) => [url, [...names].sort()]))

/** Reads every GET route with every real id and query, and goes on from the cursors of an admin; answers the marks by route. */
async function walk(token: string | undefined): Promise<Sight> {
  const seen = new Map<string, Set<string>>()
  for (const route of world.contests.service.routes.filter(({ method }) => method === 'GET')) {
    const marks = new Set<string>()
    for (const url of await urlsOf(route)) {
      const answer = await read(url, token)
      expect(answer.status, url).toBeLessThan(500)
      // An address of the next page repeats the request’s own, so that only its cursor tells anything.
      const told = [answer.text, cursorOf(answer), ...headersOf(answer)].join('\n')
      for (const [name, mark] of world.marks) if (told.includes(mark)) marks.add(name)
    }
    if (marks.size > 0) seen.set(route.url, marks)
  }
  return Object.fromEntries([...seen].map(([url, marks]) => [url, [...marks].sort()]))
}

const read = (url: string, token?: string) =>
  world.contests.service.send({ method: 'GET', url, ...(token !== undefined && { token }) })

const headersOf = ({ headers }: TestResponse) => Object.entries(headers).map((header) => header.join(': '))

/** What the cursor to the next page holds; nothing where there is none. */
function cursorOf({ headers }: TestResponse): string {
  return Buffer.from(/[?&]after=([\w-]+)/.exec(headers.link ?? '')?.[1] ?? '', 'base64url').toString()
}

/** The paths of a route with all ids that there are, each with every query that the route knows. */
async function urlsOf(route: Route): Promise<string[]> {
  const names = Object.keys(Object(JSON.parse(JSON.stringify(route.query))).properties ?? {})
  const urls: string[] = []
  for (const path of pathsOf(route.url)) {
    urls.push(path)
    for (const name of names.filter((each) => each !== 'after')) {
      urls.push(...valuesOf(name).map((value) => `${path}?${name}=${encodeURIComponent(value)}`))
    }
    if (!names.includes('after')) continue
    const { headers } = await read(`${path}?limit=1`, world.contests.admin.token)
    const [, next] = /<([^>]+)>/.exec(headers.link ?? '') ?? []
    if (next !== undefined) urls.push(next)
  }
  return urls
}

function pathsOf(url: string): string[] {
  const [, name] = /:(\w+)/.exec(url) ?? []
  if (name === undefined) return [url]
  const known = name !== 'id' ? name : url.includes('problem') ? 'problem_id' : 'run_id'
  return valuesOf(known).flatMap((value) => pathsOf(url.replace(`:${name}`, String(value))))
}

/** Every real value of a parameter; one that is new must be planted before it is walked. */
function valuesOf(name: string): readonly (string | number)[] {
  const values = world.ids[name]
  if (values === undefined) throw new Error(`nothing is planted for ${name}`)
  return values
}
