import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeHardware, writeTable } from '../../local-servers/report.ts'
import { type ClusterResult, runOnCluster, startFaultCluster } from './run.ts'
import { clusterScenarios } from './scenarios.ts'
import { clusterSizesOf } from './scene.ts'

/** Which scenarios to run, and how. */
export interface ClusterRun {
  readonly isShort: boolean
  /** Undefined: all. */
  readonly wanted: string | undefined
  readonly json: string | undefined
  readonly markdown: string | undefined
  /** Makes the random numbers of a scenario. */
  createRandom(name: string): () => number
}

type Outcome = Partial<ClusterResult> & { readonly name: string; readonly seconds: number }

/** Runs the scenarios on a cluster that this process starts. Returns whether all passed. */
export async function runClusterFaults({
  isShort,
  wanted,
  json,
  markdown,
  createRandom,
}: ClusterRun): Promise<boolean> {
  const chosen = clusterScenarios.filter(({ name }) => wanted === undefined || name === wanted)
  if (chosen.length === 0) throw new Error(`no scenario on a cluster is called ${wanted}`)
  const folder = await mkdtemp(join(tmpdir(), 'judge-cluster-'))
  const cluster = await startFaultCluster(folder, (step) => console.log(step))
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
      // It may have left something behind.
      if (result.failures.length > 0) break
    } catch (err) {
      console.error(`ERROR ${name}:`, err)
      outcomes.push({ name, seconds: seconds() })
      break
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
        inSeconds(one.longestUnjudgedMs),
      ],
      ...[one.returned, one.duplicates],
      failures === undefined ? 'ERROR' : failures.length === 0 ? 'passed' : 'FAILED',
    ]),
  )
}
