import { readVersion } from '../config/project.ts'
import { namesOf } from '../http/routing/path.ts'
import type { Route } from '../http/routing/route.ts'
import { headers, parameters, securitySchemes } from './components.ts'
import { introduction } from './introduction.ts'
import { describeOperation, type Limits } from './operation.ts'
import { operations } from './operations.ts'
import type { Components } from './schemas.ts'
import { type Tag, tags } from './tags.ts'

/** An OpenAPI 3.1 document. */
export interface ApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly [member: string]: unknown
}

/** Describes every route as OpenAPI 3.1. A route without an operation is a type error. */
export function describeApi(
  routesByTag: Readonly<Record<Tag, readonly Route<keyof typeof operations & string>[]>>,
  limits: Limits,
): ApiDocument {
  const groups = Object.entries(routesByTag)
  const routes = groups.flatMap(([, own]) => own)
  const collected: Components = { schemas: new Map(), responses: new Map() }
  const paths: Record<string, Record<string, object>> = {}
  for (const [tag, own] of groups) {
    for (const route of own) {
      const { path, names } = describePath(route, routes)
      const operation = describeOperation(route, operations[route.name], tag, names, limits, collected)
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Judge Data Layer',
      version: readVersion(),
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: sortByName(collected.schemas),
      responses: sortByName(collected.responses),
      headers,
      parameters,
      securitySchemes,
    },
  }
}

/** OpenAPI has one name for a path parameter: `id` where two methods use different names. */
function describePath(route: Route, routes: readonly Route[]): { path: string; names: string[] } {
  const shape = shapeOf(route.url)
  const alike = routes.filter((other) => shapeOf(other.url) === shape).map((other) => namesOf(other.url))
  const names = namesOf(route.url).map((name, index) =>
    alike.every((other) => other[index] === name) ? name : 'id',
  )
  let index = 0
  return { path: route.url.replaceAll(/:\w+/g, () => `{${names[index++]}}`), names }
}

const sortByName = (named: ReadonlyMap<string, object>) =>
  Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)))

const shapeOf = (url: string) => url.replaceAll(/:\w+/g, ':')
