import { readClock } from '../lookup/contests.ts'
import { usageError } from '../shared/errors.ts'
import { hasStarted } from './comparison.ts'
import { movesTimes } from './field-differences.ts'
import type { Job } from './job.ts'

/** True if the differences need `--force` once the contest has started. */
export const dependsOnStart = ({ differences: { fields, replacements } }: Job) =>
  movesTimes(fields) || replacements.length > 0

/**
 * Asks the service again whether the contest has started: it may have since its state was read.
 * Then throws a usage error, unless `--force` is given. Call it just before a write that needs it.
 */
export async function refuseAfterStart({ ctx, contest, isForced }: Job): Promise<void> {
  if (contest === undefined || isForced) return
  const clock = await readClock(ctx.client, contest.event.id)
  if (!hasStarted({ ...contest, clock })) return
  throw usageError(
    'The contest has started in the meantime. Its times and its tests stay as they are, and nothing more was changed. Run the command again: it says how to make the file agree, or what --force would change.',
  )
}
