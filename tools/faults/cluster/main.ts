import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QUEUE } from '../../cluster/operations.ts'
import { describeHardware, writeTable } from '../../local-servers/report.ts'
import { LateError, runInTime } from '../run-in-time.ts'
import { type ClusterResult, type FaultCluster, runOnCluster, startFaultCluster } from './run.ts'
import { clusterScenarios } from './scenarios.ts'
import { type ClusterScenario, clusterSizesOf } from './scene.ts'

/** Which scenarios to run, and how. */
export interface ClusterRun {
  readonly isShort: boolean
  isWanted(name: string): boolean
  /** The services reach the primary through HAProxy. */
  readonly isThroughProxy: boolean
  readonly json: string | undefined
  readonly markdown: string | undefined
  /** Makes the random numbers of a scenario. */
  createRandom(name: string): () => number
}

type Outcome = Partial<ClusterResult> & {
  readonly name: string
  readonly seconds: number
  /** It took too long, and parts of it may still run: no other scenario can. */
  readonly isLate?: boolean
}

/** Runs the scenarios on a cluster that this process starts. Returns whether all passed. */
export async function runClusterFaults({
  isShort,
  isWanted,
  isThroughProxy,
  json,
  markdown,
  createRandom,
}: ClusterRun): Promise<boolean> {
  const chosen = clusterScenarios.filter(({ name }) => isWanted(name))
  if (chosen.length === 0) throw new Error('none of these is a scenario on a cluster')
  const folder = await mkdtemp(join(tmpdir(), 'judge-cluster-'))
  const cluster = await startFaultCluster({
    ...{ folder, isThroughProxy },
    onStep: (step) => console.log(step),
  })
  const outcomes: Outcome[] = []
  try {
    for (const scenario of chosen) {
      const outcome = await runScenario(cluster, scenario, isShort, createRandom(scenario.name))
      outcomes.push(outcome)
      if (outcome.isLate) break
      if (outcome.failures === undefined) await restartAll(cluster)
    }
  } finally {
    for (const { name } of chosen.slice(outcomes.length)) console.error(`NOT RUN ${name}`)
    await writeOutcomes(outcomes, { isShort, json, markdown })
    await cluster.cluster.powerOff()
  }
  const haveAllPassed =
    outcomes.length === chosen.length && outcomes.every(({ failures }) => failures?.length === 0)
  if (haveAllPassed) await rm(folder, { recursive: true, force: true })
  else console.log(`The machines’ output and disks: ${folder}`)
  return haveAllPassed
}

/**
 * Runs a scenario, and prints whether it passed. Without failures in the outcome, it has thrown or
 * taken too long.
 */
async function runScenario(
  cluster: FaultCluster,
  scenario: ClusterScenario,
  isShort: boolean,
  random: () => number,
): Promise<Outcome> {
  const { name } = scenario
  const sizes = clusterSizesOf(isShort)
  const startedAtMs = performance.now()
  const seconds = () => Math.round((performance.now() - startedAtMs) / 1000)
  try {
    const start = () => runOnCluster(cluster, scenario, sizes, random)
    const result = await runInTime(start, sizes.boundMs)
    const verdict = result.failures.length === 0 ? 'passed' : 'FAILED'
    console.log([`${verdict} ${name} (${seconds()} s)`, ...result.failures].join('\n  '))
    return { name, ...result, seconds: seconds() }
  } catch (err) {
    console.error(`ERROR ${name}:`, err)
    return { name, seconds: seconds(), isLate: err instanceof LateError }
  }
}

async function writeOutcomes(
  outcomes: readonly Outcome[],
  { isShort, json, markdown }: Pick<ClusterRun, 'isShort' | 'json' | 'markdown'>,
): Promise<void> {
  const { processor, memory, node } = describeHardware()
  const machine = `All machines on one computer: ${processor}, ${memory} of memory, Node.js ${node}`
  const table = writeClusterTable(outcomes)
  console.log(`\n${table}\n${machine}`)
  if (json) await writeFile(json, `${JSON.stringify({ isShort, machine, outcomes }, null, 2)}\n`)
  if (markdown) await writeFile(markdown, `${table}\n${machine}.\n`)
}

/** After an error, a machine may be off or cut off, and messages may be left. */
async function restartAll({ cluster }: FaultCluster): Promise<void> {
  await cluster.powerOff()
  await cluster.startAll()
  await cluster.ofRole('queue')[0]?.run('rabbitmqctl', 'purge_queue', QUEUE)
}

const HEADINGS = [
  ...['scenario', 'requests', 'acknowledged', 'lost', 'without submitting', 'without reading'],
  ...['without verdicts', 'returned by the workers', 'duplicate deliveries', 'result'],
]

const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : `${(ms / 1000).toFixed(1)} s`)

function writeClusterTable(outcomes: readonly Outcome[]): string {
  return writeTable(
    HEADINGS,
    outcomes.map(({ name, notes = [], failures, ...one }) => [
      [name, ...notes].join(', '),
      ...[
        one.requests,
        one.acknowledged,
        one.lost,
        inSeconds(one.longestMs),
        inSeconds(one.longestUnreadMs),
        inSeconds(one.longestUnjudgedMs),
      ],
      ...[one.returned, one.duplicates],
      failures === undefined ? 'ERROR' : failures.length === 0 ? 'passed' : 'FAILED',
    ]),
  )
}
