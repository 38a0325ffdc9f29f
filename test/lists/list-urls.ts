import { readdir } from 'node:fs/promises'
import { isList, type Route } from '../../src/http/routing/route.ts'
import type { List } from '../../src/lists/definition.ts'

type Ids = Readonly<Record<string, string | number>>

export interface ListUrl {
  /** The path of the route and the name of the filter, for titles. */
  readonly name: string
  readonly url: string
  readonly route: Route
}

/** Returns each list, also with each filter if `filters` are given. Throws for unknown names. */
export function listUrls(routes: readonly Route[], ids: Ids, filters?: Ids): ListUrl[] {
  const requireValue = (known: Ids, name: string, url: string) => {
    const value = known[name]
    if (value === undefined) throw new Error(`${url} needs a value for "${name}" in this test`)
    return String(value)
  }
  return routes.filter(isList).flatMap((route) => {
    const path = route.url.replace(/:(\w+)/g, (_, name) => requireValue(ids, name, route.url))
    const known = Object.keys(Object(route.query).properties).filter(
      (name) => name !== 'limit' && name !== 'after',
    )
    const filtered = (filters === undefined ? [] : known).map((name) => {
      const search = new URLSearchParams({ [name]: requireValue(filters ?? {}, name, route.url) })
      return { name: `${route.url}?${name}`, url: `${path}?${search}`, route }
    })
    return [{ name: route.url, url: path, route }, ...filtered]
  })
}

/** Returns the key of each list that a feature exports, by the list's name. */
export async function readListKeys(): Promise<Map<string, List['key']>> {
  const features = new URL('../../src/features/', import.meta.url)
  const files = await readdir(features, { recursive: true })
  const modules: object[] = await Promise.all(
    files.filter((file) => file.endsWith('.ts')).map((file) => import(new URL(file, features).href)),
  )
  const exported = modules.flatMap((module) => Object.values(module))
  const isListDefinition = (one: unknown): one is List => Array.isArray(Object(one).key)
  return new Map(exported.filter(isListDefinition).map(({ name, key }) => [name, key]))
}
