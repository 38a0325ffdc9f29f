import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Statement } from '../src/db/statement.ts'

const SOURCES = new URL('../src/', import.meta.url)
const DEFINES_STATEMENTS =
  /\b(statement|coalescedStatement|actorStatement|defineList|defineWrittenList|defineReading|defineDocument|defineCollection)(<\w+>)?\(\{/
const DEFINITIONS = [
  'db/statement.ts',
  'db/batch-form.ts',
  'db/actor-statement.ts',
  'lists/definition.ts',
  'lists/written-list.ts',
]

/** Examples of statements that a function makes for its arguments. */
const examples: Readonly<Record<string, readonly string[]>> = {
  findMissing: ['problem_id', 'user_id'],
  rejudge: ['problem_id', 'user_id'],
}

/** Every statement of the service, by folder of `src`. */
export async function readStatements(): Promise<ReadonlyMap<string, readonly Statement[]>> {
  const files = await readdir(SOURCES, { recursive: true })
  const sections = new Map<string, Statement[]>()
  for (const file of files.filter((name) => name.endsWith('.ts') && !DEFINITIONS.includes(name)).sort()) {
    if (!DEFINES_STATEMENTS.test(await readFile(new URL(file, SOURCES), 'utf8'))) continue
    const section = basename(dirname(file))
    const module: Record<string, unknown> = await import(new URL(file, SOURCES).href)
    sections.set(section, [...(sections.get(section) ?? []), ...statementsIn(module)])
  }
  return sections
}

/**
 * Statements as PostgreSQL receives them, under the name of their folder: all, or those with this
 * name or in this folder. Undefined if there is none.
 */
export async function describeStatements(name?: string): Promise<string | undefined> {
  const parts = [...(await readStatements())].flatMap(([section, statements]) => {
    const forms = statements.flatMap(({ batch, ...single }) => [single, ...(batch ? [batch] : [])])
    const chosen = forms.filter((form) => name === undefined || [section, form.name].includes(name))
    const line = `-- ${section} ${'-'.repeat(96 - section.length)}`
    return chosen.length > 0 ? [line, ...chosen.map(describeStatement)] : []
  })
  return parts.length > 0 ? `${parts.join('\n\n')}\n` : undefined
}

function statementsIn(exports: Readonly<Record<string, unknown>>): Statement[] {
  const named = Object.entries(exports).sort(([a], [b]) => (a < b ? -1 : 1))
  return named.flatMap(([name, value]) => {
    const example = examples[name]
    if (example !== undefined && typeof value === 'function') return statementsOf(value(example))
    return statementsOf(value)
  })
}

/** A statement, those of a list, a document or a collection, or of a record of them. */
function statementsOf(value: unknown, depth = 2): Statement[] {
  if (isStatement(value)) return [value]
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.values(value).flatMap((part) => statementsOf(part, depth - 1))
}

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'text' in value && 'order' in value && 'name' in value
}

function describeStatement({ name, text, order = [] }: Pick<Statement, 'name' | 'text' | 'order'>): string {
  const parameters = order.map((parameter, place) => `$${place + 1} ${parameter}`)
  const heads = wrap([name, ...parameters].join(', ').replace(',', ':'), /, (?=\$)/g)
  return [...heads.map((head) => `-- ${head}`), `${indent(text)};`].join('\n')
}

const LINE = 96
const CLAUSES = / (?=(?:and|or|from|where|join|left join|cross join|then|else|filter|order by)\b)/g

/** Breaks a line at the last places within `LINE` columns where it may be broken. */
function wrap(line: string, places: RegExp): string[] {
  if (line.length <= LINE) return [line]
  const found = [...line.matchAll(places)].map(({ index, 0: { length } }) => ({
    index,
    next: index + length,
  }))
  const place = found.findLast(({ index }) => index > 0 && index <= LINE) ?? found[0]
  if (place === undefined || place.index === 0) return [line]
  const end = line.slice(0, place.index) + (line[place.index] === ',' ? ',' : '')
  return [end, ...wrap(line.slice(place.next), places)]
}

const count = (line: string, pattern: RegExp) => line.match(pattern)?.length ?? 0

/** Indents each line by the parentheses and the `case`s that are open before it. */
function indent(text: string): string {
  let depth = 0
  const whole = text.split('\n').map((line) => line.trim())
  const lines = whole
    .filter((line) => line !== '')
    .flatMap((line) => wrap(line, CLAUSES))
    .map((trimmed) => {
      const closing = count(/^(\)|\s|end\b)+/.exec(trimmed)?.[0] ?? '', /\)|end/g)
      const continued = /^(and|or|then)\b/.test(trimmed) ? 1 : 0
      const indentation = '  '.repeat(Math.max(0, depth - closing) + continued)
      depth += count(trimmed, /\(|\bcase\b/g) - count(trimmed, /\)|\bend\b/g)
      return indentation + trimmed
    })
  return lines.join('\n')
}
