import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ApiDocument } from '../src/openapi/document.ts'

/** An answer with its request, as they were on the wire. */
export interface ObservedResponse {
  readonly method: string
  readonly url: string
  readonly status: number
  /** Without parameters; undefined where there is no body. */
  readonly mediaType: string | undefined
  readonly headers: ReadonlySet<string>
  /** Undefined where only the head was seen. */
  readonly text: string | undefined
}

/** Says what of an answer an OpenAPI document does not allow: its status, media type, fields or headers; nothing where all is well. */
export type Contract = (answer: ObservedResponse) => string[]

interface HeaderReference {
  readonly $ref: string
}

interface DocumentedResponse {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, HeaderReference>>
  readonly content?: Readonly<Record<string, object>>
}

/** Makes the check out of the document that a service serves. */
export function openContract(document: ApiDocument): Contract {
  const check = createChecker(document)
  const paths = Object.keys(document.paths).map((path) => ({ path, segments: path.split('/') }))
  const findPath = (url: string) => {
    // A request may name the whole address, scheme and host included.
    const [path = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)
    const segments = path.split('/').map(decodeSegment)
    return paths.filter((candidate) => fits(candidate.segments, segments)).sort(byConcreteness)[0]?.path
  }
  return (answer) => {
    const path = findPath(answer.url)
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase()
    const place = ['paths', path ?? '', method]
    if (path === undefined || resolve(document, place) === undefined) {
      // No route: the refusals of D2.
      const isRefusal = answer.status === 404 || answer.status === 400
      return isRefusal
        ? [...holdHeaders(document, REQUEST_ID, answer), ...check(['components', 'schemas', 'Error'], answer)]
        : [`${answer.status} is not documented`]
    }
    return holdAnswer(document, [...place, 'responses', String(answer.status)], answer, check)
  }
}

/** Sends requests to a service in whatever process, and tells what of its answers its document does not allow. */
export interface ContractFetch {
  readonly fetch: (request: Request) => Promise<Response>
  readonly violations: readonly string[]
}

/** Opens a `fetch` for the service at an address; each answer is held against the document that this service serves. */
export async function openContractFetch(baseUrl: string): Promise<ContractFetch> {
  const document: ApiDocument = JSON.parse(await (await fetch(`${baseUrl}/openapi.json`)).text())
  const contract = openContract(document)
  const violations: string[] = []
  const hold = ({ method, url }: Request, { status, headers }: Response, text: string) => {
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
    fetch: async (request) => {
      const response = await fetch(request)
      hold(request, response, await response.clone().text())
      return response
    },
  }
}

type Check = (place: readonly string[], answer: ObservedResponse) => string[]

function holdAnswer(
  document: ApiDocument,
  place: readonly string[],
  answer: ObservedResponse,
  check: Check,
): string[] {
  const declared = resolve(document, place) as DocumentedResponse | undefined
  if (declared === undefined) return [`${answer.status} is not documented`]
  if (declared.$ref !== undefined)
    return holdAnswer(document, declared.$ref.slice(2).split('/'), answer, check)
  const found = holdHeaders(document, declared.headers ?? {}, answer)
  const { mediaType, text } = answer
  if (declared.content === undefined) return text ? [...found, 'a body is not documented'] : found
  if (mediaType === undefined || !(mediaType in declared.content))
    return [...found, `${mediaType} is not documented`]
  return [...found, ...check([...place, 'content', mediaType, 'schema'], answer)]
}

/** What is always there must be, and nothing of ours that is not documented. */
function holdHeaders(
  document: ApiDocument,
  declared: Readonly<Record<string, HeaderReference>>,
  { headers }: ObservedResponse,
): string[] {
  const isRequired = ({ $ref }: HeaderReference) =>
    Object(resolve(document, $ref.slice(2).split('/'))).required === true
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
const OWN_HEADERS = ['ETag', 'Link', 'Retry-After']

function createChecker(document: ApiDocument): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}(\d{3})?)?Z$/)
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
    return status < 400 || saysItTwice(text) ? errors : [...errors, 'message is not what error says (D1)']
  }
}

/** What a schema cannot say of the one error body. */
function saysItTwice(text: string): boolean {
  const { error, message } = JSON.parse(text)
  return message === error
}

function resolve(document: object, place: readonly string[]): unknown {
  return place.reduce<unknown>(
    (value, name) => Object.getOwnPropertyDescriptor(Object(value), name)?.value,
    document,
  )
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
