import type { Operation, Parameter, Schema } from '../../test/support/verification/openapi-operations.ts'
import { type Choose, type Live, livesOf, type Plan } from './plan.ts'

export type Value = Live['fallback']
type Row = ReadonlyMap<string, Value>

/** The kind of id of a contest that has ended in a freeze. */
export const FROZEN_EVENT = 'frozen_event_id'

/** The kind of id of a contest that staff can start or thaw over the Contest API. */
const CHANGEABLE_EVENT = 'changeable_event_id'

const ROWS_OF_ONE_KIND = 40
/** Longer texts would make all later requests as long. */
const LONGEST_TEXT = 300
/** No record of the service is nested deeper; hostile requests may be. */
const DEEPEST = 8

export type Rows = ReturnType<typeof createRows>

export function createRows(usedNames: ReadonlySet<string>) {
  const kinds = new Map<string, Row[]>()
  const keep = (kind: string, row: Row) =>
    kinds.set(kind, [...(kinds.get(kind) ?? []), row].slice(-ROWS_OF_ONE_KIND))
  const having = (names: readonly string[]) =>
    [...kinds.values()].flat().filter((row) => names.every((name) => row.has(name)))
  const pickValue = ({ name, pick, fallback, fits }: Live) => {
    const named = having([name]).flatMap((row) => row.get(name) ?? [])
    const allIds = () => having([]).flatMap((row) => [...row].flatMap(([key, id]) => (isId(key) ? [id] : [])))
    // The path may call an id by another name: use any id of its type.
    const values = named.some(fits) || !isId(name) ? named : allIds()
    const fitting = values.filter(fits)
    return fitting[pick % fitting.length] ?? fallback
  }
  return {
    having,
    /** Adds the records of a parsed response; `values` come from the path. */
    learn(path: string, values: Row, response: unknown): void {
      const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
      for (const [kind, row] of readRows(segments, values, response)) {
        const used = [...row].filter(([name]) => usedNames.has(name))
        if (used.length > 0) keep(kind, new Map(used))
        for (const { name, alias, on } of ALIASES) {
          const id = row.get(name)
          if (id !== undefined && (on === undefined || (on === path && kind === name)))
            keep(alias, new Map([...used, [alias, id]]))
        }
      }
    },
    add: (name: string, value: Value) => keep(name, new Map([[name, value]])),
    /** Adds a contest that staff can start or thaw; the body repeats its id. */
    addChangeable: (id: number) =>
      keep(
        CHANGEABLE_EVENT,
        new Map<string, Value>([
          [CHANGEABLE_EVENT, id],
          ['contest_id', String(id)],
        ]),
      ),
    chooserFor(plan: Plan): Choose {
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

/** Ids that other routes call by another name: from any response, or those of one path. */
const ALIASES: readonly { name: string; alias: string; on?: string }[] = [
  // The judge routes take it as the id of a submission.
  { name: 'shadow_judging_id', alias: 'submission_id' },
  { name: 'rejudging_id', alias: 'decision_id', on: '/v1/rejudgings' },
]

/** The kind of id that leads to a success, by the path and name of a parameter. */
const NARROWER = new Map([
  ['/v1/events/{event_id}/thaw event_id', FROZEN_EVENT],
  ['/v1/scoreboard/{event_id}/standings event_id', FROZEN_EVENT],
  ['/v1/scoreboard/{event_id}/clock event_id', FROZEN_EVENT],
  ['/v1/clics/contests/{event_id} event_id', CHANGEABLE_EVENT],
])

export const narrowName = (path: string, name: string): string => NARROWER.get(`${path} ${name}`) ?? name

const isId = (name: string) => name.endsWith('_id')

/** Each object of a response is a row of its kind: its values and the ids around it. */
function* readRows(collections: readonly string[], outer: Row, value: unknown): Generator<[string, Row]> {
  if (collections.length > DEEPEST) return
  const own = singularOf(collectionOf(collections))
  if (typeof value === 'string') yield [`${own}_id`, new Map([...outer, [`${own}_id`, value]])]
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    const objects = value.filter((item) => typeof item === 'object' && !Array.isArray(item))
    for (const item of objects) yield* readRows(collections, outer, item)
    return
  }
  // An event's problem has an id and a problem_id: `id` is an event_problem_id.
  const owner = singularOf(collectionOf(collections.slice(0, -1)))
  const kind = `${own}_id` in value ? `${owner}_${own}_id` : `${own}_id`
  const values = Object.entries(value).flatMap(([name, field]): [string, Value][] => {
    const isKept = typeof field === 'number' || (typeof field === 'string' && field.length <= LONGEST_TEXT)
    return isKept ? [[name === 'id' ? kind : name, field]] : []
  })
  yield [kind, new Map([...outer, ...values])]
  const ids = new Map([...outer, ...values.filter(([name]) => isId(name))])
  for (const [name, field] of Object.entries(value)) {
    if (typeof field === 'object') yield* readRows([...collections, name], ids, field)
  }
}

const singularOf = (word: string) => word.replace(/ies$/, 'y').replace(/s$/, '')

/** The kind of value in a field, for example `category_id` for `category_ids`. */
export function liveNameOf(name: string, owner: string, isIdentifier: boolean): string {
  if (name === 'id') return owner === 'problem_description' ? 'problem_id' : `${singularOf(owner)}_id`
  const one = singularOf(name)
  return !isIdentifier || isId(one) ? one : `${one}_id`
}

export const liveNameIn = ({ path }: Operation, { name, schema }: Parameter): string =>
  liveNameOf(narrowName(path, name), ownerIn(path, name), isIdLike(schema))

/** The collection of a path's parameter: the fixed segment before it, or the last. */
export const ownerIn = (path: string, name: string): string =>
  collectionOf((path.split(`{${name}}`, 1)[0] ?? path).split('/'))

export const collectionOf = (segments: readonly string[]): string =>
  segments.findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? ''

export function usedNamesOf(operations: readonly Operation[]): Set<string> {
  const names = operations.flatMap((operation) => [
    ...operation.parameters.map((parameter) => liveNameIn(operation, parameter)),
    ...namesWithin(operation.body?.schema ?? {}, '', collectionOf(operation.path.split('/'))),
  ])
  return new Set(names)
}

function namesWithin(schema: Schema, name: string, owner: string): string[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])]
  return [
    ...(name === '' ? [] : [liveNameOf(name, owner, isIdLike(schema))]),
    ...Object.entries(schema.properties ?? {}).flatMap(([field, inner]) =>
      namesWithin(inner, field, name === '' ? owner : name),
    ),
    ...parts.flatMap((part) => namesWithin(part, name, owner)),
  ]
}

const isIdLike = ({ format, type }: Schema) => format === 'uuid' || type === 'integer'
