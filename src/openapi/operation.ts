import type { Config } from '../config/config.ts'
import { codeOf, type ErrorKind, isOfContestApi, statuses } from '../http/routing/errors.ts'
import { allowsAnonymous, takesBasic } from '../http/routing/policy.ts'
import { refusalsOf } from '../http/routing/refusals.ts'
import { bodyLimitsOf } from '../http/routing/register.ts'
import { isList, type Limit, type Route, type RouteInput } from '../http/routing/route.ts'
import { ContestApiError, ErrorResponse, FileContent } from '../http/routing/schema.ts'
import { exampleOfContestApiRefusal, exampleOfRefusal, meaningOf } from './examples/refusals.ts'
import { type OperationDocs, usualParams } from './operation-docs.ts'
import { type Components, type DocumentSchema, describeSchema } from './schemas.ts'

/** The limits that the document describes. */
export type Limits = Pick<Config, 'rates' | 'sizes'>

/** The statuses whose response has `Retry-After`. */
const RETRYABLE = [429, 503]

/** Describes a route as an OpenAPI operation; `pathNames` are its path parameters there. */
export function describeOperation(
  route: Route,
  { summary, description, example = {} }: OperationDocs<RouteInput>,
  tag: string,
  pathNames: readonly string[],
  { rates, sizes }: Limits,
  components: Components,
): object {
  const { params, query, body, upload } = route
  const maxBodyBytes = route.method === 'GET' ? undefined : bodyLimitsOf(sizes)[route.bodyLimit]
  return {
    operationId: route.name,
    tags: [tag],
    summary,
    description: [
      description,
      ...((body || upload) && maxBodyBytes !== undefined ? [describeSize(maxBodyBytes)] : []),
      ...(route.limit === 'none' ? [] : [describeRate(route.limit, rates)]),
    ].join('\n\n'),
    ...describeSecurity(route),
    parameters: [
      ...[
        ...describeParameters('path', params, { ...usualParams, ...Object(example.params) }, components).map(
          (parameter, index) => renameParameter(parameter, pathNames[index] ?? parameter.name),
        ),
        ...describeParameters('query', query, Object(example.query), components),
      ].map((parameter) => shareParameter(parameter, components)),
      ...(route.takesIdempotencyKey ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
      ...(route.needsCapabilities ? [{ $ref: '#/components/parameters/Judge-Capabilities' }] : []),
      ...(route.hasEntityTag ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
      ...(route.isEventStream ? [{ $ref: '#/components/parameters/Last-Event-ID' }] : []),
    ],
    ...(body && {
      requestBody: {
        required: !('x-optional' in body),
        content: {
          'application/json': {
            schema: describeSchema(body, components),
            ...(example.body !== undefined && { example: example.body }),
          },
          ...(route.readCsv && {
            'text/csv': { schema: { type: 'string' }, ...(example.csv && { example: example.csv }) },
          }),
        },
      },
    }),
    ...(upload && {
      requestBody: {
        required: true,
        content: { [upload]: { schema: describeSchema(FileContent(upload), components) } },
      },
    }),
    responses: {
      ...describeResponses(route, example.response, components),
      ...describeRefusals(route, components),
    },
    'x-callers': route.policy.replace('none', 'everyone'),
    ...(maxBodyBytes !== undefined && { 'x-max-body-bytes': maxBodyBytes }),
    ...(route.limit !== 'none' && {
      'x-rate-limit': {
        ...rates[route.limit.rate],
        by: route.limit.by,
        ...(route.limit.counts && { counts: route.limit.counts }),
      },
    }),
  }
}

const describeSize = (bytes: number) => `The body has at most ${bytes} bytes; a larger one gets 413.`

function describeRate({ rate, by, counts }: Exclude<Limit, 'none'>, rates: Limits['rates']): string {
  const { perMinute, burst } = rates[rate]
  return `${burst} ${counts ?? 'requests'} at once, then ${perMinute} per minute, by ${by}; requests above that get 429 with \`Retry-After\`.`
}

/** Of routes that describe no other. */
export const usualSecurity = [{ token: [] }]

function describeSecurity({ policy }: Route): { security?: object[] } {
  if (policy === 'none') return { security: [] }
  if (policy === 'bridge secret') return { security: [{ bridgeSecret: [] }] }
  if (policy === 'judge password') return { security: [{ judgePassword: [] }] }
  if (policy === 'scoreboard token') return { security: [{ scoreboardToken: [] }] }
  const others = [...(takesBasic(policy) ? [{ basic: [] }] : []), ...(allowsAnonymous(policy) ? [{}] : [])]
  return others.length === 0 ? {} : { security: [...usualSecurity, ...others] }
}

/** Error messages use the route's own name of the parameter. */
function renameParameter<P extends { name: string; description?: unknown }>(parameter: P, name: string): P {
  if (parameter.name === name) return parameter
  const alias = `Error messages call it \`${parameter.name}\`.`
  return { ...parameter, name, description: [parameter.description, alias].filter(Boolean).join(' ') }
}

function describeParameters(
  place: 'path' | 'query',
  schema: object,
  examples: Readonly<Record<string, unknown>>,
  components: Components,
) {
  const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...described } = describeSchema(property, components)
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: described,
      ...(examples[name] !== undefined && { example: examples[name] }),
    }
  })
}

