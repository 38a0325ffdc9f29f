import { openDatabase } from '../local-servers/database.ts'
import { startLocalPostgres } from '../local-servers/postgres.ts'
import { startLocalRabbitMq } from '../local-servers/rabbitmq.ts'
import { EMBEDDED, runEmbedded } from './embedded.ts'
import { readFaultOptions } from './options.ts'
import { createRandom } from './random.ts'
import { type Columns, describeMachine, finish, type Observed, observe } from './report.ts'
import { runScenario } from './run-scenario.ts'
import { type Result, type ScenarioRun, sizesOf } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import type { Servers } from './stage.ts'

const DESCRIPTION = `Kills, stops, purges and freezes every part of the system under load. Then compares the
database with everything that clients and workers saw. Starts its own PostgreSQL and
RabbitMQ. Exits with 1 if a check fails.`

const all = [
  { name: EMBEDDED, run: runEmbedded },
  ...scenarios.map((scenario) => ({
    name: scenario.name,
    run: (context: ScenarioRun) => runScenario(scenario, context),
  })),
]
const options = readFaultOptions('faults', DESCRIPTION, namesOf(all))
const { seed, scenario: wanted, short: isShort = false, markdown } = options
// Every server and folder listens for the end of this process.
process.setMaxListeners(100)
const sizes = sizesOf(isShort)
const columns: Columns<Result> = {
  'submissions/s': ({ perSecond }) => perSecond,
  requests: ({ requests }) => requests,
  acknowledged: ({ acknowledged }) => acknowledged,
  lost: ({ lost }) => lost,
  'returned by the worker': ({ returned }) => returned,
  'duplicate deliveries': ({ duplicates }) => duplicates,
  'slowest recovery': ({ recoverMs }) =>
    recoverMs === undefined ? 'never' : `${(recoverMs / 1000).toFixed(1)} s`,
}
const left = all.filter(({ name }) => wanted?.includes(name) ?? true)
const names = namesOf(left)
console.log(`seed ${seed}${isShort ? ', the short form' : ''}`)
// The full form runs one scenario at a time, for a steady load.
const lanes = await Promise.all(Array.from({ length: isShort ? 2 : 1 }, startServers))
const machine = `${await describeServers(lanes[0])}; seed ${seed}`
const outcomes: Observed<Result>[] = []
await Promise.all(lanes.map(runInLane))
// Parts of a scenario that did not end in time may still run.
process.exit((await finish({ names, outcomes, columns, machine, markdown })) ? 0 : 1)

function namesOf(named: readonly { readonly name: string }[]): string[] {
  return named.map(({ name }) => name)
}

async function startServers(): Promise<Servers> {
  const [postgres, rabbitMq] = await Promise.all([startLocalPostgres(), startLocalRabbitMq()])
  return { postgres, rabbitMq }
}

async function describeServers(servers: Servers | undefined): Promise<string> {
  if (servers === undefined) throw new Error('no servers were started')
  const admin = openDatabase(servers.postgres.url)
  return describeMachine(admin).finally(() => admin.close())
}

/** Runs one scenario after another on these servers, until one has thrown. */
async function runInLane(servers: Servers): Promise<void> {
  while (outcomes.every(({ result }) => result)) {
    const next = left.shift()
    if (next === undefined) break
    const { name, run } = next
    const context = { servers, sizes, random: createRandom(seed, name) }
    outcomes.push(await observe(name, sizes.boundMs, () => run(context)))
  }
  await servers.postgres.remove()
  await servers.rabbitMq.remove()
}
