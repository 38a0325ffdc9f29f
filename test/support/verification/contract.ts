import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isOfContestApi } from '../../../src/http/routing/errors.ts'
import type { ApiDocument } from '../../../src/openapi/document.ts'
import { findAt, placeOf, readDocument } from './openapi-operations.ts'

interface ObservedResponse {
  readonly method: string
  readonly url: string
  readonly status: number
  /** Without parameters; undefined without a body. */
  readonly mediaType: string | undefined
  readonly headers: ReadonlySet<string>
  /** Undefined for a HEAD request. */
  readonly text: string | undefined
}

/** Returns the violations of the OpenAPI document: status, media type, fields and headers. */
export type Contract = (response: ObservedResponse) => string[]

interface HeaderReference {
  readonly $ref: string
}

interface DocumentedResponse {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, HeaderReference>>
  readonly content?: Readonly<Record<string, object>>
}

export function openContract(document: ApiDocument): Contract {
  const check = createChecker(document)
  const paths = Object.keys(document.paths).map((path) => ({ path, segments: path.split('/') }))
  /** The service routes each method by itself: `DELETE /v1/users/import` names a user. */
  const findPath = (url: string, method: string) => {
    // A request may contain the whole URL.
    const [path = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)
    const segments = path.split('/').map(decodeSegment)
    const isServed = ({ path }: (typeof paths)[number]) => method in (document.paths[path] ?? {})
    return paths
      .filter((candidate) => isServed(candidate) && fits(candidate.segments, segments))
      .sort(byConcreteness)[0]?.path
  }
  return (response) => {
    const method = response.method === 'HEAD' ? 'get' : response.method.toLowerCase()
    const path = findPath(response.url, method)
    const place = ['paths', path ?? '', method]
    if (path === undefined || findAt(document, place) === undefined) {
      // No route: the errors of D2.
      return response.status === 404 || response.status === 400
        ? [
            ...checkHeaders(document, REQUEST_ID, response),
            ...check(['components', 'schemas', errorSchemaOf(response.url)], response),
          ]
        : [`${response.status} is not documented`]
    }
    return checkResponse(document, [...place, 'responses', String(response.status)], response, check)
  }
}

/** Opens a `fetch` that collects violations of the service's document. */
export async function openContractFetch(baseUrl: string) {
  const contract = openContract(await readDocument(baseUrl))
  const violations: string[] = []
  const check = ({ method, url }: Request, { status, headers }: Response, text: string) => {
    const { pathname, search } = new URL(url)
    const found = contract({
      method,
      url: `${pathname}${search}`,
      status,
      mediaType: headers.get('content-type')?.split(';', 1)[0],
      headers: new Set(headers.keys()),
      text,
    })
    violations.push(...found.map((violation) => `${method} ${pathname} ${status}: ${violation}`))
  }
  return {
    violations,
    fetch: async (request: Request): Promise<Response> => {
      const response = await fetch(request)
      check(request, response, await response.clone().text())
      return response
    },
  }
}

type Check = (place: readonly string[], response: ObservedResponse) => string[]

function checkResponse(
  document: ApiDocument,
  place: readonly string[],
  response: ObservedResponse,
  check: Check,
): string[] {
  const declared = findAt(document, place) as DocumentedResponse | undefined
  if (declared === undefined) return [`${response.status} is not documented`]
  if (declared.$ref !== undefined) return checkResponse(document, placeOf(declared.$ref), response, check)
  const found = checkHeaders(document, declared.headers ?? {}, response)
  const { mediaType, text } = response
  if (declared.content === undefined) return text ? [...found, 'a body is not documented'] : found
  const documented = [mediaType, '*/*'].find((type) => type !== undefined && type in Object(declared.content))
  if (documented === undefined) return [...found, `${mediaType} is not documented`]
  return [...found, ...check([...place, 'content', documented, 'schema'], response)]
}

/** Required headers must be present, and our own headers must be documented. */
function checkHeaders(
  document: ApiDocument,
  declared: Readonly<Record<string, HeaderReference>>,
  { headers }: ObservedResponse,
): string[] {
  const isRequired = ({ $ref }: HeaderReference) => Object(findAt(document, placeOf($ref))).required === true
  const missing = Object.entries(declared).filter(
    ([name, header]) => isRequired(header) && !headers.has(name.toLowerCase()),
  )
  const undocumented = OWN_HEADERS.filter((name) => headers.has(name.toLowerCase()) && !(name in declared))
  return [
    ...missing.map(([name]) => `the header ${name} is missing`),
    ...undocumented.map((name) => `the header ${name} is not documented`),
  ]
}

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const OWN_HEADERS = ['ETag', 'Link', 'Retry-After', 'WWW-Authenticate']

/** Errors of the Contest API have their own body (P26). */
const errorSchemaOf = (url: string) => (isOfContestApi(url) ? 'ContestApiError' : 'ErrorResponse')

function createChecker(document: ApiDocument): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}(\d{3})?)?Z$/)
  ajv.addFormat('binary', true)
  ajv.addSchema(document, 'document')
  const validators = new Map<string, ValidateFunction>()
  return (place, { status, text, mediaType }) => {
    if (text === undefined) return []
    const pointer = place.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
    const ref = `document#/${pointer.join('/')}`
    const validate = validators.get(ref) ?? ajv.compile({ $ref: ref })
    validators.set(ref, validate)
    validate(mediaType === 'application/json' ? JSON.parse(text) : text)
    const errors = (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
    return status < 400 || hasSameMessage(text) ? errors : [...errors, 'message differs from error (D1)']
  }
}

/** A schema cannot compare two fields of the error body. The Contest API has one of them. */
function hasSameMessage(text: string): boolean {
  const { error = undefined, code, message } = JSON.parse(text)
  return message === error || typeof code === 'number'
}

const isParameter = (segment: string) => segment.startsWith('{')

const fits = (template: readonly string[], segments: readonly string[]) =>
  template.length === segments.length &&
  template.every((segment, index) => isParameter(segment) || segment === segments[index])

const byConcreteness = (a: { segments: readonly string[] }, b: { segments: readonly string[] }) =>
  a.segments.filter(isParameter).length - b.segments.filter(isParameter).length

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
