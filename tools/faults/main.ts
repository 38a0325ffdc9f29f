import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { readCommandLine } from '../local-servers/command-line.ts'
import { openDatabase } from '../local-servers/database.ts'
import { startLocalPostgres } from '../local-servers/postgres.ts'
import { startLocalRabbitMq } from '../local-servers/rabbitmq.ts'
import { EMBEDDED, runEmbedded } from './embedded.ts'
import { readOptions } from './options.ts'
import { createRandom } from './random.ts'
import { describeMachine, type Outcome, writeMarkdown } from './report.ts'
import { runScenario } from './run-scenario.ts'
import { type Result, type ScenarioRun, sizesOf } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const { seed, scenario: wanted, short: isShort = false, json, markdown } = readCommandLine(readOptions)
// Every server and folder listens for the end of this process.
process.setMaxListeners(50)
const sizes = sizesOf(isShort)
const all = [
  { name: EMBEDDED, isPrivate: true, run: runEmbedded },
  ...scenarios.map((scenario) => ({
    ...{ name: scenario.name, isPrivate: scenario.isPrivate },
    run: (context: ScenarioRun) => runScenario(scenario, context),
  })),
].filter(({ name }) => wanted === undefined || name === wanted)
console.log(`seed ${seed}${isShort ? ', the short form' : ''}`)
const [postgres, rabbitMq] = await Promise.all([startLocalPostgres(), startLocalRabbitMq()])
const servers = { postgres, rabbitMq }
const admin = openDatabase(postgres.url)
const machine = await describeMachine(admin).finally(() => admin.close())
console.log(machine)
const outcomes: Outcome[] = []
const run = async ({ name, run }: (typeof all)[number]) => {
  if (outcomes.some(({ state }) => state === 'error')) {
    console.error(`NOT RUN ${name}: an earlier scenario failed and may have left something behind`)
    outcomes.push({ name, state: 'not run' })
    return
  }
  const random = createRandom(seed, name)
  const result = await runInTime(name, () => run({ servers, sizes, random }))
  outcomes.push(result === undefined ? { name, state: 'error' } : { name, state: 'ended', result })
}
// The full form runs one at a time, for a steady load.
const limit = pLimit(isShort ? 2 : 1)
await limit.map(
  all.filter(({ isPrivate }) => isPrivate),
  run,
)
for (const scenario of all.filter(({ isPrivate }) => !isPrivate)) await run(scenario)
await postgres.remove()
await rabbitMq.remove()
const table = writeMarkdown(outcomes)
console.log(`\n${table}`)
if (json) await writeFile(json, `${JSON.stringify({ seed, isShort, machine, outcomes }, null, 2)}\n`)
if (markdown) await writeFile(markdown, `${table}\n${machine}; seed ${seed}.\n`)
// Parts of a scenario that did not end in time may still run.
process.exit(outcomes.every(({ result }) => result?.failures.length === 0) ? 0 : 1)

/** Undefined after an error, or if the scenario takes too long. */
async function runInTime(name: string, start: () => Promise<Result>): Promise<Result | undefined> {
  const ending = new AbortController()
  const timeout = sleep(sizes.boundMs, undefined, { signal: ending.signal }).then(() => {
    throw new Error(`did not end within ${sizes.boundMs / 1000} s`)
  })
  try {
    const result = await Promise.race([start(), timeout])
    const { failures, seconds } = result
    console.log(`${failures.length === 0 ? 'passed' : 'FAILED'} ${name} (${Math.round(seconds)} s)`)
    for (const failure of failures) console.log(`  ${failure}`)
    return result
  } catch (err) {
    console.error(`ERROR ${name}:`, err)
    return undefined
  } finally {
    ending.abort()
  }
}
