import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import type { Route } from '../../src/http/routing/route.ts'
import type { TestResponse } from '../support/caller.ts'
import { isOfContestApi } from './contest-walk.ts'
import type { PlantedWorld } from './planted-world.ts'

/** The marks that a caller sees, by route. */
export type Sight = Record<string, string[]>

/** What a walk needs: values for every name in a path or a query. */
export interface WalkedWorld {
  readonly contests: Pick<PlantedWorld['contests'], 'service' | 'admin'>
  readonly ids: PlantedWorld['ids']
}

/**
 * Lists, for every GET route, its URLs with all existing ids, queries and an admin's cursors; those
 * of the Contest API are in `listContestUrls`.
 */
export async function listUrls(world: WalkedWorld): Promise<ReadonlyMap<string, readonly string[]>> {
  const urls = new Map<string, string[]>()
  const isWalked = (route: Route) => route.method === 'GET' && !isOfContestApi(route)
  for (const route of world.contests.service.routes.filter(isWalked))
    urls.set(route.url, await urlsOf(world, route))
  return urls
}

/** Reads all URLs with a token; returns the marks in the responses. */
export async function walk(
  { contests, marks }: PlantedWorld,
  urls: ReadonlyMap<string, readonly string[]>,
  token: string | undefined,
): Promise<Sight> {
  const sight: Sight = {}
  for (const [route, ofRoute] of urls) {
    const seen = new Set<string>()
    for (const url of ofRoute) {
      const request = { method: 'GET' as const, url, ...(token !== undefined && { token }) }
      const response = await contests.service.send(request)
      expect(response.status, url).toBeLessThan(500)
      const found = `${textOf(response)}\n${await unzippedOf(response)}`
      for (const [name, mark] of marks) if (found.includes(mark)) seen.add(name)
    }
    if (seen.size > 0) sight[route] = [...seen].sort()
  }
  return sight
}

/** Returns the texts of a response. Its Link header repeats the query: only the cursor counts. */
function textOf({ text, headers: { link, ...headers } }: TestResponse): string {
  const cursor = Buffer.from(/[?&]after=([\w-]+)/.exec(link ?? '')?.[1] ?? '', 'base64url')
  return [text, cursor, ...Object.entries(headers)].join('\n')
}

async function unzippedOf({ headers, bytes }: TestResponse): Promise<string> {
  if (headers['content-type'] !== 'application/zip') return ''
  const zip = await fromBufferPromise(bytes, { lazyEntries: true })
  const texts: string[] = []
  for await (const entry of zip.eachEntry())
    texts.push(entry.fileName, await text(await zip.openReadStreamPromise(entry)))
  return texts.join('\n')
}

async function urlsOf(world: WalkedWorld, route: Route): Promise<string[]> {
  const names = Object.keys(Object(JSON.parse(JSON.stringify(route.query))).properties ?? {})
  const urls: string[] = []
  for (const path of pathsOf(world, route.url)) {
    urls.push(path)
    for (const name of names.filter((each) => each !== 'after'))
      urls.push(...valuesOf(world, name).map((value) => `${path}?${name}=${encodeURIComponent(value)}`))
    if (!names.includes('after')) continue
    const { headers } = await world.contests.admin.send('GET', `${path}?limit=1`)
    const [, next] = /<([^>]+)>/.exec(headers.link ?? '') ?? []
    if (next !== undefined) urls.push(next)
  }
  return urls
}

function pathsOf(world: WalkedWorld, url: string): string[] {
  const [, name] = /:(\w+)/.exec(url) ?? []
  if (name === undefined) return [url]
  const known = name !== 'id' ? name : url.includes('problem') ? 'problem_id' : 'run_id'
  return valuesOf(world, known).flatMap((value) => pathsOf(world, url.replace(`:${name}`, String(value))))
}

/** Throws for a new parameter: plant values for it first. */
function valuesOf({ ids }: WalkedWorld, name: string): readonly (string | number)[] {
  const values = ids[name]
  if (values === undefined) throw new Error(`nothing is planted for ${name}`)
  return values
}
