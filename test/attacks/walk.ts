import { expect } from 'vitest'
import type { Route } from '../../src/http/routing/route.ts'
import type { TestApp, TestResponse } from '../support/app.ts'

/** A service in which texts were planted, and every real value of the parameters of its routes. */
export interface WalkedWorld {
  readonly service: TestApp
  readonly adminToken: string
  /** The planted texts by name. */
  readonly marks: ReadonlyMap<string, string>
  readonly ids: Readonly<Record<string, readonly (string | number)[]>>
}

/** Reads every GET route with every real id, query and an admin's cursors; returns the marks by route. */
export async function walk(world: WalkedWorld, token?: string): Promise<Map<string, Set<string>>> {
  const seen = new Map<string, Set<string>>()
  for (const route of world.service.routes.filter(({ method }) => method === 'GET')) {
    const marks = new Set<string>()
    for (const url of await urlsOf(world, route)) {
      const response = await read(world, url, token)
      expect(response.status, url).toBeLessThan(500)
      // The link to the next page repeats the request's own query: only its cursor tells anything.
      const text = [response.text, cursorOf(response), ...headersOf(response)].join('\n')
      for (const [name, mark] of world.marks) if (text.includes(mark)) marks.add(name)
    }
    if (marks.size > 0) seen.set(route.url, marks)
  }
  return seen
}

const read = ({ service }: WalkedWorld, url: string, token?: string) =>
  service.send({ method: 'GET', url, ...(token !== undefined && { token }) })

const headersOf = ({ headers }: TestResponse) =>
  Object.entries(headers)
    .filter(([name]) => name !== 'link')
    .map((header) => header.join(': '))

function cursorOf({ headers }: TestResponse): string {
  return Buffer.from(/[?&]after=([\w-]+)/.exec(headers.link ?? '')?.[1] ?? '', 'base64url').toString()
}

async function urlsOf(world: WalkedWorld, route: Route): Promise<string[]> {
  const names = Object.keys(Object(JSON.parse(JSON.stringify(route.query))).properties ?? {})
  const urls: string[] = []
  for (const path of pathsOf(world, route.url)) {
    urls.push(path)
    for (const name of names.filter((each) => each !== 'after')) {
      urls.push(...valuesOf(world, name).map((value) => `${path}?${name}=${encodeURIComponent(value)}`))
    }
    if (!names.includes('after')) continue
    const { headers } = await read(world, `${path}?limit=1`, world.adminToken)
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
