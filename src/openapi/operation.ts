import type { Config } from '../config.ts'
import { type ErrorKind, errors } from '../http/errors.ts'
import type { Limit, Route } from '../http/route.ts'
import { refusalsOf } from '../http/route-table.ts'
import { ErrorAnswer } from '../http/schema.ts'
import { exampleOfRefusal } from './refusal-examples.ts'
import { type Components, type DocumentSchema, describeSchema } from './schemas.ts'

export type Rates = Config['rates']

/** The statuses of a refusal whose answer says when to try again. */
const RETRYABLE = [429, 503]

/** Describes a route of a group as an OpenAPI operation; `pathNames` are its path's parameters as the document calls them, in their order. */
export function describeOperation(
  route: Route,
  group: string,
  pathNames: readonly string[],
  rates: Rates,
  components: Components,
): object {
  const { params, query, body } = route.schema
  const { example } = route.docs
  return {
    operationId: route.name,
    tags: [group],
    summary: route.summary,
    description: [route.docs.description, describeLimit(route.limit, rates)].filter(Boolean).join('\n\n'),
    security: describeSecurity(route),
    parameters: [
      ...describeParameters('path', params, example.params, components).map((parameter, index) => ({
        ...parameter,
        name: pathNames[index],
      })),
      ...describeParameters('query', query, example.query, components),
      ...(route.isRepeatable ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
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
    ...(route.limit !== 'none' && {
      'x-rate-limit': { ...rates[route.limit.rate], by: route.limit.by },
    }),
  }
}

function describeLimit(limit: Limit, rates: Rates): string {
  if (limit === 'none') return ''
  const { perMinute, burst } = rates[limit.rate]
  return `At most ${perMinute} requests a minute, ${burst} of them at once, by ${limit.by}; then 429 with \`Retry-After\`.`
}

function describeSecurity({ policy }: Route): object[] {
  if (policy === 'none') return []
  if (policy === 'bridge secret') return [{ bridgeSecret: [] }]
  if (policy === 'judge password') return [{ judgePassword: [] }]
  return [{ token: [] }]
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
      description: schema === undefined ? 'Done; there is no body.' : 'Done.',
      headers: { ...requestIdHeader, ...(isPaged && linkHeader) },
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
  return Object.fromEntries(answers)
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
      describeSchema(ErrorAnswer, components),
      { type: 'object', properties: { code }, required: ['code'] },
    ],
  }
}

const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })
const requestIdHeader = header('X-Request-Id')
const linkHeader = header('Link')
const retryHeader = header('Retry-After')
