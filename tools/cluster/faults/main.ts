import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Option } from 'commander'
import { readFaultOptions } from '../../faults/options.ts'
import { createRandom } from '../../faults/random.ts'
import { type Columns, finish, type Observed, observe } from '../../faults/report.ts'
import { describeHardware } from '../../local-servers/report.ts'
import { isIsolated, runIsolated } from '../isolate.ts'
import { QUEUE } from '../operations.ts'
import { type ClusterResult, type FaultCluster, runOnCluster, startFaultCluster } from './run.ts'
import { clusterScenarios, clusterSizesOf } from './scenarios.ts'

const DESCRIPTION = `Cuts off and kills the machines of a cluster of 15 under load. Then compares the database with
everything that clients and workers saw. Exits with 1 if a check fails. Needs root.`

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

const throughProxy = new Option('--through-proxy', 'the services reach the primary through HAProxy')
const all = clusterScenarios.map(({ name }) => name)
const options = readFaultOptions('cluster-faults', DESCRIPTION, all, throughProxy)
if (!isIsolated()) process.exit(await runIsolated())
// Every server and folder listens for the end of this process.
process.setMaxListeners(100)
process.exit((await runClusterFaults()) ? 0 : 1)

/** Runs the scenarios on a cluster that this process starts. Returns whether all passed. */
async function runClusterFaults(): Promise<boolean> {
  const { seed, scenario: wanted, short: isShort = false, throughProxy: isThroughProxy = false } = options
  console.log(`seed ${seed}${isShort ? ', the short form' : ''}`)
  const chosen = clusterScenarios.filter(({ name }) => wanted?.includes(name) ?? true)
  const folder = await mkdtemp(join(tmpdir(), 'judge-cluster-'))
  const cluster = await startFaultCluster({ folder, isThroughProxy, onStep: (step) => console.log(step) })
  const sizes = clusterSizesOf(isShort)
  const outcomes: Observed<ClusterResult>[] = []
  let haveAllPassed = false
  try {
    for (const scenario of chosen) {
      const { name } = scenario
      const start = () => runOnCluster(cluster, scenario, sizes, createRandom(seed, name))
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
    haveAllPassed = await finish({ names, outcomes, columns, machine, markdown: options.markdown })
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
