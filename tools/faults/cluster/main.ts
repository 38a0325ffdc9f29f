import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QUEUE } from '../../cluster/operations.ts'
import { describeHardware, writeTable } from '../../local-servers/report.ts'
import { observe } from '../run-in-time.ts'
import { type ClusterResult, type FaultCluster, runOnCluster, startFaultCluster } from './run.ts'
import { clusterScenarios } from './scenarios.ts'
import { clusterSizesOf } from './scene.ts'

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
  const sizes = clusterSizesOf(isShort)
  const outcomes: Outcome[] = []
  try {
    for (const scenario of chosen) {
      const { name } = scenario
      const start = () => runOnCluster(cluster, scenario, sizes, createRandom(name))
      const { result, seconds, isLate } = await observe(name, sizes.boundMs, start)
      outcomes.push({ name, ...result, seconds })
      // Parts of a late scenario may still run: no other one can.
      if (isLate) break
      if (result === undefined) await restartAll(cluster)
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
