import type { Json, Live } from './json.ts'
import { writeJson } from './json.ts'
import type { Caller, Plan } from './plan.ts'

/** A request as it is sent. */
export interface Rendered {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | undefined
  /** Undefined for another path than the operation's. */
  readonly pathValues: Readonly<Record<string, string>> | undefined
}

/** Writes the request of a plan. `choose` returns the value of each `Live`. */
export function renderPlan(
  plan: Plan,
  choose: (live: Live) => string | number,
  credentialOf: (caller: Caller) => string | undefined,
): Rendered {
  const body = renderBody(plan, choose)
  const credential = credentialOf(plan.caller)
  const pathValues = Object.fromEntries(
    Object.entries(plan.pathValues).map(([name, value]) => [name, writeText(value, choose)]),
  )
  const path = plan.otherPath ?? fillPath(plan.operation.path, pathValues)
  const query = plan.query
    .map((part) =>
      'raw' in part ? part.raw : `${part.name}=${encodeURIComponent(writeText(part.value, choose))}`,
    )
    .join('&')
  return {
    method: plan.method,
    target: query === '' ? path : `${path}?${query}`,
    headers: [
      ...(credential === undefined ? [] : ([['Authorization', credential]] as const)),
      ...(body === undefined || plan.contentType === ''
        ? []
        : ([['Content-Type', plan.contentType]] as const)),
      ...plan.headers,
    ],
    body,
    pathValues: plan.otherPath === undefined ? pathValues : undefined,
  }
}

/** A command that sends the same request. */
export function describeAsCurl(origin: string, { method, target, headers, body }: Rendered): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const lines = headers.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`)
  const [shown, data] = body === undefined ? ['', []] : describeBody(body, quote)
  return [`${shown}curl -i --path-as-is -X ${method} ${quote(origin + target)}`, ...lines, ...data].join(
    ' \\\n  ',
  )
}

function describeBody(body: Buffer, quote: (text: string) => string): [string, string[]] {
  const text = body.toString('utf8')
  if (/^[ -~\u00a1-\uffff]*$/.test(text) && body.length < 5000) return ['', [`--data-raw ${quote(text)}`]]
  if (/^\{\} +$/.test(text)) return [`printf '{}%${body.length - 2}s' '' | `, ['--data-binary @-']]
  const base64 = body.toString('base64')
  return [`echo ${base64} | base64 -d | `, ['--data-binary @-']]
}

function renderBody({ body }: Plan, choose: (live: Live) => string | number): Buffer | undefined {
  switch (body?.as) {
    case 'json':
      return Buffer.from(writeJson(body.json, choose))
    case 'bytes':
      return body.bytes
    case 'filler':
      return Buffer.from(`{}${' '.repeat(body.byteCount - 2)}`)
    default:
      return undefined
  }
}

/** Raw text for a string, JSON for other values. */
function writeText(value: Json, choose: (live: Live) => string | number): string {
  const text = writeJson(value, choose)
  return text.startsWith('"') ? String(JSON.parse(text)) : text
}

const fillPath = (path: string, values: Readonly<Record<string, string>>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
