import type { Queryable } from '../../src/db/database.ts'
import type { Statement } from '../../src/db/statement.ts'
import { claimMessages, deleteMessages } from '../../src/queue/outbox.ts'
import { replaceValues } from './pgbench.ts'

const BATCH = 100

/** The relay claims messages about once per 20 submissions at these rates. */
export const SUBMISSIONS_PER_BATCH = 20

/** Writes the relay's two statements as a script of pgbench. */
export async function writeRelayScript(): Promise<string> {
  const sent: Statement[] = []
  const recorder: Queryable = {
    query: async (statement) => {
      sent.push(statement)
      return []
    },
  }
  await claimMessages(recorder, BATCH, 20_000)
  await deleteMessages(recorder, [])
  const [claim, remove] = sent
  if (claim === undefined || remove === undefined) throw new Error('the outbox sent no statements')
  const claimed = `(array(
    select held.id from outbox as held
    where held.claimed_until is not null order by held.id limit ${BATCH} for update skip locked))`
  return `${replaceValues(claim, [String(BATCH), '20000'])};\n${replaceValues(remove, [claimed])};\n`
}
