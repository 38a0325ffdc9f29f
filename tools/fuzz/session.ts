import { Agent } from 'node:http'
import { DOCUMENT_PATH, type Operation } from '../../verification/openapi-operations.ts'
import { exchange, isLive, type Reply } from './exchange.ts'
import type { Oracle } from './oracles.ts'
import type { People } from './people.ts'
import { type Plan, type Rendered, renderPlan } from './plan.ts'
import { liveNameIn, type Rows } from './rows.ts'

/** The log and the process of the service. */
export interface ServiceWatch {
  /** New log lines that are errors or contain a secret, and the end of the process. */
  takeAlarms(): string[]
  /** NaN after the end. */
  readResidentMebibytes(): number
}

/** What a campaign knows about its service. */
export interface Session {
  readonly url: string
  readonly watch: ServiceWatch
  readonly operations: readonly Operation[]
  /** The kinds of values that requests use. */
  readonly usedNames: ReadonlySet<string>
  readonly people: People
  readonly rows: Rows
  readonly oracle: Oracle
  readonly agent: Agent
}

/** A wrong response, with the request as it was sent. */
export class Violation extends Error {
  readonly rendered: Rendered
  readonly plan: Plan

  constructor(problems: readonly string[], plan: Plan, rendered: Rendered) {
    super(problems.join('\n'))
    this.plan = plan
    this.rendered = rendered
  }
}

/** Sends a plan and checks the response. Returns the status, if any. Throws `Violation`. */
export async function sendPlan(session: Session, plan: Plan): Promise<number | undefined> {
  const { people, rows, oracle, watch } = session
  const rendered = renderPlan(plan, rows.chooserFor(plan), people.credentialOf)
  const reply = await exchangePlan(session, plan, rendered)
  const problems = [...oracle(plan, rendered, reply), ...watch.takeAlarms()]
  if (problems.length > 0) throw new Violation(problems, plan, rendered)
  learn(rows, plan, rendered, reply)
  return reply.status
}

/** Unusual headers may confuse a connection: such requests get their own. */
async function exchangePlan({ url, agent }: Session, plan: Plan, rendered: Rendered): Promise<Reply> {
  if (plan.headers.length === 0) return exchange(url, rendered, agent, plan.isChunked)
  const own = new Agent({ keepAlive: true })
  return exchange(url, rendered, own, plan.isChunked).finally(() => own.destroy())
}

function learn(
  rows: Rows,
  { operation }: Plan,
  { pathValues, method, body }: Rendered,
  { status = 0, text, headers }: Reply,
): void {
  // The document contains examples, not records.
  if (operation.path === DOCUMENT_PATH || pathValues === undefined) return
  if (method !== operation.method || status >= 300 || text === '') return
  if (isLive(headers['content-type'])) {
    const [, token] = /"token":"([^"]+)"/.exec(text) ?? []
    if (token !== undefined) rows.add('since_token', token)
    return
  }
  const values = operation.parameters.flatMap((parameter): [string, string | number][] => {
    const value = pathValues[parameter.name]
    if (value === undefined) return []
    return [[liveNameIn(operation, parameter), parameter.schema.type === 'integer' ? Number(value) : value]]
  })
  const isJson = /^["[{]/.test(text)
  const record: unknown = isJson ? JSON.parse(text) : text
  // The request is part of the record: a login needs a password, which no response contains.
  const isObject = body !== undefined && typeof record === 'object' && !Array.isArray(record)
  rows.learn(operation.path, new Map(values), isObject ? { ...readObject(body), ...record } : record)
  const after = /[?&]after=([^&>]+)/.exec(String(headers.link))?.[1]
  if (after !== undefined) rows.add('after', decodeURIComponent(after))
}

function readObject(body: Buffer): object {
  try {
    return Object(JSON.parse(body.toString('utf8')))
  } catch {
    return {}
  }
}
