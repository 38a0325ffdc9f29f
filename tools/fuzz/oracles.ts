import { isUtf8 } from 'node:buffer'
import { isVisibleText, type VisibleKind } from '@judge-data-layer/runtime/visible-text'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'secure-json-parse'
import type { Contract } from '../../test/support/verification/contract.ts'
import type { Parameter, Schema } from '../../test/support/verification/openapi-operations.ts'
import { RESPONSE_TIMEOUT_MS, type Reply } from './exchange.ts'
import { type Caller, callers, type Plan, type Rendered } from './plan.ts'

export type Oracle = (plan: Plan, rendered: Rendered, reply: Reply) => string[]

interface OracleDependencies {
  readonly contract: Contract
  readonly checkRequest: RequestCheck
  /** Texts that no response may contain. */
  readonly secrets: readonly string[]
  /** Texts that no error may contain, such as names of constraints. */
  readonly internals: readonly string[]
}

export function createOracle(deps: OracleDependencies): Oracle {
  return (plan, rendered, reply) => {
    const secrets = findLeaks(reply, deps)
    if (reply.error !== undefined) return [`no response: ${reply.error}`, ...secrets]
    return [
      ...findFailure(reply),
      ...secrets,
      ...checkContract(deps.contract, rendered, reply),
      ...checkCredential(plan, rendered, reply),
      ...compareWithDocument(deps.checkRequest(plan, rendered), plan, rendered, reply),
    ]
  }
}

/** Node.js accepts 16 KiB of headers. */
const LONGEST_TARGET = 15_000

