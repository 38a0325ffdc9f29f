import { Agent } from 'node:http'
import { DOCUMENT_PATH, type Operation } from '../../test/support/verification/openapi-operations.ts'
import { exchange, isLive, type Reply } from './exchange.ts'
import type { Oracle } from './oracles.ts'
import type { People } from './people.ts'
import { fillPath, type Plan, type Rendered, renderPlan } from './plan.ts'
import { createRows, liveNameIn, type Rows, type Value } from './rows.ts'

export interface ServiceWatch {
  /** New log lines that are errors or contain a secret, and the end of the process. */
  takeAlarms(): string[]
  /** NaN after the end. */
  readResidentMebibytes(): number
}

export interface Session {
  readonly url: string
  readonly watch: ServiceWatch
  readonly operations: readonly Operation[]
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
  // Texts of test cases may look like JSON.
  const isJson = String(headers['content-type']).startsWith('application/json')
  const record: unknown = isJson && /^["[{]/.test(text) ? JSON.parse(text) : text
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

const MOST_MEMORY_MEBIBYTES = 1024
const RECORDS_OF_ONE_KIND = 4
const LAST_PARAMETER = /\/\{\w+\}$/

/** Reads records of every kind. Returns those that cannot be read or contradict themselves. */
export async function checkUp(session: Session): Promise<string[]> {
  const { operations, usedNames } = session
  const reads = operations.filter(({ method, path }) => method === 'GET' && path !== DOCUMENT_PATH)
  const seen = createRows(usedNames)
  const listed = new Map(reads.map(({ path }) => [path, createRows(usedNames)]))
  const problems: string[] = []
  // Paths with few parameters first: their responses contain the values of the others.
  for (const operation of reads.toSorted((a, b) => wantedOf(a).length - wantedOf(b).length)) {
    const { path } = operation
    const list = LAST_PARAMETER.test(path) ? listed.get(path.replace(LAST_PARAMETER, '')) : undefined
    // A record in its own list must be readable; other ids may belong to other users.
    const mustBe = list !== undefined || wantedOf(operation).length === 0
    for (const values of valuesFor(operation, list ?? seen)) {
      const { status, text, body } = await read(session, operation, values)
      const place = `${operation.id} ${JSON.stringify([...values])}`
      if (status >= 500 || (mustBe && status !== 200)) problems.push(`${place}: ${status} ${text}`)
      problems.push(...findMiscounts(body).map((problem) => `${place}: ${problem}`))
      for (const rows of [session.rows, seen, listed.get(path)]) rows?.learn(path, values, body)
    }
  }
  return [...problems, ...checkProcess(session.watch)]
}

export function checkProcess(watch: ServiceWatch): string[] {
  const memory = watch.readResidentMebibytes()
  const isTooMuch = memory > MOST_MEMORY_MEBIBYTES
  return [...watch.takeAlarms(), ...(isTooMuch ? [`the service uses ${Math.round(memory)} MiB`] : [])]
}

const wantedOf = ({ parameters }: Operation) => parameters.filter(({ required }) => required)

/** Values for the required parameters, from rows that have all of them. */
function valuesFor(operation: Operation, rows: Rows): Map<string, Value>[] {
  const wanted = wantedOf(operation).map((parameter) => ({
    name: liveNameIn(operation, parameter),
    type: parameter.schema.type === 'integer' ? 'number' : 'string',
  }))
  if (wanted.length === 0) return [new Map()]
  const fitting = rows
    .having(wanted.map(({ name }) => name))
    .filter((row) => wanted.every(({ name, type }) => typeof row.get(name) === type))
  return fitting
    .slice(-RECORDS_OF_ONE_KIND)
    .map((row) => new Map(wanted.map(({ name }) => [name, row.get(name) ?? ''])))
}

async function read({ url, people }: Session, operation: Operation, values: Map<string, Value>) {
  const textsOf = (place: 'path' | 'query') => {
    const own = wantedOf(operation).filter((parameter) => parameter.in === place)
    return Object.fromEntries(
      own.map((parameter) => [parameter.name, String(values.get(liveNameIn(operation, parameter)))]),
    )
  }
  const path = fillPath(operation.path, textsOf('path'))
  const headers = { authorization: people.credentialOf('admin') ?? '' }
  const response = await fetch(`${url}${path}?${new URLSearchParams(textsOf('query'))}`, { headers })
  const hasEnd = !isLive(response.headers.get('content-type'))
  const text = hasEnd ? await response.text() : ''
  if (!hasEnd) await response.body?.cancel()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const body: unknown = response.status === 200 && isJson ? JSON.parse(text) : undefined
  return { status: response.status, text: text.slice(0, 300), body }
}

/** Finds counts of a record that differ from its lists: `member_count` and `members`. */
export function findMiscounts(record: unknown): string[] {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return []
  const fields = new Map<string, unknown>(Object.entries(record))
  return [...fields].flatMap(([name, count]) => {
    const list = name.endsWith('_count') ? fields.get(`${name.slice(0, -'_count'.length)}s`) : undefined
    return Array.isArray(list) && list.length !== count ? [`${name} is ${count} of ${list.length}`] : []
  })
}
