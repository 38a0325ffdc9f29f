import { readFile, writeFile } from 'node:fs/promises'
import { writeTable } from '../local-servers/markdown-table.ts'
import type { Report } from './results.ts'
import { writeContestTable, writeGrowthTable, writeMemoryTable, writeRoutesTable } from './tables.ts'

const file = new URL('../../docs/benchmark.md', import.meta.url)

/** The parts of docs/benchmark.md by name, without those that the run did not measure. */
export function writeParts({ machine, tables, growth, contest, memory }: Report): Map<string, string> {
  const parts = new Map<string, string>()
  if (tables.length > 0) parts.set('machine', writeTable(['', ''], Object.entries(machine)))
  for (const { size, fillSeconds, routes } of tables) {
    parts.set(`size ${size}`, `Filled in ${Math.round(fillSeconds)} s.\n\n${writeRoutesTable(routes)}`)
  }
  if (growth.length > 0) parts.set('growth', writeGrowthTable(growth))
  const load = `Load of the machine before: ${machine.load ?? 'unknown'}.\n\n`
  if (contest.length > 0) parts.set('contest', `${load}${writeContestTable(contest)}`)
  if (memory.length > 0) parts.set('memory', `${load}${writeMemoryTable(memory)}`)
  return parts
}

/** Replaces the parts between their marks. Throws if a mark is missing. */
export function replaceParts(text: string, parts: ReadonlyMap<string, string>): string {
  let replaced = text
  for (const [name, content] of parts) {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`]
    const from = replaced.indexOf(begin)
    const to = replaced.indexOf(end)
    if (from < 0 || to < from) throw new Error(`docs/benchmark.md has no marks for "${name}"`)
    replaced = `${replaced.slice(0, from + begin.length)}\n${content}\n${replaced.slice(to)}`
  }
  return replaced
}

/** Writes the parts of docs/benchmark.md. */
export async function writeDocument(parts: ReadonlyMap<string, string>): Promise<void> {
  await writeFile(file, replaceParts(await readFile(file, 'utf8'), parts))
}