const NO_ROUTE = '/no-route'
const NO_HTTP = /^\{"error":"The request must be well-formed HTTP/

function findFailure({ status = 0, ms }: Reply): string[] {
  return [
    ...(status >= 500 || status < 200 ? [`the status is ${status}`] : []),
    ...(ms > RESPONSE_TIMEOUT_MS ? [`the response took ${Math.round(ms)} ms`] : []),
  ]
}

const STACK = /\bat .{1,200}:\d+:\d+|\.[jt]s:\d+|node_modules|\$argon2/
const SQL = /\b(insert into|violates|on conflict|syntax error at|relation "|duplicate key|SQLSTATE)\b/i

function findLeaks(reply: Reply, { secrets, internals }: OracleDependencies): string[] {
  const all = `${reply.head}\n${reply.text}`
  const refusal = (reply.status ?? 0) >= 400 ? all : ''
  const hasSql = SQL.test(refusal) || internals.some((name) => refusal.includes(name))
  return [
    ...secrets.filter((secret) => all.includes(secret)).map(() => 'the response contains a secret'),
    ...(STACK.test(refusal) || all.includes('$argon2') ? ['the response contains internals'] : []),
    ...(hasSql ? ['the response contains SQL'] : []),
  ]
}

function checkContract(contract: Contract, { method, target }: Rendered, reply: Reply): string[] {
  // A preflight request has no operation.
  if (method === 'OPTIONS') return []
  try {
    return contract({
      method,
      // Before the path is read, errors have the same body for every route, also of the Contest
      // API.
      url: NO_HTTP.test(reply.text) ? NO_ROUTE : target,
      status: reply.status ?? 0,
      mediaType: reply.headers['content-type']?.split(';', 1)[0],
      headers: new Set(Object.keys(reply.headers)),
      text: method === 'HEAD' ? undefined : reply.text,
    })
  } catch (err) {
    return [`the response is malformed: ${err}`]
  }
}

const WITH_TOKEN = ['admin', 'user', 'other user', 'judge'] as const

const trusted: Readonly<Record<string, readonly Caller[]>> = {
  none: callers,
  token: WITH_TOKEN,
  'token or none': [...WITH_TOKEN, 'nobody'],
  'token or basic': [...WITH_TOKEN, 'e-mail and password'],
  'token or basic or none': [...WITH_TOKEN, 'e-mail and password', 'nobody'],
  bridgeSecret: ['bridge secret'],
  judgePassword: ['judge password'],
  scoreboardToken: ['scoreboard token'],
}

/** Without a valid credential the response is 401, before any other check (D2). */
function checkCredential(plan: Plan, rendered: Rendered, reply: Reply): string[] {
  const { operation, caller } = plan
  const isOwn =
    (rendered.method === operation.method || (rendered.method === 'HEAD' && operation.method === 'GET')) &&
    Object.values(rendered.pathValues ?? { other: '' }).every((value) => value !== '')
  // Malformed HTTP is rejected before the credential is checked.
  const isHttp = rendered.target.length <= LONGEST_TARGET && !NO_HTTP.test(reply.text)
  if (!isOwn || !isHttp || trusted[operation.credential]?.includes(caller)) return []
  // Wrong passwords count in a rate limit.
  if (caller === 'wrong password' && reply.status === 429) return []
  return reply.status === 401 ? [] : [`status ${reply.status} without a credential (${caller})`]
}

/** The service rejects a request as malformed exactly if the document does not allow it (D2). */
function compareWithDocument(
  violations: readonly string[],
  plan: Plan,
  { target }: Rendered,
  { status = 0, text }: Reply,
): string[] {
  if (violations.length > 0) {
    const isAccepted = status < 300 || status === 404 || status === 409
    return isAccepted ? [`status ${status}, but ${violations.join('; ')}`] : []
  }
  if (!plan.isRight || status !== 400 || target.length > LONGEST_TARGET) return []
  const { code, message } = Object(text.startsWith('{') ? JSON.parse(text) : {})
  const isRule = String(code) !== '400' || RULES.some((rule) => rule.test(String(message)))
  return isRule ? [] : [`rejected (${message}), but the document allows it`]
}

/** Messages of 400 responses for rules that a schema cannot express. */
const RULES: readonly RegExp[] = [
  /^after must be the cursor from a Link header$/,
  /^limit must be given, or be smaller/,
  /^judging and attempt must not differ$/,
  /^failed_test_case_id must be null or absent with ACCEPTED$/,
  /^\S+ is not a test case of the submission’s problem$/,
  /^score must be\b/,
  /^Either submission_id or all of problem_id, language_id and source_code are required$/,
  /^At least one of (\w+(, )?)+ is required$/,
  /^event_id is required: the problem is part of a running event$/,
  /^problem_id must be a problem of the event$/,
  /^The event does not allow .+: see its languages$/,
  /^end_time must be after start_time$/,
  /^freeze_time must not be after end_time$/,
  /^languages must be UUIDs, at least one, where enforce_languages is true$/,
  /^languages must be languages of the service where enforce_languages is true: there is no /,
  /^next and undo must not be given together$/,
  /^by must be user: the event has no teams$/,
  /^name must be one of the judge’s languages: /,
  /^extension must be one of .* for /,
  /^name and version must not be those of a language that exists$/,
  /^test_cases must name each id once$/,
  /^A problem must keep at least one test case$/,
  /^A problem with (test_groups|validation\.case_flags) keeps its test cases/,
  /^The problem has no programs or validators: /,
  /^(validation|limits|test_groups)\b/,
  /^problems must name each problem once$/,
  /^No user was imported: /,
  /^The CSV (file|header) /,
  /^event_id is required in the query: a user has a team$/,
  /^current_password is required for your own password$/,
  /^user and team must not be given together$/,
  /^team must not be given: the event has no teams$/,
  /^since_token is unknown, too old or from before your access changed; /,
  /^group_id must be participants: /,
  /^(Either start_time or scoreboard_thaw_time is required|countdown_pause_time must be absent unless )/,
  /^files: /,
  /^url must\b/,
  /^\w+ must be absent in a question$/,
  /^time must be the present time, or absent: /,
  /^to_team_ids (must be the team that asked alone|and to_group_ids must be absent)\b/,
  /^reply_to_id must be a question: /,
  /^problem_id must be that of the question, or absent$/,
]

/** Returns where a request violates the document; nothing if the document does not decide. */
export type RequestCheck = (plan: Plan, rendered: Rendered) => string[]

type Compile = (schema: Schema) => ValidateFunction

export function openRequestCheck(): RequestCheck {
  const compile = createCompiler()
  return (plan, rendered) => {
    const { method, pathValues } = rendered
    if (method !== plan.operation.method || pathValues === undefined) return []
    return [
      ...checkPath(plan, pathValues, compile),
      ...checkQuery(plan, rendered, compile),
      ...checkBody(plan, rendered, compile),
    ]
  }
}

/** Compiles schemas with the document's own keywords. */
function createCompiler(): Compile {
  const ajv = new Ajv2020({ strict: false, strictNumbers: true })
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    validate: (maxBytes: number, text: unknown) =>
      typeof text !== 'string' || Buffer.byteLength(text) <= maxBytes,
  })
  ajv.addKeyword({
    keyword: 'x-text',
    validate: (by: string, text: unknown) =>
      by !== 'written' || typeof text !== 'string' || (text.isWellFormed() && !text.includes('\0')),
  })
  ajv.addKeyword({
    keyword: 'x-visible',
    validate: (kind: VisibleKind, text: unknown, { maxLength }: { maxLength?: number } = {}) =>
      typeof text !== 'string' || isVisibleText(kind, text, maxLength),
  })
  const compiled = new Map<Schema, ValidateFunction>()
  return (schema) => {
    const validate = compiled.get(schema) ?? ajv.compile(schema)
    compiled.set(schema, validate)
    return validate
  }
}

