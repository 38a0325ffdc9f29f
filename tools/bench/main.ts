import { readFile, writeFile } from 'node:fs/promises'
import { loadavg, release } from 'node:os'
import { readCommandLine } from '../local-servers/command-line.ts'
import { describeHardware } from '../local-servers/report.ts'
import { productionNodeOptions } from '../local-servers/service.ts'
import { readReport, writeCharts } from './charts/write-charts.ts'
import { runContest } from './contest.ts'
import { runJudging } from './judging.ts'
import { runLargeTests } from './large-tests.ts'
import { runLive } from './live.ts'
import { runMemory } from './memory.ts'
import { type Options, readOptions } from './options.ts'
import { runPackages } from './packages.ts'
import { runPartitions } from './partitions.ts'
import { describeMissedTargets, type Report, replaceParts, writeParts } from './report.ts'
import { runGrowth, runRoutes } from './run-routes.ts'
import { runScaling } from './scaling.ts'
import { openPostgresServer, openQueueServer } from './servers.ts'
import { POOL_SIZE, type Size, sizeL, sizeOfContestTest, sizeOfLiveTest, sizeS } from './sizes.ts'
import { openStage, type Servers, type Stage, startGenerator } from './stage.ts'

const DOCS = new URL('../../docs/', import.meta.url)
const DOCUMENT = new URL('benchmark.md', DOCS)
const SCALING_DOCUMENT = new URL('scaling.md', DOCS)
const PARTITION_ROWS = [1_000_000, 3_000_000, 10_000_000]
const QUICK_PARTITION_ROWS = [10_000, 30_000, 100_000]

const options = readCommandLine(readOptions)
if (options.mode === 'charts') await writeCharts(await readReport(options.json), DOCS)
else if (options.mode === 'judging') await report(options, describeHost(), await measureJudging(options))
else await runWithServers(options)

async function runWithServers(chosen: Options): Promise<void> {
  const postgres = await openPostgresServer()
  try {
    const queue = await openQueueServer()
    const generator = startGenerator()
    await run(chosen, { postgres, queue, generator }).finally(async () => {
      await generator.end()
      await queue.remove()
    })
  } finally {
    await postgres.remove()
  }
}

async function run(chosen: Options, servers: Servers): Promise<void> {
  const machine = describeMachine(servers)
  for (const [name, value] of Object.entries(machine)) console.log(`${name}: ${value}`)
  await report(chosen, machine, await measure(chosen, servers))
}

async function measureJudging({ rounds }: Options): Promise<Partial<Report>> {
  return { judging: await runJudging(rounds) }
}

async function report(chosen: Options, machine: Report['machine'], measured: Partial<Report>): Promise<void> {
  const nothing = { tables: [], growth: [], contest: [], memory: [], largeTests: [], packages: [] }
  const complete: Report = { machine, ...nothing, ...measured }
  await writeFile(chosen.json, JSON.stringify(complete, null, 2))
  const parts = writeParts(complete)
  for (const [name, text] of parts) console.log(`\n${name}\n\n${text}`)
  if (chosen.write) {
    const isOfScaling = chosen.mode === 'scaling' || chosen.mode === 'partitions'
    const document = isOfScaling ? SCALING_DOCUMENT : DOCUMENT
    await writeFile(document, replaceParts(await readFile(document, 'utf8'), parts))
    await writeCharts(complete, DOCS)
  }
  const routes = complete.tables.flatMap((table) => table.routes)
  for (const line of describeMissedTargets(routes)) console.log(line)
}

function describeMachine(servers: Servers): Record<string, string> {
  const { load, date, ...host } = describeHost()
  return {
    ...host,
    postgres: servers.postgres.description,
    queue: servers.queue.description,
    'connections of the service to PostgreSQL': String(POOL_SIZE),
    load,
    date,
  }
}

function describeHost() {
  const { processor, memory, node } = describeHardware()
  return {
    processor,
    memory,
    system: `Linux ${release()}`,
    node: `${node} ${productionNodeOptions().join(' ')}`,
    load: loadavg()
      .map((load) => load.toFixed(1))
      .join(', '),
    date: new Date().toISOString().slice(0, 10),
  }
}

async function measure(chosen: Options, servers: Servers): Promise<Partial<Report>> {
  const stages: Stage[] = []
  const open = async (size: Size, hasMetrics = false): Promise<Stage> => {
    console.log(`filling a database of size ${size.name}`)
    const stage = await openStage(size, servers, hasMetrics)
    stages.push(stage)
    console.log(`filled in ${Math.round(stage.fillSeconds)} s`)
    return stage
  }
  try {
    if (chosen.mode === 'contest') {
      return { contest: await runContest(await open(sizeOfContestTest, true), chosen) }
    }
    if (chosen.mode === 'live') return { live: await runLive(await open(sizeOfLiveTest, true), chosen) }
    if (chosen.mode === 'partitions') {
      const steps = chosen.isQuick ? QUICK_PARTITION_ROWS : PARTITION_ROWS
      return { partitions: await runPartitions(servers.postgres, { steps, seconds: chosen.seconds }) }
    }
    const first = await open(chosen.size === 'L' ? sizeL : sizeS)
    if (chosen.mode === 'scaling') return { scaling: await runScaling(first, chosen) }
    if (chosen.mode === 'memory') return { memory: await runMemory(first, chosen.minutes) }
    if (chosen.mode === 'packages') return { packages: await runPackages(first) }
    if (chosen.mode === 'tests') return { largeTests: await runLargeTests(first) }
    const routes = await runRoutes(first, chosen)
    const tables = [{ size: first.world.size.name, fillSeconds: first.fillSeconds, routes }]
    if (chosen.size !== 'both') return { tables }
    const large = await open(sizeL)
    const growth = await runGrowth(first, large, chosen)
    const ofLarge = await runRoutes(large, chosen, (route) => route.needsLargeEvent === true)
    return { tables: [...tables, { size: 'L', fillSeconds: large.fillSeconds, routes: ofLarge }], growth }
  } finally {
    for (const stage of stages) await stage.remove()
  }
}
