import type { Route, RouteGroup } from '../http/routing/route.ts'
import { introduction } from './introduction.ts'
import { describeOperation, type Limits } from './operation.ts'
import type { Components } from './schemas.ts'

/** The version of the HTTP interface, and not of this package. */
const API_VERSION = '1.0.0'

/** An OpenAPI 3.1 document. */
export interface ApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly [member: string]: unknown
}

/** Describes every route, from the schemas that hold its requests, as an OpenAPI 3.1 document. */
export function describeApi(groups: readonly RouteGroup[], limits: Limits): ApiDocument {
  const routes = groups.flatMap((group) => group.routes)
  const components: Components = { schemas: new Map(), responses: new Map() }
  const paths: Record<string, Record<string, object>> = {}
  for (const { name, routes: own } of groups) {
    for (const route of own) {
      const { path, names } = describePath(route, routes)
      const operation = describeOperation(route, name, names, limits, components)
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
    tags: groups.map(({ name, description }) => ({ name, description })),
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

/** OpenAPI knows one name for the parameter of a path; where two methods call it by different names, it is `id`. */
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
    description: 'Names the request’s line in the service’s log.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  ETag: {
    description:
      'Stands for the answer as this caller sees it; the next request may send it as `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^W/"[!#-~]+"$' },
  },
  Link: {
    description: 'With `limit`, while there is more: the next page, as `<…>; rel="next"`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'In how many seconds to try again.',
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
      'A name of the client’s choosing for this request, such as a UUID. Sent again within 24 hours with the same key and body, it makes nothing new and is answered the same 201; with another body it is a 409.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    example: '3f0c9f5e-0f3b-4c57-9d1c-0a6a1c1f7f3d',
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of an earlier answer, or several. If the answer has not changed since, it is a 304 without a body. Browsers send it by themselves.',
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
  token: inAuthorization('The token that a login answers, raw: without `Bearer`.'),
  bridgeSecret: inAuthorization('The service’s `WEB_BRIDGE_SECRET`, raw.'),
  judgePassword: inAuthorization('The service’s `JUDGE_PASSWORD`, raw.'),
}
