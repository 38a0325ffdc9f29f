import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { isIsolated, runIsolated } from '../cluster/isolate.ts'
import { readCommandLine } from '../local-servers/command-line.ts'
import { openDatabase } from '../local-servers/database.ts'
import { startLocalPostgres } from '../local-servers/postgres.ts'
import { startLocalRabbitMq } from '../local-servers/rabbitmq.ts'
import { runClusterFaults } from './cluster/main.ts'
import { EMBEDDED, runEmbedded } from './embedded.ts'
import { readOptions } from './options.ts'
import { describeMachine, type Outcome, writeMarkdown } from './report.ts'
import { observe } from './run-in-time.ts'
import { runScenario } from './run-scenario.ts'
import { type ScenarioRun, sizesOf } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import type { Servers } from './stage.ts'

const options = readCommandLine(readOptions)
const { seed, scenario: wanted, short: isShort = false, json, markdown } = options
const isWanted = (name: string) => wanted?.includes(name) ?? true
// Every server and folder listens for the end of this process.
process.setMaxListeners(100)
if (options.cluster) {
  if (!isIsolated()) process.exit(await runIsolated())
  console.log(`seed ${seed}${isShort ? ', the short form' : ''}`)
  const hasPassed = await runClusterFaults({
    ...{ isShort, isWanted, json, markdown, createRandom },
    isThroughProxy: options.throughProxy === true,
  })
  process.exit(hasPassed ? 0 : 1)
}
const sizes = sizesOf(isShort)
const left = [
  { name: EMBEDDED, run: runEmbedded },
  ...scenarios.map((scenario) => ({
    name: scenario.name,
    run: (context: ScenarioRun) => runScenario(scenario, context),
  })),
].filter(({ name }) => isWanted(name))
console.log(`seed ${seed}${isShort ? ', the short form' : ''}`)
// The full form runs one scenario at a time, for a steady load.
const lanes = await Promise.all(Array.from({ length: isShort ? 2 : 1 }, startServers))
const machine = await describeServers(lanes[0])
console.log(machine)
const outcomes: Outcome[] = []
await Promise.all(lanes.map(runInLane))
const table = writeMarkdown(outcomes)
console.log(`\n${table}`)
if (json) await writeFile(json, `${JSON.stringify({ seed, isShort, machine, outcomes }, null, 2)}\n`)
if (markdown) await writeFile(markdown, `${table}\n${machine}; seed ${seed}.\n`)
// Parts of a scenario that did not end in time may still run.
process.exit(outcomes.every(({ result }) => result?.failures.length === 0) ? 0 : 1)

async function startServers(): Promise<Servers> {
  const [postgres, rabbitMq] = await Promise.all([startLocalPostgres(), startLocalRabbitMq()])
  return { postgres, rabbitMq }
}

async function describeServers(servers: Servers | undefined): Promise<string> {
  if (servers === undefined) throw new Error('no servers were started')
  const admin = openDatabase(servers.postgres.url)
  return describeMachine(admin).finally(() => admin.close())
}

/** Runs one scenario after another on these servers, which may be stopped meanwhile. */
async function runInLane(servers: Servers): Promise<void> {
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const { name, run } = next
    if (outcomes.some(({ state }) => state === 'error')) {
      console.error(`NOT RUN ${name}: an earlier scenario failed and may have left something behind`)
      outcomes.push({ name, state: 'not run' })
      continue
    }
    const context = { servers, sizes, random: createRandom(name) }
    const { result, seconds } = await observe(name, sizes.boundMs, () => run(context))
    outcomes.push(
      result ? { name, state: 'ended', result: { ...result, seconds } } : { name, state: 'error' },
    )
  }
  await servers.postgres.remove()
  await servers.rabbitMq.remove()
}

function createRandom(name: string): () => number {
  let count = 0
  return () => {
    count += 1
    return createHash('sha256').update(`${seed} ${name} ${count}`).digest().readUInt32BE() / 2 ** 32
  }
}
