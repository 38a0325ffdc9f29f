import type { Route } from '../http/routing/route.ts'
import { introduction } from './introduction.ts'
import { describeOperation, type Limits } from './operation.ts'
import { operations } from './operations.ts'
import type { Components } from './schemas.ts'
import { type Tag, tags } from './tags.ts'

/** The version of the HTTP interface, not of the package. */
const API_VERSION = '1.0.0'

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
  const components: Components = { schemas: new Map(), responses: new Map() }
  const paths: Record<string, Record<string, object>> = {}
  for (const [tag, own] of groups) {
    for (const route of own) {
      const { path, names } = describePath(route, routes)
      const operation = describeOperation(route, operations[route.name], tag, names, limits, components)
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Judge Data Layer',
      version: API_VERSION,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: sortByName(components.schemas),
      responses: sortByName(components.responses),
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
const namesOf = (url: string) => [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

const headers = {
  'X-Request-Id': {
    description: 'Identifies the request in the service’s log.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  ETag: {
    description:
      'The version of the response for this caller. Send it as `If-None-Match` with the next request.',
    required: true,
    schema: { type: 'string', pattern: '^W/"[!#-~]+"$' },
  },
  Link: {
    description: 'With `limit`: the next page, if there is one, as `<…>; rel="next"`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
}

const parameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A key that the client chooses for this request, such as a UUID. The same key and body within 24 hours get the same 201 and create nothing new; another body gets 409.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    example: '3f0c9f5e-0f3b-4c57-9d1c-0a6a1c1f7f3d',
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of earlier responses. If the response has not changed since, the status is 304 without a body. Browsers send it by themselves.',
    schema: { type: 'string' },
  },
}

const inAuthorization = (description: string) => ({
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description,
})

const securitySchemes = {
  token: inAuthorization('The token of a login, raw: without `Bearer`.'),
  bridgeSecret: inAuthorization('The service’s `WEB_BRIDGE_SECRET`, raw.'),
  judgePassword: inAuthorization('The service’s `JUDGE_PASSWORD`, raw.'),
}
