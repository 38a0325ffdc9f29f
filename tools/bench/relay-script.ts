import { claimRows, deleteRows } from '../../src/queue/outbox.ts'
import { replaceValues } from './pgbench.ts'

const BATCH = 100

/** The relay claims messages about once per 20 submissions at these rates. */
export const SUBMISSIONS_PER_BATCH = 20

/** Writes the relay's two statements as a script of pgbench. */
export function writeRelayScript(): string {
  const ids = `(array(
    select held.id from outbox as held
    where held.claimed_until is not null order by held.id limit ${BATCH} for update skip locked))`
  const claim = replaceValues(claimRows, { limit: String(BATCH), lease_ms: '20000' })
  return `${claim};\n${replaceValues(deleteRows, { ids })};\n`
}
