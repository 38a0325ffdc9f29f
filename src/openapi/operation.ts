import type { Config } from '../config/config.ts'
import { type ErrorKind, errors } from '../http/routing/errors.ts'
import { bodyLimitsOf, type Limit, type Route } from '../http/routing/route.ts'
import { refusalsOf } from '../http/routing/route-table.ts'
import { ErrorResponse } from '../http/routing/schema.ts'
import { exampleOfRefusal } from './examples/refusals.ts'
import { type Components, type DocumentSchema, describeSchema } from './schemas.ts'

/** What of the configuration the document tells. */
export type Limits = Pick<Config, 'rates' | 'sizes'>

/** The statuses of a refusal whose answer says when to try again. */
const RETRYABLE = [429, 503]

/** Describes a route of a group as an OpenAPI operation; `pathNames` are its path's parameters as the document calls them, in their order. */
export function describeOperation(
  route: Route,
  group: string,
  pathNames: readonly string[],
  { rates, sizes }: Limits,
  components: Components,
): object {
  const { params, query, body } = route.schema
  const maxBodyBytes = route.method === 'GET' ? undefined : bodyLimitsOf(sizes)[route.bodyLimit]
  const { example } = route.docs
  return {
    operationId: route.name,
    tags: [group],
    summary: route.summary,
    description: [
      route.docs.description,
      ...(body && maxBodyBytes !== undefined ? [describeSize(maxBodyBytes)] : []),
      ...(route.limit === 'none' ? [] : [describeRate(route.limit, rates)]),
    ].join('\n\n'),
    security: describeSecurity(route),
    parameters: [
      ...describeParameters('path', params, example.params, components).map((parameter, index) =>
        renameParameter(parameter, pathNames[index] ?? parameter.name),
      ),
      ...describeParameters('query', query, example.query, components),
      ...(route.isRepeatable ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
      ...(route.isPolled ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
    ],
    ...(body && {
      requestBody: {
        required: !('x-optional' in body),
        content: {
          'application/json': {
            schema: describeSchema(body, components),
            ...(example.body !== undefined && { example: example.body }),
          },
        },
      },
    }),
    responses: { ...describeAnswers(route, components), ...describeRefusals(route, components) },
    ...(maxBodyBytes !== undefined && { 'x-max-body-bytes': maxBodyBytes }),
    ...(route.limit !== 'none' && {
      'x-rate-limit': { ...rates[route.limit.rate], by: route.limit.by },
    }),
  }
}

const describeSize = (bytes: number) => `A body has at most ${bytes} bytes; a larger one is 413.`

/** The limit is a bucket: a burst from a full one, and then what trickles in. */
function describeRate({ rate, by }: Exclude<Limit, 'none'>, rates: Limits['rates']): string {
  const { perMinute, burst } = rates[rate]
  return `${burst} requests at once, and from then on ${perMinute} a minute, by ${by}; what is more is 429 with \`Retry-After\`.`
}

function describeSecurity({ policy }: Route): object[] {
  if (policy === 'none') return []
  if (policy === 'bridge secret') return [{ bridgeSecret: [] }]
  if (policy === 'judge password') return [{ judgePassword: [] }]
  return [{ token: [] }]
}

/** A parameter that the document calls otherwise says so, as the texts of refusals keep its own name. */
function renameParameter<P extends { name: string; description?: unknown }>(parameter: P, name: string): P {
  if (parameter.name === name) return parameter
  const alias = `Messages call it \`${parameter.name}\`.`
  return { ...parameter, name, description: [parameter.description, alias].filter(Boolean).join(' ') }
}

function describeParameters(
  place: 'path' | 'query',
  schema: object,
  examples: object | undefined,
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
      ...exampleOf(examples, name),
    }
  })
}

function exampleOf(examples: object | undefined, name: string) {
  const example = Object.entries(examples ?? {}).find(([key]) => key === name)?.[1]
  return example === undefined ? {} : { example }
}

function describeAnswers(route: Route, components: Components): Record<string, object> {
  const { answer } = route.docs.example
  const isPaged = 'after' in Object(Object(route.schema.query).properties)
  const answers = Object.entries(route.schema.answers).map(([status, schema]) => [
    status,
    {
      description: describeAnswer(schema),
      headers: { ...requestIdHeader, ...(isPaged && linkHeader), ...(route.isPolled && tagHeader) },
      ...(schema && {
        content: {
          [mediaTypeOf(schema)]: {
            schema: describeSchema(schema, components),
            ...(answer !== undefined && { example: answer }),
          },
        },
      }),
    },
  ])
  return { ...Object.fromEntries(answers), ...(route.isPolled && notModified) }
}

/** Names the schema of an answer, as far as it has names. */
function describeAnswer(schema: object | undefined): string {
  if (schema === undefined) return 'Done; there is no body.'
  if (mediaTypeOf(schema) === 'text/plain') return 'The bare text.'
  if ('items' in schema) return `A list of ${nameSchema(schema.items) ?? 'items'}.`
  const name = nameSchema(schema)
  return name === undefined ? 'The answer, as its schema has it.' : `The ${name}.`
}

function nameSchema(schema: unknown): string | undefined {
  const { title, anyOf }: { title?: string; anyOf?: object[] } = Object(schema)
  return title === undefined ? anyOf?.map(nameSchema).join(' or ') : `\`${title}\``
}

/** An answer that is text and not a structure is sent bare. */
const mediaTypeOf = (schema: object) =>
  'type' in schema && schema.type === 'string' ? 'text/plain' : 'application/json'

function describeRefusals(route: Route, components: Components): Record<string, object> {
  const byStatus = new Map<number, ErrorKind[]>()
  for (const kind of refusalsOf(route)) {
    const { status } = errors[kind]
    byStatus.set(status, [...(byStatus.get(status) ?? []), kind])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => [status, describeRefusal(status, kinds, components)]),
  )
}

/** A component, since most refusals are those of many routes. */
function describeRefusal(status: number, kinds: readonly ErrorKind[], components: Components): object {
  const codes = kinds.map((kind) => errors[kind].code)
  const name = [status, ...codes.filter((code) => code !== String(status))].join('-')
  components.responses.set(name, {
    description: kinds.map((kind) => `\`${errors[kind].code}\`: ${errors[kind].meaning}`).join('\n\n'),
    headers: { ...requestIdHeader, ...(RETRYABLE.includes(status) && retryHeader) },
    content: {
      'application/json': { schema: describeError(codes, components), examples: describeExamples(kinds) },
    },
  })
  return { $ref: `#/components/responses/${name}` }
}

/** One body for each code. */
function describeExamples(kinds: readonly ErrorKind[]): object {
  return Object.fromEntries(kinds.map((kind) => [errors[kind].code, { value: exampleOfRefusal(kind) }]))
}

/** The error body with those codes that may come. */
function describeError(codes: readonly string[], components: Components): DocumentSchema {
  const code = { type: 'string', enum: codes }
  return {
    allOf: [
      describeSchema(ErrorResponse, components),
      { type: 'object', properties: { code }, required: ['code'] },
    ],
  }
}

const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })
const requestIdHeader = header('X-Request-Id')
const linkHeader = header('Link')
const retryHeader = header('Retry-After')
const tagHeader = header('ETag')
const notModified = {
  304: {
    description: 'The client has the current answer, as `If-None-Match` says; there is no body.',
    headers: { ...requestIdHeader, ...tagHeader },
  },
}
