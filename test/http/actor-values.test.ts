import { expect, it } from 'vitest'
import { actorStatement } from '../../src/db/actor-statement.ts'
import type { Transactable } from '../../src/db/database.ts'
import { row } from '../../src/db/statement.ts'
import { ActorDatabase } from '../../src/http/routing/actor.ts'

const ID = '00000000-0000-7000-8000-000000000001'
const CLAIMS = { id: ID, role: 0, sessionVersion: 3, expiresAtMs: Number.POSITIVE_INFINITY } as const

const statement = actorStatement({
  name: 'read_name',
  params: { name: 'text' },
  row: row<{ name: string }>(),
  select: 'select :name as name',
})

it('no value of a request replaces those of the actor', async () => {
  const asked: unknown[] = []
  const query = async (...[, values]: readonly unknown[]) => {
    asked.push(values)
    return [{ name: 'Ada', is_found: true }] as never[]
  }
  const database: Transactable = { query, transaction: () => Promise.reject(new Error('not expected')) }
  const forged = { name: 'Ada', actor: '00000000-0000-7000-8000-000000000002', actor_role: 2 }
  await new ActorDatabase(database, CLAIMS).query(statement, forged)
  expect(asked).toEqual([{ name: 'Ada', actor: ID, actor_role: 0, actor_session: 3 }])
})
