import { bindBatch } from '../../src/db/batch-form.ts'
import type { Transaction } from '../../src/db/database.ts'
import { bind, type NamedValues, type Statement, unprepared, type Value } from '../../src/db/statement.ts'

type Planned = Pick<Statement, 'name' | 'text' | 'order' | 'batch'>

/** A statement and the values to plan it with, by name. */
export type Case = readonly [statement: Planned, values: NamedValues]

/** The same for the batch form, with three requests of these values. */
export function batchOf([{ batch }, values]: Case): Case[] {
  if (batch === undefined) return []
  const arrays = bindBatch(batch, [values, values, values])
  return [[batch, Object.fromEntries(batch.order.map((name, place) => [name, arrays[place]]))]]
}

/** PostgreSQL plans early runs of a statement for their values, later ones for any values. */
export const PLAN_MODES = ['force_generic_plan', 'force_custom_plan'] as const

export type PlanMode = (typeof PLAN_MODES)[number]

/** Tables of few rows. All others may grow. */
const SMALL = new Set([
  ...['categories', 'languages', 'available_languages', 'judges', 'rejudgings', 'rejudging_decisions'],
  ...['seeds', 'schema_versions', 'webhooks', 'webhook_positions'],
])

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

/** Returns each scan of a whole growing table, with the name and the values of its statement. */
export async function findWholeScans(tx: Transaction, cases: readonly Case[], mode: PlanMode) {
  const found: string[] = []
  for (const one of cases) {
    const [{ name }, values] = one
    const scans = wholeScans(await explain(tx, one, mode), false)
    found.push(...scans.map((scan) => `${name} ${JSON.stringify(values)}: ${scan}`))
  }
  return found
}

const VALUES: Readonly<Record<string, Value>> = {
  uuid: '00000000-0000-7000-8000-000000000001',
  timestamptz: '2026-01-01T00:00:00Z',
  json: '[]',
  boolean: false,
}

/** Any values of the types that a statement's text names. */
export function anyValues({ text, order = [] }: Planned): NamedValues {
  const entries = order.map((name, place) => {
    const [, type = '', list] = new RegExp(`\\$${place + 1}::(\\w+)(\\[\\])?`).exec(text) ?? []
    const value = VALUES[type] ?? (type === 'text' ? 'x' : 1)
    return [name, list === undefined || Array.isArray(value) ? value : [value]]
  })
  return Object.fromEntries(entries)
}

export async function listNodes(tx: Transaction, one: Case, mode: PlanMode): Promise<PlanNode[]> {
  const withChildren = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(withChildren)]
  return withChildren(await explain(tx, one, mode))
}

async function explain(tx: Transaction, [planned, values]: Case, mode: PlanMode): Promise<PlanNode> {
  const { name, text, order = [] } = planned
  const given = Object.keys(values).sort().join(', ')
  const needed = [...order].sort().join(', ')
  if (given !== needed) throw new Error(`${name} has the parameters ${needed}, not ${given}`)
  await tx.execute(`set local plan_cache_mode = ${mode}; prepare hot as ${text}`)
  const literals = bind(planned, values).map(literal).join(', ')
  const [row] = await tx.query(
    unprepared<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (format json) execute hot${literals && `(${literals})`}`,
    ),
  )
  await tx.execute('deallocate hot')
  const [plan] = row?.['QUERY PLAN'] ?? []
  if (plan === undefined) throw new Error(`${name} has no plan`)
  return plan.Plan
}

/** Indexes of few rows of a growing table: the admins, and contests with a rule. */
const PARTIAL = new Set(['users_admins', 'events_hiding_questions'])

/** An index scan without a condition reads the whole index, unless a limit stops it. */
function wholeScans(node: PlanNode, isLimited: boolean): string[] {
  const { 'Node Type': type, 'Relation Name': table, Plans: children = [] } = node
  const readsIndex = type === 'Index Scan' || type === 'Index Only Scan'
  const isPartial = PARTIAL.has(node['Index Name'] ?? '')
  const isWhole =
    type === 'Seq Scan' || (readsIndex && node['Index Cond'] === undefined && !isLimited && !isPartial)
  const below = isLimited || type === 'Limit'
  return [
    ...(isWhole && table !== undefined && !SMALL.has(table) ? [`${type} on ${table}`] : []),
    ...children.flatMap((child) => wholeScans(child, below)),
  ]
}

function literal(value: Value): string {
  if (value === null) return 'null'
  const text = Array.isArray(value)
    ? `{${value.map((item) => JSON.stringify(item)).join(',')}}`
    : String(value)
  return `'${text.replaceAll("'", "''")}'`
}
