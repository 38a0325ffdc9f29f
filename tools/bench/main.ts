import { writeFile } from 'node:fs/promises'
import { readCommandLine } from '../local-servers/command-line.ts'
import { runContest } from './contest.ts'
import { writeDocument, writeParts } from './document.ts'
import { describeMachine } from './machine.ts'
import { runMemory } from './memory.ts'
import { benchCommand, type Options, readOptions } from './options.ts'
import { describeMissedTargets, type Report } from './results.ts'
import { runGrowth, runRoutes } from './run-routes.ts'
import { openPostgresServer, openQueueServer, type PostgresServer, type QueueServer } from './servers.ts'
import { type Size, sizeL, sizeOfContestTest, sizeS } from './sizes.ts'
import { type Generator, openStage, type Stage, startGenerator } from './stage.ts'

const NOTHING = { tables: [], growth: [], contest: [], memory: [] }

const options = readCommandLine(benchCommand, readOptions)
const postgres = await openPostgresServer()
const queue = await openQueueServer().catch(async (err: unknown) => {
  await postgres.remove()
  throw err
})
try {
  await run(options, { postgres, queue })
} finally {
  await queue.remove()
  await postgres.remove()
}

interface Servers {
  readonly postgres: PostgresServer
  readonly queue: QueueServer
}

async function run(chosen: Options, servers: Servers): Promise<void> {
  const machine = describeMachine(servers.postgres, servers.queue)
  for (const [name, value] of Object.entries(machine)) console.log(`${name}: ${value}`)
  const report: Report = { machine, ...(await measure(chosen, servers)) }
  await writeFile(chosen.json, JSON.stringify(report, null, 2))
  const parts = writeParts(report)
  for (const [name, text] of parts) console.log(`\n${name}\n\n${text}`)
  if (chosen.write) await writeDocument(parts)
  for (const line of describeMissedTargets(report.tables.flatMap(({ routes }) => routes))) console.log(line)
}

async function measure(chosen: Options, servers: Servers): Promise<Omit<Report, 'machine'>> {
  const generator = startGenerator()
  const stages: Stage[] = []
  const open = async (size: Size, hasMetrics = false): Promise<Stage> => {
    console.log(`filling a database of size ${size.name}`)
    const stage = await openStage(size, servers, hasMetrics)
    stages.push(stage)
    console.log(`filled in ${Math.round(stage.fillSeconds)} s`)
    return stage
  }
  try {
    return { ...NOTHING, ...(await measureMode(chosen, generator, open)) }
  } finally {
    await generator.end()
    for (const stage of stages) await stage.remove()
  }
}

async function measureMode(
  chosen: Options,
  generator: Generator,
  open: (size: Size, hasMetrics?: boolean) => Promise<Stage>,
): Promise<Partial<Report>> {
  if (chosen.mode === 'contest') return { contest: await runContest(await open(sizeOfContestTest, true)) }
  const first = await open(chosen.size === 'L' ? sizeL : sizeS)
  if (chosen.mode === 'memory') return { memory: await runMemory(first, generator, chosen.minutes) }
  const routes = await runRoutes(first, generator, chosen)
  const tables = [{ size: first.world.size.name, fillSeconds: first.fillSeconds, routes }]
  if (chosen.size !== 'both') return { tables }
  const large = await open(sizeL)
  const growth = await runGrowth(first, large, generator, chosen)
  const ofLarge = await runRoutes(large, generator, chosen, (route) => route.needsLargeContest === true)
  return { tables: [...tables, { size: 'L', fillSeconds: large.fillSeconds, routes: ofLarge }], growth }
}