function checkPath({ operation }: Plan, values: Readonly<Record<string, string>>, compile: Compile) {
  const own = operation.parameters.filter((parameter) => parameter.in === 'path')
  // An empty value makes another path.
  if (own.some(({ name }) => values[name] === '')) return []
  return own.flatMap((parameter) => checkText(parameter, values[parameter.name] ?? '', compile))
}

function checkQuery({ operation }: Plan, { target }: Rendered, compile: Compile): string[] {
  const search = new URLSearchParams(target.split('?').slice(1).join('?'))
  return operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) => {
      const [value, ...more] = search.getAll(parameter.name)
      if (value === undefined) return parameter.required ? [`${parameter.name} is missing`] : []
      return more.length > 0 ? [`${parameter.name} comes twice`] : checkText(parameter, value, compile)
    })
}

function checkText({ name, schema }: Parameter, text: string, compile: Compile): string[] {
  return compile(schema)(readValue(schema, text)) ? [] : [`${name} violates its schema`]
}

function readValue({ type }: Schema, text: string): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}

function checkBody(plan: Plan, { body }: Rendered, compile: Compile): string[] {
  const wanted = plan.operation.body
  // The service decides about compressed bodies and a repeated Content-Type.
  if (wanted === undefined || plan.headers.some(([name]) => /^content-/i.test(name))) return []
  if (body === undefined || body.length === 0) return wanted.required ? ['the body is missing'] : []
  // The document has no schema of the columns.
  if (plan.operation.takesCsv && /^text\/csv\s*(;|$)/i.test(plan.contentType)) return []
  if (!/^application\/json\s*(;|$)/i.test(plan.contentType)) return ['the body is of another type']
  if (!isUtf8(body)) return ['the body is not UTF-8']
  const validate = compile(wanted.schema)
  try {
    // The service removes these keys everywhere, also from objects whose keys are names.
    const options = { protoAction: 'remove', constructorAction: 'remove' } as const
    const value: unknown = parse(body.toString('utf8'), options)
    // Many clients send null for a missing body.
    if ((value === null && !wanted.required) || validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath} ${message}`)
  } catch {
    return ['the body is not JSON']
  }
}