/** These are components in the form of their first operation. */
const SHARED_PARAMETERS = ['event_id', 'problem_id', 'limit', 'after']

function shareParameter(parameter: { name: string }, { parameters }: Components): object {
  const { name } = parameter
  if (!SHARED_PARAMETERS.includes(name)) return parameter
  const shared = parameters.get(name) ?? parameter
  if (JSON.stringify(shared) !== JSON.stringify(parameter)) return parameter
  parameters.set(name, shared)
  return { $ref: `#/components/parameters/${name}` }
}

function describeResponses(route: Route, example: unknown, components: Components): Record<string, object> {
  const headers = {
    ...requestIdHeader,
    ...(isList(route) && linkHeader),
    ...(route.hasEntityTag && tagHeader),
  }
  const isOnly = Object.keys(route.responses).length === 1
  const responses = Object.entries(route.responses).map(([status, schema]) => [
    status,
    {
      description: describeResponse(schema),
      headers: { ...headers, ...(status === ACCEPTED && locationHeader) },
      ...(schema && {
        content: {
          [mediaTypeOf(schema)]: {
            schema: describeSchema(schema, components),
            ...(example !== undefined && (status !== ACCEPTED || isOnly) && { example }),
          },
        },
      }),
    },
  ])
  return {
    ...Object.fromEntries(responses),
    ...(route.hasEntityTag && { 304: shareResponse('NotModified', notModified, components) }),
  }
}

function shareResponse(name: string, response: object, { responses }: Components): object {
  responses.set(name, response)
  return { $ref: `#/components/responses/${name}` }
}

function describeResponse(schema: object | undefined): string {
  if (schema === undefined) return 'Done; no body.'
  const type = mediaTypeOf(schema)
  if (type === 'text/event-stream') return 'A stream of events.'
  if (type === 'application/x-ndjson') return 'The lines of the feed.'
  if ('x-media-type' in schema) return 'The file.'
  if (type === 'text/plain') return 'The bare text.'
  if ('items' in schema) return `A list of ${nameSchema(schema.items) ?? 'items'}.`
  const name = nameSchema(schema)
  return name === undefined ? 'The response.' : `The ${name}.`
}

function nameSchema(schema: unknown): string | undefined {
  const { title, anyOf }: { title?: string; anyOf?: object[] } = Object(schema)
  return title === undefined ? anyOf?.map(nameSchema).join(' or ') : `\`${title}\``
}

function mediaTypeOf(schema: object): string {
  if ('x-media-type' in schema) return String(schema['x-media-type'])
  return 'type' in schema && schema.type === 'string' ? 'text/plain' : 'application/json'
}

function describeRefusals(route: Route, components: Components): Record<string, object> {
  const byStatus = new Map<number, ErrorKind[]>()
  for (const kind of refusalsOf(route)) {
    const status = statuses[kind]
    byStatus.set(status, [...(byStatus.get(status) ?? []), kind])
  }
  const isContestApi = isOfContestApi(route.url)
  const exampleOf = isContestApi ? exampleOfContestApiRefusal : exampleOfRefusal
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => {
      const codes = kinds.map(codeOf).filter((code) => code !== String(status))
      const name = `${isContestApi ? 'ContestApi' : ''}Refusal${status}${codes.map(pascalCase).join('')}`
      const meanings = kinds.map((kind) => (isContestApi ? '' : `\`${codeOf(kind)}\`: `) + meaningOf(kind))
      const schema = isContestApi
        ? describeContestApiError(status, components)
        : describeError(kinds.map(codeOf), components)
      const examples = Object.fromEntries(kinds.map((kind) => [codeOf(kind), { value: exampleOf(kind) }]))
      const response = {
        description: meanings.join('\n\n'),
        headers: {
          ...requestIdHeader,
          ...(RETRYABLE.includes(status) && retryHeader),
          ...(isContestApi && status === 401 && challengeHeader),
        },
        content: { 'application/json': { schema, examples } },
      }
      return [status, shareResponse(name, response, components)]
    }),
  )
}

/** `NOT_FOUND` becomes `NotFound`: generators of clients need names of types. */
const pascalCase = (code: string) =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

function describeError(codes: readonly string[], components: Components): DocumentSchema {
  const code = { type: 'string', enum: codes }
  return {
    allOf: [
      describeSchema(ErrorResponse, components),
      { type: 'object', properties: { code }, required: ['code'] },
    ],
  }
}

/** Errors of the Contest API have their own body, and a 401 has a challenge (P26). */
const describeContestApiError = (status: number, components: Components) => ({
  allOf: [
    describeSchema(ContestApiError, components),
    { properties: { code: { type: 'integer', enum: [status] } } },
  ],
})

const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })
const requestIdHeader = header('X-Request-Id')
const linkHeader = header('Link')
/** Work that continues after the response: the example is of the finished work. */
const ACCEPTED = '202'
const locationHeader = { Location: { $ref: '#/components/headers/ProgressLocation' } }
const retryHeader = header('Retry-After')
const challengeHeader = header('WWW-Authenticate')
const tagHeader = header('ETag')
const notModified = {
  description: 'The client has the current version; no body.',
  headers: { ...requestIdHeader, ...tagHeader },
}
