import type { Live } from './json.ts'
import { collectionOf, singularOf } from './names.ts'
import { livesOf, type Plan } from './plan.ts'

type Value = string | number
type Row = ReadonlyMap<string, Value>

/** How many rows of one kind are remembered. */
const ROWS_OF_ONE_KIND = 40
/** Longer texts would make every later request as long. */
const LONGEST_TEXT = 300
/** Nothing of the service lies deeper within an answer; what was sent may. */
const DEEPEST = 8

/** What is known to be in the service, read out of its own answers. */
export interface Rows {
  /** Remembers what an answer (parsed) says there is; `path` is its operation's, `asked` the values of that path. */
  learn(path: string, asked: ReadonlyMap<string, Value>, answer: unknown): void
  /** Adds a value by itself, such as the cursor of a list. */
  add(name: string, value: Value): void
  /** All rows that have a value of each name, the newest last. */
  having(names: readonly string[]): Row[]
  /** Chooses the live values of a plan, where it can of one row or of rows that belong together. */
  chooserFor(plan: Plan): (live: Live) => Value
}

/** Keeps rows for those names that requests can use. */
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
    // A path that calls a problem's id by another name takes any id of its type.
    const fitting = named.length > 0 ? named : live.name.endsWith('_id') ? allIds().filter(live.fits) : []
    return fitting[live.pick % fitting.length] ?? live.fallback
  }
  return {
    learn: (path, asked, answer) => {
      const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
      for (const { kind, row } of readRows(segments, asked, answer)) {
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
        // One in five is a stranger to the others.
        return own !== undefined && live.pick % 5 !== 0 && live.fits(own) ? own : pickValue(live)
      }
    },
  }
}

interface FoundRow {
  readonly kind: string
  readonly row: Row
}

/** Every object within an answer is a row: its own values, and the ids of what it is within. */
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
  // The problem of an event has an id and a problem_id: the id is the event problem's.
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
