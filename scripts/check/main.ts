import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { findMissing } from './needs.ts'
import { type Part, partsOf } from './parts.ts'
import { type Outcome, runPart, stopParts } from './run-part.ts'
import { summarise, writeTable } from './summary.ts'

/**
 * npm run check [-- --only NAME] [--without NAME]: runs all parts. Prints the last lines of those
 * that failed, a table, and "N passed, N failed". Leaves out parts whose tools are missing, and
 * names them. `.ci/run` runs it with `--ci`, for its own parts; then none is left out.
 */
const { values } = parseArgs({
  options: {
    ci: { type: 'boolean', default: false },
    /** The wall and CPU seconds of `npm ci`, for the table: `60.1,42.0`. */
    installed: { type: 'string' },
    only: { type: 'string', multiple: true },
    without: { type: 'string', multiple: true, default: [] },
  },
})
const AT_ONCE = 2
const parts = partsOf(values.ci ? '.ci/run' : 'npm run check')
const names = parts.map(({ name }) => name)
const unknown = [...(values.only ?? []), ...values.without].filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(' ')}\nknown: ${names.join(' ')}`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'judge-check-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    stopParts()
    process.exit(1)
  })

const outcomes: Outcome[] = readInstallation(values.installed)
const leftOut: string[] = []
const chosen = parts.filter(
  ({ name }) => (values.only ?? names).includes(name) && !values.without.includes(name),
)
for (const group of groupNeighbours(chosen)) outcomes.push(...(await runGroup(group)))
for (const { name, failure, lastLines } of outcomes)
  if (failure !== undefined) console.log(`== the last lines of ${name}\n${lastLines}`)
writeTable(outcomes)
for (const reason of leftOut) console.log(`left out: ${reason}`)
const isAsked = values.only !== undefined
process.exitCode = summarise(folder, outcomes) && !(isAsked && outcomes.length === 0) ? 0 : 1

function readInstallation(times: string | undefined): Outcome[] {
  if (times === undefined) return []
  const [wallSeconds = 0, cpuSeconds = 0] = times.split(',').map(Number)
  return [{ name: 'npm-ci', failure: undefined, wallSeconds, cpuSeconds, lastLines: '' }]
}

/** Parts that run beside each other, `AT_ONCE` at a time. */
function groupNeighbours(all: readonly Part[]): Part[][] {
  const groups: Part[][] = []
  for (const part of all) {
    const last = groups.at(-1)
    if (part.beside !== undefined && last?.[0]?.beside === part.beside) last.push(part)
    else groups.push([part])
  }
  return groups
}

async function runGroup(group: readonly Part[]): Promise<readonly Outcome[]> {
  const present: Part[] = []
  for (const part of group) {
    const missing = values.ci ? [] : await findMissing(part.needs ?? [])
    if (missing.length === 0) present.push(part)
    else leftOut.push(`${part.name}, which needs ${missing.join(', ')}`)
  }
  return pLimit(AT_ONCE).map(present, async (part) => {
    console.log(`== ${part.name}`)
    const outcome = await runPart(part, folder, present.length === 1)
    const { name, failure, wallSeconds } = outcome
    const end = failure === undefined ? 'passed' : `FAILED: ${failure}`
    console.log(`== ${name}: ${end} in ${wallSeconds.toFixed(0)} s`)
    return outcome
  })
}
