import type { Queryable, Statement } from '../../src/db/database.ts'
import { claimMessages, deleteMessages } from '../../src/queue/outbox.ts'
import { replaceValues } from './pgbench.ts'

/** Messages that a relay takes at most in one go. */
const BATCH = 100

/** For how many submissions the relay claims and deletes once, at the rates that are measured here. */
export const SUBMISSIONS_PER_BATCH = 20

/** What the relay does to the database for a batch of messages, as a script of pgbench: its own two statements. */
export async function writeRelayScript(): Promise<string> {
  const asked: Statement[] = []
  const recorder: Queryable = {
    query: async (statement) => {
      asked.push(statement)
      return []
    },
  }
  await claimMessages(recorder, BATCH, 20_000)
  await deleteMessages(recorder, [])
  const [claim, remove] = asked
  if (claim === undefined || remove === undefined) throw new Error('the outbox asks for nothing')
  const claimed = `(array(
    select held.id from outbox as held
    where held.claimed_until is not null order by held.id limit ${BATCH} for update skip locked))`
  return `${replaceValues(claim, [String(BATCH), '20000'])};\n${replaceValues(remove, [claimed])};\n`
}
