import type { Finding } from './checks.ts'
import type { Instance } from './instance.ts'
import type { Load, Submitted } from './load.ts'
import type { Worker } from './worker.ts'

/** Clients that repeat their request must get a 201 in the end. */
export function describeUnacknowledged(submitted: readonly Submitted[]): string[] {
  const failed = submitted.filter(({ isRetrying, id }) => isRetrying && id === undefined)
  return failed.length > 0 ? [`${failed.length} clients repeated their request without success`] : []
}

/** No valid request may be rejected, whatever the fault. */
export function describeRefusals(submitted: readonly Submitted[]): string[] {
  const [first, ...more] = submitted.flatMap(({ refusal }) => refusal ?? [])
  return first === undefined ? [] : [`${more.length + 1} valid submissions were rejected: ${first}`]
}

/** The system must recover in time after each fault. */
export function describeRecovery(recoverMs: number | undefined, withinMs: number): string[] {
  return recoverMs === undefined ? [`no recovery within ${withinMs / 1000} s after a fault`] : []
}

/** The queue must be empty at the end. */
export const describeLeft = (left: number | undefined): string[] =>
  left === 0 ? [] : [`${left ?? 'an unknown number of'} messages are left in the queue`]

const IDS_SHOWN = 5

/** One line with the first ids; nothing for a finding without ids. */
export function describeFinding({ what, ids }: Finding): string[] {
  if (ids.length === 0) return []
  const more = ids.length > IDS_SHOWN ? `, and ${ids.length - IDS_SHOWN} more` : ''
  return [`${ids.length} ${what}: ${ids.slice(0, IDS_SHOWN).join(', ')}${more}`]
}

/** Counts submissions, requests and deliveries. */
export function countWork(load: Pick<Load, 'submitted'>, worker: Worker, instances: readonly Instance[]) {
  const { submitted } = load
  const acknowledged = submitted.filter(({ id }) => id !== undefined).length
  const deliveries = [...worker.deliveries.values()].reduce((sum, times) => sum + times, 0)
  // The real worker reads each delivered record once; nothing else reads them.
  const reads = instances.reduce(
    (sum, instance) => sum + instance.countResponses('GET /v1/submissions/:submission_id'),
    0,
  )
  return {
    submissions: submitted.length,
    requests: submitted.reduce((sum, { tries }) => sum + tries, 0),
    acknowledged,
    returned: worker.returned(),
    duplicates:
      worker.kind === 'real' ? reads - acknowledged : deliveries - worker.returned() - worker.deliveries.size,
  }
}
