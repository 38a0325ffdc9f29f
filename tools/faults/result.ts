import type { Finding } from './checks.ts'
import type { Instance } from './instance.ts'
import type { Load, Submitted } from './load.ts'
import type { Worker } from './worker.ts'

/** Clients that send again until they are acknowledged must be, in the end. */
export function describeUnacknowledged(submitted: readonly Submitted[]): string[] {
  const inVain = submitted.filter(({ isRetrying, id }) => isRetrying && id === undefined)
  return inVain.length > 0 ? [`${inVain.length} clients tried again and again in vain`] : []
}

/** No right request may be refused, whatever happens behind the service. */
export function describeRefusals(submitted: readonly Submitted[]): string[] {
  const refused = submitted.filter(({ refusal }) => refusal !== undefined)
  return refused.length > 0
    ? [`${refused.length} right submissions were refused: ${refused[0]?.refusal}`]
    : []
}

/** All must be as before in time after each fault; `recoverMs` is undefined where it was not. */
export function describeRecovery(recoverMs: number | undefined, withinMs: number): string[] {
  return recoverMs === undefined ? [`not as before within ${withinMs / 1000} s of a fault`] : []
}

const IDS_SHOWN = 5

/** A finding in one line, with its first ids. */
export function describeFinding({ what, ids }: Finding): string {
  const more = ids.length > IDS_SHOWN ? `, and ${ids.length - IDS_SHOWN} more` : ''
  return `${ids.length} ${what}: ${ids.slice(0, IDS_SHOWN).join(', ')}${more}`
}

/** The numbers of the table that follow from what was sent and delivered. */
export function countWork(load: Pick<Load, 'submitted'>, worker: Worker, instances: readonly Instance[]) {
  const { submitted } = load
  const total = [...worker.deliveries.values()].reduce((sum, times) => sum + times, 0)
  const ids = new Set([...worker.deliveries.keys()].map((key) => key.split(' ')[0]))
  // The real worker reads each record that it is delivered, once; nobody else reads them.
  const reads = instances.reduce(
    (sum, instance) => sum + instance.countAnswers('GET /v1/submissions/:submission_id'),
    0,
  )
  const isReal = worker.kind === 'real'
  const acknowledged = submitted.filter(({ id }) => id !== undefined).length
  return {
    submissions: submitted.length,
    requests: submitted.reduce((sum, { tries }) => sum + tries, 0),
    acknowledged,
    gaveUp: submitted.filter(({ isRetrying, id }) => isRetrying && id === undefined).length,
    returned: worker.returned(),
    duplicates: isReal ? reads - acknowledged : total - worker.returned() - worker.deliveries.size,
    duplicatesById: isReal ? reads - acknowledged : total - worker.returned() - ids.size,
  }
}
