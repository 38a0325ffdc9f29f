import { writeFile } from 'node:fs/promises'
import { describeTable } from '../demo/table.ts'
import { startLocalPostgres } from '../local-servers/postgres.ts'
import { startLocalRabbitMq } from '../local-servers/rabbitmq.ts'
import { EMBEDDED, runEmbedded } from './embedded.ts'
import { readOptions } from './options.ts'
import { createRandom } from './random.ts'
import { describeMachine, tabulate, writeMarkdown } from './report.ts'
import { runScenario } from './run-scenario.ts'
import { type Result, type ScenarioRun, sizesOf } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const options = readOptions(process.argv.slice(2))
const sizes = sizesOf(options.isShort)
const all: readonly { readonly name: string; run(context: ScenarioRun): Promise<Result> }[] = [
  ...scenarios.map((scenario) => ({
    name: scenario.name,
    run: (context: ScenarioRun) => runScenario(scenario, context),
  })),
  { name: EMBEDDED, run: runEmbedded },
]
const chosen = all.filter(({ name }) => options.scenario === undefined || name === options.scenario)
if (chosen.length === 0) {
  console.error(`--scenario must be one of: ${all.map(({ name }) => name).join('; ')}`)
  process.exit(2)
}
console.log(`seed ${options.seed}${options.isShort ? ', the short form' : ''}; ${describeMachine()}`)
const servers = { postgres: await startLocalPostgres(), rabbitMq: await startLocalRabbitMq() }
const results: Result[] = []
for (const scenario of chosen) {
  const random = createRandom(options.seed, scenario.name)
  const result = await runWithin(sizes.boundMs, scenario.name, scenario.run({ servers, sizes, random }))
  if (result === undefined) break
  results.push(result)
}
await servers.postgres.remove()
await servers.rabbitMq.remove()
console.log(`\n${describeTable(tabulate(results))}`)
if (options.json !== undefined)
  await writeFile(options.json, `${JSON.stringify({ ...options, results }, null, 2)}\n`)
if (options.markdown !== undefined) {
  await writeFile(
    options.markdown,
    `${writeMarkdown(results)}\n\n${describeMachine()}; seed ${options.seed}.\n`,
  )
}
// What is still under way belongs to a scenario that did not end in time.
process.exit(
  results.length === chosen.length && results.every(({ failures }) => failures.length === 0) ? 0 : 1,
)

/** Undefined where it failed or took too long: what it leaves behind spoils the next ones. */
async function runWithin(
  boundMs: number,
  name: string,
  running: Promise<Result>,
): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not end within ${boundMs / 1000} s`)), boundMs)
  })
  try {
    const result = await Promise.race([running, tooLate])
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
