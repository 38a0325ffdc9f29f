import { pollUntil } from '../local-servers/polling.ts'
import { listTree, sendSignal } from '../local-servers/process-tree.ts'
import { findSupervised, type Supervised } from '../local-servers/supervised.ts'
import type { Instance } from './instance.ts'
import type { Scene } from './scenario.ts'
import { createReports, type Worker } from './worker.ts'

const RESTARTED_WITHIN_MS = 60_000
const PROGRAM_WITHIN_MS = 60_000

/** The worker of an instance that was started with `--judge`; its parent starts it again. */
export function findWorker(instance: Instance): Worker {
  const signalWorker = (signal: NodeJS.Signals) => {
    const pid = findSupervised(instance.pid, 'worker')
    if (pid !== undefined) sendSignal(pid, signal)
  }
  return Object.assign(createReports('real').reports, {
    freeze: () => signalWorker('SIGSTOP'),
    thaw: () => signalWorker('SIGCONT'),
    kill: () => endChild(instance, 'worker', 'SIGKILL'),
    start: () => waitForChild(instance, 'worker'),
    // It ends with its parent.
    stop: async () => {},
    isRunningPrograms: () => {
      const pid = findSupervised(instance.pid, 'worker')
      // The worker, and the launcher of its sandboxes.
      return pid !== undefined && listTree(pid).length > 2
    },
  })
}

/** Kills worker, service and parent and freezes the worker, each while a program runs. */
export async function killSupervised({ instances: [instance], worker, recovery }: Scene): Promise<void> {
  const faults = [
    () => endChild(instance, 'worker', 'SIGKILL'),
    () => endChild(instance, 'service', 'SIGKILL'),
    () => killParent(instance),
    // The parent kills it.
    () => endChild(instance, 'worker', 'SIGSTOP'),
  ]
  for (const fault of faults) {
    if (!(await pollUntil(async () => worker.isRunningPrograms(), PROGRAM_WITHIN_MS, 5)))
      throw new Error('the worker runs no program')
    await fault()
    recovery.faultEnded()
    await instance.start()
    await waitForChild(instance, 'service')
    await waitForChild(instance, 'worker')
  }
}

/** Sends a signal and waits for the end of the process. */
async function endChild({ pid: parent }: Instance, of: Supervised, signal: NodeJS.Signals): Promise<void> {
  const pid = findSupervised(parent, of)
  if (pid === undefined) throw new Error(`the ${of} is not running`)
  sendSignal(pid, signal)
  const hasEnded = async () => findSupervised(parent, of) !== pid
  if (!(await pollUntil(hasEnded, RESTARTED_WITHIN_MS, 5))) throw new Error(`the ${of} did not end`)
}

/** Its children end by themselves; only then is the port free. */
async function killParent(instance: Instance): Promise<void> {
  const children = (['service', 'worker'] as const).map((of) => findSupervised(instance.pid, of) ?? 0)
  await instance.kill()
  const haveEnded = async () => children.every((pid) => listTree(pid).length === 0)
  if (!(await pollUntil(haveEnded, RESTARTED_WITHIN_MS))) throw new Error('children outlived their parent')
}

async function waitForChild({ pid }: Instance, of: Supervised): Promise<void> {
  const isThere = async () => findSupervised(pid, of) !== undefined
  if (!(await pollUntil(isThere, RESTARTED_WITHIN_MS))) throw new Error(`the ${of} was not started again`)
}
