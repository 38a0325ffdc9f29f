import { DOCUMENT_PATH, type Operation } from '../../verification/openapi-operations.ts'
import { isLive } from './exchange.ts'
import { fillPath } from './plan.ts'
import { createRows, liveNameIn, type Rows, type Value } from './rows.ts'
import type { ServiceWatch, Session } from './session.ts'

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

/** Checks the service's log, process and memory. */
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
