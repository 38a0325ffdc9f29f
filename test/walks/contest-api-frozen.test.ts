import { expect, it } from 'vitest'
import { isoIn, serviceWithContests } from '../support/contests.ts'
import { type OpenFeed, openFeed } from './contest-feeds.ts'
import { createFrozenWorld, createScored, teamContest } from './frozen-world.ts'

const contests = await serviceWithContests()
const { service, admin, stranger } = contests
const apps = [service.app, (await service.openBeside()).app]
const problems = [contests.problem, await createScored(contests)] as const

const world = await createFrozenWorld(contests, teamContest(problems, { end: 60, moved: 61 }))
const { eventId, url, people, verdicts } = world
const { mate, rival, removed } = people

/** The readers who see no verdict of the freeze. */
const BLIND = { stranger, mate, rival, removed, anonymous: { token: undefined } }

/** Feeds of all blind readers on both instances and of an admin; from these tokens, if given. */
async function openFeeds(tokens?: ReadonlyMap<string, string>) {
  const blind: { readonly name: string; readonly feed: OpenFeed }[] = []
  for (const [name, { token }] of Object.entries(BLIND)) {
    const sinceToken = tokens?.get(name)
    for (const app of apps) blind.push({ name, feed: await openFeed(app, eventId, { token, sinceToken }) })
  }
  const own = { token: admin.token, sinceToken: tokens?.get('seeing') }
  return { blind, seeing: await openFeed(service.app, eventId, own) }
}

let renamed = 0

/** A change that everybody sees: what comes before it in a feed was sent for an earlier change. */
async function rename(feeds: readonly OpenFeed[]): Promise<void> {
  renamed += 1
  const title = `Renamed ${renamed}`
  await admin.put(url, { title })
  for (const feed of feeds)
    await feed.until(({ type, data }) => type === 'contest' && Object(data).name === title)
}

const judgementsIn = (feed: OpenFeed) => feed.lines().filter(({ type }) => type === 'judgements')

/** The types of the lines that come while `act` changes something, and then the contest's name. */
async function typesDuring(act: (seeing: OpenFeed) => Promise<void>) {
  const { blind, seeing } = await openFeeds()
  const all = [seeing, ...blind.map(({ feed }) => feed)]
  for (const feed of all) await feed.until(({ token }) => token !== undefined)
  const before = new Map(blind.map(({ feed }) => [feed, feed.lines().length]))
  await act(seeing)
  await rename(all)
  const types = blind.map(({ name, feed }) => [
    name,
    ...feed
      .lines()
      .slice(before.get(feed))
      .map(({ type }) => type),
  ])
  await Promise.all(all.map((feed) => feed.leave()))
  return types
}

const NOTHING = Object.keys(BLIND).flatMap((name) => apps.map(() => [name, 'contest']))

it('verdicts since the freeze send no line in the feed of others, not even an unchanged one (P23, P26)', async () => {
  const types = await typesDuring(async (seeing) => {
    const [awards, judgements] = [awardsIn(seeing), judgementsIn(seeing).length]
    await world.giveVerdicts()
    await expect.poll(() => judgementsIn(seeing).length - judgements).toBeGreaterThanOrEqual(4)
    // The awards come last, after their interval.
    await expect.poll(() => awardsIn(seeing)).not.toBe(awards)
  })
  expect(types).toEqual(NOTHING)
})

const awardsIn = (feed: OpenFeed) =>
  JSON.stringify(feed.lines().findLast(({ type }) => type === 'awards')?.data)

it('a rejudging during the freeze sends no line in the feed of others (P24)', async () => {
  const ids = [...verdicts.keys()]
  const types = await typesDuring(async (seeing) => {
    for (const submission_id of ids) await admin.post('/v1/admin/rejudge', { submission_id })
    await world.giveVerdicts()
    const [last = ''] = ids.slice(-3)
    const isLast = ({ id, data }: { id: string | null; data: unknown }) =>
      id?.endsWith('-3') === true && Object(data).submission_id === last
    await expect.poll(() => judgementsIn(seeing).some(isLast)).toBe(true)
  })
  expect(types).toEqual(NOTHING)
})

it('nor in a feed that goes on from before them: it begins as one that has missed nothing', async () => {
  const tokens = new Map<string, string>()
  for (const [name, { token }] of Object.entries({ ...BLIND, seeing: admin })) {
    const first = await openFeed(service.app, eventId, { token })
    tokens.set(name, String((await first.until((line) => line.token !== undefined)).token))
    await first.leave()
  }
  const typesSince = async () => {
    const types: string[][] = []
    const { blind, seeing } = await openFeeds(tokens)
    for (const { name, feed } of blind) {
      await feed.until(({ type }) => type === 'awards')
      types.push([name, ...feed.lines().map(({ type, id, data }) => `${type} ${id} ${JSON.stringify(data)}`)])
    }
    await Promise.all([seeing, ...blind.map(({ feed }) => feed)].map((feed) => feed.leave()))
    return types
  }
  const before = await typesSince()
  await world.giveVerdicts()
  expect(await typesSince()).toEqual(before)
})

it('the thaw sends them to everybody', async () => {
  const { blind } = await openFeeds()
  await admin.post(`${url}/end`)
  await admin.put(url, { end_time: isoIn(-1) })
  await admin.post(`${url}/thaw`)
  for (const { feed } of blind) {
    for (const id of [...verdicts.keys()].slice(0, 3))
      await feed.until(({ type, data }) => type === 'judgements' && JSON.stringify(data).includes(id))
  }
})
