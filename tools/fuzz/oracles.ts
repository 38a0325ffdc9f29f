import type { Contract } from '../../verification/contract.ts'
import { ANSWER_TIMEOUT_MS, type Reply } from './exchange.ts'
import type { RequestCheck } from './oracle-document.ts'
import { type Caller, callers, type Plan } from './plan.ts'
import { RULES } from './refusals.ts'
import type { Rendered } from './render.ts'

/** Says what is wrong with an answer; nothing where all is well. */
export type Oracle = (plan: Plan, rendered: Rendered, reply: Reply) => string[]

export interface OracleDependencies {
  readonly contract: Contract
  readonly checkRequest: RequestCheck
  /** What must be in no answer. */
  readonly secrets: readonly string[]
  /** What must be in no refusal, such as the names of constraints. */
  readonly internals: readonly string[]
}

/** Makes the oracle that every answer is held against. */
export function createOracle(deps: OracleDependencies): Oracle {
  return (plan, rendered, reply) => {
    const secrets = findLeaks(reply, deps)
    if (reply.error !== undefined) return [`there was no answer: ${reply.error}`, ...secrets]
    if (plan.fault !== undefined) return [...findFailures(reply.text), ...secrets]
    return [
      ...findFailure(reply),
      ...secrets,
      ...holdToContract(deps.contract, rendered, reply),
      ...holdToCredential(plan, rendered, reply),
      ...holdToRequest(deps.checkRequest, plan, rendered, reply),
    ]
  }
}

/** A head may have 16 KiB; the rest of it is short. */
const LONGEST_TARGET = 15_000

const NO_HTTP = /^\{"error":"The request must be well-formed HTTP/

function findFailure({ status = 0, ms }: Reply): string[] {
  return [
    ...(status >= 500 || status < 200 ? [`the status is ${status}`] : []),
    ...(ms > ANSWER_TIMEOUT_MS ? [`the answer took ${Math.round(ms)} ms`] : []),
  ]
}

/** Several answers on one connection. */
const findFailures = (text: string) =>
  [...text.matchAll(/^HTTP\/1\.1 (5\d\d) /gm)].map(([, status]) => `the status is ${status}`)

const STACK = /\bat .{1,200}:\d+:\d+|\.[jt]s:\d+|node_modules|\$argon2/
const SQL = /\b(insert into|violates|on conflict|syntax error at|relation "|duplicate key|SQLSTATE)\b/i

function findLeaks(reply: Reply, { secrets, internals }: OracleDependencies): string[] {
  const all = `${reply.head}\n${reply.text}`
  const refusal = (reply.status ?? 0) >= 400 ? all : ''
  return [
    ...secrets.filter((secret) => all.includes(secret)).map(() => 'the answer holds a secret of the service'),
    ...(STACK.test(refusal) || all.includes('$argon2') ? ['the answer shows the inside of the service'] : []),
    ...(SQL.test(refusal) || internals.some((name) => refusal.includes(name))
      ? ['the answer shows its SQL']
      : []),
  ]
}

function holdToContract(contract: Contract, { method, target }: Rendered, reply: Reply): string[] {
  // A preflight is no operation.
  if (method === 'OPTIONS') return []
  try {
    return contract({
      method,
      url: target,
      status: reply.status ?? 0,
      mediaType: reply.headers['content-type']?.split(';', 1)[0],
      headers: new Set(Object.keys(reply.headers)),
      text: method === 'HEAD' ? undefined : reply.text,
    })
  } catch (err) {
    return [`the answer is not what it says it is: ${err}`]
  }
}

const trusted: Readonly<Record<string, readonly Caller[]>> = {
  none: callers,
  token: ['admin', 'user', 'other user', 'judge'],
  bridgeSecret: ['bridge secret'],
  judgePassword: ['judge password'],
}

/** Who has no credential of the operation is answered 401 before anything else (D2). */
function holdToCredential(plan: Plan, rendered: Rendered, reply: Reply): string[] {
  const { operation, caller } = plan
  const isAsked =
    (rendered.method === operation.method || (rendered.method === 'HEAD' && operation.method === 'GET')) &&
    Object.values(rendered.pathValues ?? { other: '' }).every((value) => value !== '')
  // What is no HTTP is refused before anybody asks for a credential.
  const isHttp = rendered.target.length <= LONGEST_TARGET && !NO_HTTP.test(reply.text)
  if (!isAsked || !isHttp || trusted[operation.credential]?.includes(caller)) return []
  return reply.status === 401 ? [] : [`a caller without credential (${caller}) is answered ${reply.status}`]
}

/** What the document allows is not refused as malformed, and what it does not allow is neither done nor looked for (D2). */
function holdToRequest(checkRequest: RequestCheck, plan: Plan, rendered: Rendered, reply: Reply): string[] {
  const violations = checkRequest(plan, rendered)
  const { status = 0, text } = reply
  if (violations.length > 0) {
    const isTaken = status < 300 || status === 404 || status === 409
    return isTaken ? [`answered ${status}, though ${violations.join('; ')}`] : []
  }
  if (!plan.isRight || status !== 400 || rendered.target.length > LONGEST_TARGET) return []
  const { code, error } = readRefusal(text)
  const isRule = code !== '400' || RULES.some((rule) => rule.test(String(error)))
  return isRule ? [] : [`refused (${error}), though it is what the document asks for`]
}

function readRefusal(text: string): { code?: unknown; error?: unknown } {
  return text.startsWith('{') ? JSON.parse(text) : {}
}
