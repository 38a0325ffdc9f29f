import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { loadavg, release } from 'node:os'
import { readCommandLine } from '../local-servers/command-line.ts'
import { describeHardware } from '../local-servers/report.ts'
import { productionNodeOptions } from '../local-servers/service.ts'
import { PEOPLE_TARGET, runContest } from './contest.ts'
import { runJudging } from './judging.ts'
import { runLive } from './live.ts'
import { runMemory } from './memory.ts'
import { type Options, readOptions } from './options.ts'
import { type Report, replaceParts, writeParts } from './report.ts'
import { runGrowth, runRoutes } from './run-routes.ts'
import { POOL_SIZE, type Size, sizeL, sizeOfContestTest, sizeS } from './sizes.ts'
import {
  openPostgresServer,
  openQueueServer,
  openStage,
  type Servers,
  type Stage,
  startGenerator,
} from './stage.ts'

const DOCS = new URL('../../docs/', import.meta.url)

const options = readCommandLine(readOptions)
if (options.mode === 'judging') {
  await report(options, { machine: describeHost(), judging: await runJudging(options.rounds) })
} else await runWithServers(options)

async function runWithServers(chosen: Options): Promise<void> {
  const postgres = await openPostgresServer()
  try {
    const queue = await openQueueServer()
    const generator = startGenerator()
    const machine = {
      ...describeHost(),
      ...{ postgres: postgres.description, queue: queue.description },
      'connections of the service to PostgreSQL': String(POOL_SIZE),
    }
    for (const [name, value] of Object.entries(machine)) console.log(`${name}: ${value}`)
    try {
      await report(chosen, { machine, ...(await measure(chosen, { postgres, queue, generator })) })
    } finally {
      await generator.end()
      await queue.remove()
    }
  } finally {
    await postgres.remove()
  }
}

async function report(chosen: Options, complete: Report): Promise<void> {
  await writeFile(chosen.json, JSON.stringify(complete, null, 2))
  const parts = writeParts(complete)
  for (const [name, { text }] of parts) console.log(`\n${name}\n\n${text}`)
  if (chosen.write) {
    const document = new URL('performance.md', DOCS)
    await writeFile(document, replaceParts(await readFile(document, 'utf8'), parts))
    await mkdir(new URL('charts/', DOCS), { recursive: true })
    for (const [name, { svg }] of parts) {
      if (svg !== undefined) await writeFile(new URL(`charts/${name}.svg`, DOCS), svg)
    }
  }
}

function describeHost() {
  const { processor, memory, node } = describeHardware()
  return {
    ...{ processor, memory, system: `Linux ${release()}` },
    node: `${node} ${productionNodeOptions().join(' ')}`,
    load: loadavg()
      .map((load) => load.toFixed(1))
      .join(', '),
    date: new Date().toISOString().slice(0, 10),
  }
}

async function measure(chosen: Options, servers: Servers): Promise<Omit<Report, 'machine'>> {
  const stages: Stage[] = []
  const open = async (size: Size, hasMetrics = false): Promise<Stage> => {
    console.log(`filling a database of size ${size.name}`)
    const stage = await openStage(size, servers, hasMetrics)
    stages.push(stage)
    return stage
  }
  try {
    if (chosen.mode === 'contest') {
      const stage = await open(sizeOfContestTest, true)
      return { contest: await runContest(stage, chosen.people ?? [PEOPLE_TARGET], chosen.standings) }
    }
    if (chosen.mode === 'live') return { live: await runLive(await open(sizeOfContestTest, true), chosen) }
    const first = await open(chosen.size === 'L' ? sizeL : sizeS)
    if (chosen.mode === 'memory') return { memory: await runMemory(first, chosen.minutes) }
    const tables = [{ size: first.world.size.name, routes: await runRoutes(first, chosen) }]
    return chosen.size === 'both'
      ? { tables, growth: await runGrowth(first, await open(sizeL), chosen) }
      : { tables }
  } finally {
    for (const stage of stages) await stage.remove()
  }
}
