import { expect } from 'vitest'
import type { Person, TestApp, TestResponse } from '../support/app.ts'
import { createContest, register, trySubmit } from '../support/contests.ts'
import { type ProblemService, serviceWithProblem } from '../support/judging.ts'
import { createCategory } from '../support/problems.ts'

/** A service with something in every list that is polled, and those who poll them. */
export interface PolledWorld {
  readonly judging: ProblemService
  /** Another instance, which keeps nothing: what it answers is built from the database at that moment. */
  readonly beside: Pick<TestApp, 'send'>
  /** Begun an hour ago, with a public, two private problems, the user's and an admin's, and a hidden one; the participant has tried the first. */
  readonly eventId: number
  readonly privateId: number
  readonly category: { readonly id: string; readonly name: string }
  readonly participant: Person
  readonly callers: readonly Caller[]
}

export interface Caller {
  readonly name: string
  readonly token: string
  readonly isAdmin: boolean
}

/** What a list was to a caller: its tag and all that a client would keep, and what that would be if it were built anew. */
export interface Polled {
  readonly caller: Caller
  readonly url: string
  readonly tag: string
  readonly content: string
  readonly builtAnew: string
}

/** Opens a world. */
export async function openPolledWorld(): Promise<PolledWorld> {
  const judging = await serviceWithProblem()
  const { service, admin, user, stranger, problem } = judging
  const category = await createCategory(service, admin, 'Polled')
  const { id: privateId } = await judging.createProblem({ public: false, user_id: user.id })
  const { id: foreignId } = await judging.createProblem({ public: false })
  const { id: hiddenId } = await judging.createProblem({ public: false, category_ids: [category.id] })
  const participant = await service.createPerson()
  const eventId = await createContest(
    judging,
    [
      { problem_id: problem.id },
      { problem_id: privateId },
      { problem_id: foreignId },
      { problem_id: hiddenId, hidden: true },
    ],
    { teams: true },
  )
  await register(judging, eventId, participant)
  expect(await trySubmit(judging, participant, { event_id: eventId })).toMatchObject({ status: 201 })
  const people = { user, stranger, participant, admin }
  const callers = Object.entries(people).map(([name, { token }]) => ({
    name,
    token,
    isAdmin: name === 'admin',
  }))
  const judge = { name: 'judge', token: service.judgeToken, isAdmin: false }
  return {
    judging,
    beside: await service.openBeside(),
    eventId,
    privateId,
    category,
    participant,
    callers: [...callers, judge],
  }
}

/** The lists that are polled, as a caller may ask for them, whole and by page. */
export function urlsFor({ eventId }: PolledWorld, { isAdmin }: Caller): string[] {
  const event = `/v1/events/${eventId}`
  return [
    ...['/v1/problems', '/v1/problems?limit=2', '/v1/problems?limit=3'],
    ...['/v1/categories', '/v1/languages', '/v1/languages?limit=1'],
    ...['/v1/public/events', '/v1/public/events?limit=1'],
    ...(isAdmin ? ['/v1/events'] : []),
    ...[`${event}/problems`, `${event}/problems?limit=1`],
    ...[`${event}/attempts`, `${event}/attempts?limit=1`, `${event}/problems_stats`],
  ]
}

/** Asks for a list, with the tags that the caller has of it. */
export function ask(
  { judging }: PolledWorld,
  { token }: { readonly token: string },
  url: string,
  ifNoneMatch?: string,
): Promise<TestResponse> {
  const headers = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }
  return judging.service.send({ method: 'GET', url, token, headers })
}

/** Reads every list as every caller; leaves those out that are not there for them. */
export async function pollAll(world: PolledWorld): Promise<Polled[]> {
  const asked = world.callers.flatMap((caller) => urlsFor(world, caller).map((url) => ({ caller, url })))
  const polled: Polled[] = []
  for (const { caller, url } of asked) {
    const answer = await ask(world, caller, url)
    if (answer.status === 404) continue
    expect(answer.status, answer.text).toBe(200)
    const beside = await world.beside.send({ method: 'GET', url, token: caller.token })
    const contentOf = (answer: TestResponse) => `${answer.headers.link ?? ''}\n${answer.text}`
    expect(beside.headers.etag).toBe(answer.headers.etag)
    polled.push({
      caller,
      url,
      tag: answer.headers.etag ?? '',
      content: contentOf(answer),
      builtAnew: contentOf(beside),
    })
  }
  return polled
}

/** Remembers what every tag has stood for, and says which stand for something else by now: those lists would be stale. */
export function createMemory() {
  const contents = new Map<string, string>()
  return {
    findStale(polled: readonly Polled[]): string[] {
      const stale: string[] = []
      for (const { caller, url, tag, content, builtAnew } of polled) {
        const before = contents.get(tag) ?? builtAnew
        contents.set(tag, builtAnew)
        for (const shown of new Set([before, content])) {
          if (shown !== builtAnew) stale.push(`${caller.name} ${url}: ${shown} is now ${builtAnew}`)
        }
      }
      return stale
    },
  }
}
