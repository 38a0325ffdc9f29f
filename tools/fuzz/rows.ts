import type { Live } from './json.ts'
import { collectionOf, singularOf } from './names.ts'
import { livesOf, type Plan } from './plan.ts'

type Value = string | number
type Row = ReadonlyMap<string, Value>

const ROWS_OF_ONE_KIND = 40
/** Longer texts would make all later requests as long. */
const LONGEST_TEXT = 300
/** No record of the service is nested deeper; hostile requests may be. */
const DEEPEST = 8

/** Known records of the service, from its responses. */
export interface Rows {
  /** Adds the records of a parsed response; `values` come from the path. */
  learn(path: string, values: ReadonlyMap<string, Value>, response: unknown): void
  /** Adds a single value, such as a cursor. */
  add(name: string, value: Value): void
  /** The rows with all these names, the newest last. */
  having(names: readonly string[]): Row[]
  /** Chooses the live values of a plan, if possible from one row. */
  chooserFor(plan: Plan): (live: Live) => Value
}

/** Keeps the values of names that requests use. */
export function createRows(usedNames: ReadonlySet<string>): Rows {
  const kinds = new Map<string, Row[]>()
  const keep = (kind: string, row: Row) => {
    const rows = kinds.get(kind) ?? []
    kinds.set(kind, [...rows, row].slice(-ROWS_OF_ONE_KIND))
  }
  const having = (names: readonly string[]) =>
    [...kinds.values()].flat().filter((row) => names.every((name) => row.has(name)))
  const allIds = () =>
    having([]).flatMap((row) => [...row].flatMap(([name, value]) => (name.endsWith('_id') ? [value] : [])))
  const pickValue = (live: Live) => {
    const values = having([live.name]).flatMap((row) => row.get(live.name) ?? [])
    const named = values.filter(live.fits)
    // The path may call an id by another name: use any id of its type.
    const fitting = named.length > 0 ? named : live.name.endsWith('_id') ? allIds().filter(live.fits) : []
    return fitting[live.pick % fitting.length] ?? live.fallback
  }
  return {
    learn: (path, values, response) => {
      const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
      for (const { kind, row } of readRows(segments, values, response)) {
        const used = [...row].filter(([name]) => usedNames.has(name))
        if (used.length > 0) keep(kind, new Map(used))
      }
    },
    add: (name, value) => keep(name, new Map([[name, value]])),
    having,
    chooserFor: (plan) => {
      const wanted = [...new Set(livesOf(plan).map((live) => live.name))]
      const rows = having([])
      const covers = rows.map((row) => wanted.filter((name) => row.has(name)).length)
      const most = Math.max(...covers)
      const best = rows.filter((_, index) => covers[index] === most)
      const row = best[plan.pick % best.length]
      return (live) => {
        const own = row?.get(live.name)
        // One in five comes from another row.
        return own !== undefined && live.pick % 5 !== 0 && live.fits(own) ? own : pickValue(live)
      }
    },
  }
}

interface FoundRow {
  readonly kind: string
  readonly row: Row
}

/** Each object of a response is a row: its values and the ids of the objects around it. */
function* readRows(collections: readonly string[], outer: Row, value: unknown): Generator<FoundRow> {
  if (collections.length > DEEPEST) return
  if (typeof value === 'string') {
    const kind = `${singularOf(collectionOf(collections))}_id`
    yield { kind, row: new Map([...outer, [kind, value]]) }
  }
  if (Array.isArray(value)) {
    for (const item of value)
      if (!Array.isArray(item) && typeof item === 'object') yield* readRows(collections, outer, item)
  } else if (typeof value === 'object' && value !== null) {
    yield* readObject(collections, outer, value)
  }
}

function* readObject(collections: readonly string[], outer: Row, object: object): Generator<FoundRow> {
  const entries = Object.entries(object)
  const own = singularOf(collectionOf(collections))
  // An event's problem has an id and a problem_id: `id` is an event_problem_id.
  const owner = singularOf(collectionOf(collections.slice(0, -1)))
  const kind = `${own}_id` in object ? `${owner}_${own}_id` : `${own}_id`
  const values = entries.flatMap(([name, value]): [string, Value][] => {
    const isKept = typeof value === 'number' || (typeof value === 'string' && value.length <= LONGEST_TEXT)
    return isKept ? [[name === 'id' ? kind : name, value]] : []
  })
  const ids = values.filter(([name]) => name.endsWith('_id'))
  const row = new Map([...outer, ...values])
  yield { kind, row }
  for (const [name, value] of entries) {
    if (typeof value === 'object') yield* readRows([...collections, name], new Map([...outer, ...ids]), value)
  }
}
