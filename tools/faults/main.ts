import { writeFile } from 'node:fs/promises'
import pLimit from 'p-limit'
import { describeTable } from '../../demo/table.ts'
import { readCommandLine } from '../local-servers/command-line.ts'
import { startLocalPostgres } from '../local-servers/postgres.ts'
import { startLocalRabbitMq } from '../local-servers/rabbitmq.ts'
import { EMBEDDED, runEmbedded } from './embedded.ts'
import { faultsCommand, readOptions } from './options.ts'
import { createRandom } from './random.ts'
import { describeMachine, type Outcome, tabulate, writeMarkdown } from './report.ts'
import { runScenario } from './run-scenario.ts'
import { type Result, type ScenarioRun, sizesOf } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { openServer } from './stage.ts'

const options = readCommandLine(faultsCommand, readOptions)
// Every server and every folder has a listener for the end of this process: two scenarios at a time come to more than ten.
process.setMaxListeners(50)
const sizes = sizesOf(options.isShort)
const all: readonly {
  readonly name: string
  readonly isPrivate: boolean
  run(context: ScenarioRun): Promise<Result>
}[] = [
  { name: EMBEDDED, isPrivate: true, run: runEmbedded },
  ...scenarios.map((scenario) => ({
    name: scenario.name,
    isPrivate: scenario.isPrivate,
    run: (context: ScenarioRun) => runScenario(scenario, context),
  })),
]
const chosen = all.filter(({ name }) => options.scenario === undefined || name === options.scenario)
console.log(`seed ${options.seed}${options.isShort ? ', the short form' : ''}`)
const [postgres, rabbitMq] = await Promise.all([startLocalPostgres(), startLocalRabbitMq()])
const servers = { postgres, rabbitMq }
const admin = openServer(postgres.url)
const machine = await describeMachine(admin).finally(() => admin.close())
console.log(machine)
const outcomes: Outcome[] = []
// Two at a time save time and cost steadiness of the load: the full form does without.
const limit = pLimit(options.isShort ? 2 : 1)
let isSpoilt = false
const run = async ({ name, run }: (typeof all)[number]) => {
  if (isSpoilt) {
    console.error(`NOT RUN ${name}: what failed before it may have left something behind`)
    outcomes.push({ name, state: 'not run' })
    return
  }
  const random = createRandom(options.seed, name)
  const result = await runWithin(sizes.boundMs, name, () => run({ servers, sizes, random }))
  if (result === undefined) isSpoilt = true
  outcomes.push(result === undefined ? { name, state: 'failed' } : { name, state: 'ended', result })
}
await limit.map(
  chosen.filter(({ isPrivate }) => isPrivate),
  run,
)
for (const scenario of chosen.filter(({ isPrivate }) => !isPrivate)) await run(scenario)
await servers.postgres.remove()
await servers.rabbitMq.remove()
console.log(`\n${describeTable(tabulate(outcomes))}`)
if (options.json !== undefined)
  await writeFile(options.json, `${JSON.stringify({ ...options, machine, outcomes }, null, 2)}\n`)
if (options.markdown !== undefined) {
  await writeFile(options.markdown, `${writeMarkdown(outcomes)}\n${machine}; seed ${options.seed}.\n`)
}
// What is still under way belongs to a scenario that did not end in time.
process.exit(outcomes.every(({ result }) => result?.failures.length === 0) ? 0 : 1)

/** Undefined where it failed or took too long: what it leaves behind spoils the next ones. */
async function runWithin(
  boundMs: number,
  name: string,
  start: () => Promise<Result>,
): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not end within ${boundMs / 1000} s`)), boundMs)
  })
  try {
    const result = await Promise.race([start(), tooLate])
    console.log(
      `${result.failures.length === 0 ? 'right' : 'WRONG'} ${name} (${Math.round(result.seconds)} s)`,
    )
    for (const failure of result.failures) console.log(`  ${failure}`)
    return result
  } catch (err) {
    console.error(`FAILED ${name}:`, err)
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
