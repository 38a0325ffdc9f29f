import { DOCUMENT_PATH, type Operation } from '../../verification/openapi-operations.ts'
import { liveNameIn } from './names.ts'
import { createRows, type Rows } from './rows.ts'
import type { ServiceUnderTest } from './service-under-test.ts'
import type { Session } from './session.ts'

const MOST_MEMORY_MEBIBYTES = 1024
const RECORDS_OF_ONE_KIND = 4

/** Reads records of every kind. Returns those that cannot be read or contradict themselves. */
export async function checkUp(session: Session): Promise<string[]> {
  const { operations, usedNames } = session
  const reads = operations.filter(({ method, path }) => method === 'GET' && path !== DOCUMENT_PATH)
  const seen = createRows(usedNames)
  const listed = new Map(reads.map(({ path }) => [path, createRows(usedNames)]))
  const problems: string[] = []
  // Paths with few parameters first: their responses contain the values of the others.
  for (const operation of reads.toSorted((a, b) => wantedOf(a).length - wantedOf(b).length)) {
    const list = LAST_PARAMETER.test(operation.path)
      ? listed.get(operation.path.replace(LAST_PARAMETER, ''))
      : undefined
    // A record in its own list must be readable; other ids may belong to other users.
    const mustBe = list !== undefined || wantedOf(operation).length === 0
    for (const values of valuesFor(operation, list ?? seen)) {
      const { status, text, body } = await read(session, operation, values)
      const place = `${operation.id} ${JSON.stringify([...values])}`
      if (status >= 500 || (mustBe && status !== 200)) problems.push(`${place}: ${status} ${text}`)
      problems.push(...findMiscounts(body).map((problem) => `${place}: ${problem}`))
      for (const rows of [session.rows, seen, listed.get(operation.path)]) {
        rows?.learn(operation.path, values, body)
      }
    }
  }
  return [...problems, ...checkProcess(session.service)]
}

const LAST_PARAMETER = /\/\{\w+\}$/

/** Checks the service's log, process and memory. */
export function checkProcess(
  service: Pick<ServiceUnderTest, 'takeAlarms' | 'readResidentMebibytes'>,
): string[] {
  const memory = service.readResidentMebibytes()
  const isTooMuch = memory > MOST_MEMORY_MEBIBYTES
  return [...service.takeAlarms(), ...(isTooMuch ? [`the service uses ${Math.round(memory)} MiB`] : [])]
}

const wantedOf = ({ parameters }: Operation) => parameters.filter(({ required }) => required)

type Value = string | number

/** Values for the required parameters, from rows that have all of them. */
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
  return fitting
    .slice(-RECORDS_OF_ONE_KIND)
    .map((row) => new Map(names.map((name) => [name, row.get(name) ?? ''])))
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

/** Finds counts of a record that differ from its lists: `member_count` and `members`. */
export function findMiscounts(record: unknown): string[] {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return []
  const fields = new Map<string, unknown>(Object.entries(record))
  return [...fields].flatMap(([name, count]) => {
    const list = name.endsWith('_count') ? fields.get(`${name.slice(0, -'_count'.length)}s`) : undefined
    return Array.isArray(list) && list.length !== count ? [`${name} is ${count} of ${list.length}`] : []
  })
}
