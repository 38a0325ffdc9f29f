import { DOCUMENT_PATH, type Operation } from '../../verification/openapi-operations.ts'
import { liveNameIn } from './names.ts'
import { createRows, type Rows } from './rows.ts'
import type { Session } from './session.ts'

/** The service keeps its memory below this, whatever it is asked. */
const MOST_MEMORY_MEBIBYTES = 1024
/** How many records of a kind are read. */
const RECORDS = 4

/** Reads all that is known to be in the service; says what cannot be read, or does not agree with itself. */
export async function checkUp(session: Session): Promise<string[]> {
  const { operations, usedNames } = session
  const reads = operations.filter(({ method, path }) => method === 'GET' && path !== DOCUMENT_PATH)
  const seen = createRows(usedNames)
  const listed = new Map(reads.map(({ path }) => [path, createRows(usedNames)]))
  const problems: string[] = []
  // The paths with the fewest parameters first: they tell what the others need.
  for (const operation of reads.toSorted((a, b) => wantedOf(a).length - wantedOf(b).length)) {
    const list = LAST_PARAMETER.test(operation.path)
      ? listed.get(operation.path.replace(LAST_PARAMETER, ''))
      : undefined
    // What its own list has named is there to read; others may be another's, or of no use here.
    const mustBe = list !== undefined || wantedOf(operation).length === 0
    for (const values of valuesFor(operation, list ?? seen)) {
      const { status, text, body } = await read(session, operation, values)
      const place = `${operation.id} ${JSON.stringify([...values])}`
      if (status >= 500 || (mustBe && status !== 200)) problems.push(`${place} answered ${status}: ${text}`)
      problems.push(...findMiscounts(body).map((problem) => `${place}: ${problem}`))
      for (const rows of [session.rows, seen, listed.get(operation.path)]) {
        rows?.learn(operation.path, values, body)
      }
    }
  }
  return [...problems, ...(await checkProcess(session.service))]
}

const LAST_PARAMETER = /\/\{\w+\}$/

/** Says what is wrong with the service's process: its log, its end, its memory. */
export async function checkProcess(
  service: Pick<Session['service'], 'takeAlarms' | 'ending' | 'readResidentMebibytes'>,
): Promise<string[]> {
  const memory = (await service.readResidentMebibytes()) ?? 0
  const ending = service.ending()
  return [
    ...service.takeAlarms().map((line) => `the log says ${line}`),
    ...(ending === undefined ? [] : [`the service is gone: ${ending}`]),
    ...(memory > MOST_MEMORY_MEBIBYTES ? [`the service holds ${Math.round(memory)} MiB`] : []),
  ]
}

const wantedOf = ({ parameters }: Operation) => parameters.filter(({ required }) => required)

type Value = string | number

/** The required parameters' values, of up to some rows that have them all. */
function valuesFor(operation: Operation, rows: Rows): Map<string, Value>[] {
  const wanted = wantedOf(operation)
  if (wanted.length === 0) return [new Map()]
  const names = wanted.map((parameter) => liveNameIn(operation, parameter))
  const fitting = rows
    .having(names)
    .filter((row) =>
      wanted.every(
        ({ schema }, index) =>
          (schema.type === 'integer') === (typeof row.get(names[index] ?? '') === 'number'),
      ),
    )
  return fitting.slice(-RECORDS).map((row) => new Map(names.map((name) => [name, row.get(name) ?? ''])))
}

async function read({ url, people }: Session, operation: Operation, values: Map<string, Value>) {
  const wanted = wantedOf(operation).map((parameter) => ({
    ...parameter,
    value: String(values.get(liveNameIn(operation, parameter))),
  }))
  const inQuery = wanted.filter((parameter) => parameter.in === 'query')
  const query = new URLSearchParams(inQuery.map(({ name, value }): [string, string] => [name, value]))
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(wanted.find((parameter) => parameter.name === name)?.value ?? ''),
  )
  const response = await fetch(`${url}${path}?${query}`, {
    headers: { authorization: people.credentialOf('admin') ?? '' },
  })
  const text = await response.text()
  const body: unknown = response.status === 200 ? JSON.parse(text) : undefined
  return { status: response.status, text: text.slice(0, 300), body }
}

/** Says where a record counts what it also lists, and both do not agree. */
export function findMiscounts(record: unknown): string[] {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return []
  const fields = new Map<string, unknown>(Object.entries(record))
  return [...fields].flatMap(([name, count]) => {
    const list = name.endsWith('_count') ? fields.get(`${name.slice(0, -'_count'.length)}s`) : undefined
    return Array.isArray(list) && list.length !== count ? [`${name} is ${count} of ${list.length}`] : []
  })
}
