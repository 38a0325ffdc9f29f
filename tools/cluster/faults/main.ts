import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QUEUE } from '../../cluster/operations.ts'
import { describeHardware } from '../../local-servers/report.ts'
import { type Columns, finish, type Observed, observe } from '../report.ts'
import { type ClusterResult, type FaultCluster, runOnCluster, startFaultCluster } from './run.ts'
import { clusterScenarios, clusterSizesOf } from './scenarios.ts'

interface ClusterRun {
  readonly isShort: boolean
  isWanted(name: string): boolean
  readonly isThroughProxy: boolean
  readonly markdown: string | undefined
  createRandom(name: string): () => number
}

/** Runs the scenarios on a cluster that this process starts. Returns whether all passed. */
export async function runClusterFaults(run: ClusterRun): Promise<boolean> {
  const { isShort, isWanted, isThroughProxy, markdown, createRandom } = run
  const chosen = clusterScenarios.filter(({ name }) => isWanted(name))
  if (chosen.length === 0) throw new Error('none of these is a scenario on a cluster')
  const folder = await mkdtemp(join(tmpdir(), 'judge-cluster-'))
  const cluster = await startFaultCluster({ folder, isThroughProxy, onStep: (step) => console.log(step) })
  const sizes = clusterSizesOf(isShort)
  const outcomes: Observed<ClusterResult>[] = []
  let haveAllPassed = false
  try {
    for (const scenario of chosen) {
      const { name } = scenario
      const start = () => runOnCluster(cluster, scenario, sizes, createRandom(name))
      const outcome = await observe(name, sizes.boundMs, start)
      outcomes.push(outcome)
      // Parts of a late scenario may still run: no other one can.
      if (outcome.isLate) break
      if (outcome.result === undefined) await restartAll(cluster)
    }
  } finally {
    const { processor, memory, node } = describeHardware()
    const machine = `All machines on one computer: ${processor}, ${memory} of memory, Node.js ${node}`
    const names = chosen.map(({ name }) => name)
    haveAllPassed = await finish({ names, outcomes, columns, machine, markdown })
    await cluster.cluster.powerOff()
  }
  if (haveAllPassed) await rm(folder, { recursive: true, force: true })
  else console.log(`The machines’ output and disks: ${folder}`)
  return haveAllPassed
}

/** After an error, a machine may be off or cut off, and messages may be left. */
async function restartAll({ cluster }: FaultCluster): Promise<void> {
  await cluster.powerOff()
  await cluster.startAll()
  await cluster.ofRole('queue')[0]?.run('rabbitmqctl', 'purge_queue', QUEUE)
}

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

const columns: Columns<ClusterResult> = {
  requests: ({ requests }) => requests,
  acknowledged: ({ acknowledged }) => acknowledged,
  lost: ({ lost }) => lost,
  'without submitting': ({ longestMs }) => inSeconds(longestMs),
  'without reading': ({ longestUnreadMs }) => inSeconds(longestUnreadMs),
  'without verdicts': ({ longestUnjudgedMs }) => inSeconds(longestUnjudgedMs),
  'returned by the workers': ({ returned }) => returned,
  'duplicate deliveries': ({ duplicates }) => duplicates,
}
