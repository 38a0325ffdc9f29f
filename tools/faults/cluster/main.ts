import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeHardware, writeTable } from '../../local-servers/report.ts'
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

type Outcome = Partial<ClusterResult> & { readonly name: string; readonly seconds: number }

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
  for (const scenario of chosen) {
    const { name } = scenario
    const startedAtMs = performance.now()
    const seconds = () => Math.round((performance.now() - startedAtMs) / 1000)
    try {
      const result = await runOnCluster(cluster, scenario, clusterSizesOf(isShort), createRandom(name))
      outcomes.push({ name, ...result, seconds: seconds() })
      const verdict = result.failures.length === 0 ? 'passed' : 'FAILED'
      console.log([`${verdict} ${name} (${seconds()} s)`, ...result.failures].join('\n  '))
    } catch (err) {
      console.error(`ERROR ${name}:`, err)
      outcomes.push({ name, seconds: seconds() })
      await restartAll(cluster)
    }
  }
  const { processor, memory, node } = describeHardware()
  const machine = `All machines on one computer: ${processor}, ${memory} of memory, Node.js ${node}`
  const table = writeClusterTable(outcomes)
  console.log(`\n${table}\n${machine}`)
  if (json) await writeFile(json, `${JSON.stringify({ isShort, machine, outcomes }, null, 2)}\n`)
  if (markdown) await writeFile(markdown, `${table}\n${machine}.\n`)
  await cluster.cluster.powerOff()
  const haveAllPassed =
    outcomes.length === chosen.length && outcomes.every(({ failures }) => failures?.length === 0)
  if (haveAllPassed) await rm(folder, { recursive: true, force: true })
  else console.log(`The machines’ output and disks: ${folder}`)
  return haveAllPassed
}

/** After an error, a machine may be off or cut off. */
async function restartAll({ cluster }: FaultCluster): Promise<void> {
  await cluster.powerOff()
  await cluster.startAll()
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
