import type { Route } from '../../src/http/routing/route.ts'
import type { TestApp } from '../support/app.ts'
import { callerOf } from '../support/caller.ts'

/** Routes of the Contest API: their values are found by reading, not planted. */
export const isOfContestApi = ({ url }: Pick<Route, 'url'>) => /^\/v1\/clics(?=\/|$)/.test(url)

/** Whose contests are read; their readers together see every object. */
interface ContestWorld {
  readonly service: TestApp
  readonly eventIds: readonly number[]
  readonly tokens: readonly (string | undefined)[]
  /** Names of files. */
  readonly names: readonly string[]
  /** How many values each parameter has at most. By default a path has all, and a filter five. */
  readonly most?: number
}

type Properties = Readonly<Record<string, unknown>>

/** The objects that at least one reader sees, by type; those of all contests together. */
type Known = ReadonlyMap<string, readonly Properties[]>

/** Types whose objects tell nothing of a contest: two of them are enough. */
const ALIKE = ['languages', 'judgement-types']

/**
 * Lists, for every GET route of the Contest API but the feed, its URLs: every object that some
 * reader sees, in every contest, and every filter with values of these objects.
 */
export async function listContestUrls(world: ContestWorld): Promise<ReadonlyMap<string, readonly string[]>> {
  const routes = world.service.routes.filter(
    (route) => route.method === 'GET' && isOfContestApi(route) && route.name !== 'readEventFeed',
  )
  const known = await readKnown(world, routes)
  return new Map(
    routes.map((route) => {
      const paths = pathsOf(world, known, route.url)
      return [route.url, paths.flatMap((path) => [path, ...queriesOf(world, known, route, path)])]
    }),
  )
}

async function readKnown(
  { service, eventIds, tokens }: ContestWorld,
  routes: readonly Route[],
): Promise<Known> {
  const known = new Map<string, Properties[]>()
  const lists = routes.filter(({ url }) => !/:(?!event_id)/.test(url))
  for (const { url } of lists) {
    const objects: Properties[] = []
    for (const token of tokens) {
      for (const eventId of eventIds) {
        const { status, body } = await callerOf(service, token).send('GET', withEvent(url, eventId))
        if (status === 200) objects.push(...(Array.isArray(body) ? body : []))
        if (!url.includes(':')) break
      }
    }
    known.set(typeOf(url), objects)
  }
  return known
}

const withEvent = (url: string, eventId: number) => url.replace(':event_id', String(eventId))

/** The last fixed segment. */
const typeOf = (url: string) => /([^/:]+)(\/:\w+)*$/.exec(url)?.[1] ?? ''

const OTHER_TYPES: Readonly<Record<string, string>> = { problem_id: 'problems', submission_id: 'submissions' }

function pathsOf(world: ContestWorld, known: Known, url: string): string[] {
  const [whole, name = ''] = /:(\w+)/.exec(url) ?? []
  if (whole === undefined) return [url]
  const type = OTHER_TYPES[name] ?? typeOf(url.slice(0, url.indexOf(whole)).replace(/\/$/, ''))
  const { most = ALIKE.includes(type) ? 2 : undefined } = world
  const values =
    name === 'event_id' ? world.eventIds : name === 'name' ? world.names : valuesOf(known, type, 'id')
  return values.slice(0, most).flatMap((value) => pathsOf(world, known, url.replace(whole, String(value))))
}

function queriesOf({ most = 5 }: ContestWorld, known: Known, { url, query }: Route, path: string) {
  const names = Object.keys(Object(JSON.parse(JSON.stringify(query))).properties ?? {})
  return names.flatMap((name) => {
    const ids = name.endsWith('_id') ? valuesOf(known, `${name.slice(0, -'_id'.length)}s`, 'id') : []
    const values = [...new Set([...valuesOf(known, typeOf(url), name), ...ids.map(String)])]
    return values.slice(-most).map((value) => `${path}?${name}=${encodeURIComponent(value)}`)
  })
}

function valuesOf(known: Known, type: string, property: string): string[] {
  const values = (known.get(type.replace('judgement_types', 'judgement-types')) ?? []).map(
    (object) => object[property],
  )
  return [...new Set(values.filter((value) => value !== undefined && typeof value !== 'object').map(String))]
}
