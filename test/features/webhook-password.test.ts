import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { changeWebhook, createWebhook } from '../../src/features/webhooks/sql.ts'
import { ActorDatabase } from '../../src/http/routing/actor.ts'
import { onPostgres } from '../support/needs.ts'
import { until } from '../support/until.ts'
import { readState, registerHook, serviceWithWebhooks } from '../support/webhooks.ts'

const { service, openContest } = await serviceWithWebhooks()
const { database } = service

const selectWaiting = unprepared(
  `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
)

/** Runs a statement with the old session while a new password is stored but not committed. */
async function duringNewPassword(userId: string, run: (db: ActorDatabase) => Promise<unknown>) {
  const actor = { id: userId, role: 0, sessionVersion: 1 } as const
  let running: Promise<unknown> | undefined
  await database.transaction(async (tx) => {
    const end = unprepared('update users set session_version = session_version + 1 where users.id = $1')
    await tx.query(end, [userId])
    running = run(new ActorDatabase(database, actor)).catch((err: unknown) => err)
    await until(async () => expect(await database.query(selectWaiting)).toHaveLength(1))
  })
  await running
}

// The embedded database has one session: its transactions do not overlap.
describe('a new password (P26)', onPostgres, () => {
  it('deactivates a webhook also if the old session activates it meanwhile', async () => {
    const { owner } = await openContest()
    const id = await registerHook(service, owner, 'https://example.org/')
    await duringNewPassword(owner.id, (db) => db.query(changeWebhook, { webhook_id: id, active: true }))
    expect(await readState(service, id)).toMatchObject({ active: false })
  })

  it('lets the old session register no webhook meanwhile', async () => {
    const { owner, eventId } = await openContest()
    const id = crypto.randomUUID()
    const values = { id, url: 'https://example.org/', token: 'x', endpoints: [], contest_ids: [eventId] }
    await duringNewPassword(owner.id, (db) => db.query(createWebhook, { ...values, position: '', most: 20 }))
    expect(await readState(service, id)).toBeUndefined()
  })
})
