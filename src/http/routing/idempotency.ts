import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type Database, statement } from '../../db/database.ts'
import type { ActorDatabase } from './actor.ts'
import { AppError } from './errors.ts'

/** A request that its client may send again: the key that it chose, and what tells the request from others. */
export interface Repeatable {
  readonly key: string
  readonly requestHash: string
}

/** Reads the `Idempotency-Key` of a request whose body has been validated; undefined where it has none. Throws VALIDATION. */
export function readRepeatable({ headers, routeOptions, body }: FastifyRequest): Repeatable | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError('VALIDATION', 'Idempotency-Key must have 1 to 255 visible ASCII characters')
  }
  const request = `${routeOptions.url} ${JSON.stringify(body)}`
  return { key, requestHash: createHash('sha256').update(request).digest('base64url') }
}

// A key is free again after a day. A request with the same key that is under way holds the row: this waits for it.
const claimKey = statement(
  'claim_idempotency_key',
  `insert into idempotent_answers (caller, key, request_hash)
   values ($1, $2, $3)
   on conflict (caller, key) do update
   set request_hash = excluded.request_hash, answer = null, created_at = now()
   where idempotent_answers.created_at <= now() - interval '24 hours'
   returning idempotent_answers.key`,
)

const readAnswer = statement<{ request_hash: string; answer: string }>(
  'read_idempotent_answer',
  `select idempotent_answers.request_hash, idempotent_answers.answer
   from idempotent_answers
   where idempotent_answers.caller = $1 and idempotent_answers.key = $2`,
)

const keepAnswer = statement(
  'keep_idempotent_answer',
  'update idempotent_answers set answer = $3 where idempotent_answers.caller = $1 and idempotent_answers.key = $2',
)

/**
 * Answers what `create` answers, or what it answered to the same request of the same caller within the last 24 hours: what is made and the
 * memory of it are one transaction. Throws IDEMPOTENCY_KEY_REUSED where the key came with another request.
 */
export async function createOnce(
  db: ActorDatabase,
  caller: string,
  repeatable: Repeatable | undefined,
  create: (db: ActorDatabase) => Promise<string>,
): Promise<string> {
  if (repeatable === undefined) return create(db)
  const { key, requestHash } = repeatable
  return db.transact(async (tx) => {
    if ((await tx.query(claimKey, [caller, key, requestHash])).length === 1) {
      const answer = await create(tx)
      await tx.query(keepAnswer, [caller, key, answer])
      return answer
    }
    const [known] = await tx.query(readAnswer, [caller, key])
    if (known?.request_hash !== requestHash) {
      throw new AppError(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key came with another request; make a new one',
      )
    }
    return known.answer
  })
}

// One that is being replaced right now stays.
const forget = statement<{ count: number }>(
  'forget_idempotent_answers',
  `with forgotten as (
    delete from idempotent_answers
    where idempotent_answers.ctid = any(array(
      select old.ctid
      from idempotent_answers as old
      where old.created_at <= now() - interval '24 hours'
      order by old.created_at
      limit $1::integer
      for update skip locked
    ))
    returning idempotent_answers.key
  )
  select count(*)::integer as count from forgotten`,
)

/** Deletes the answers whose keys are free again, so many at a time that none takes long. */
export async function forgetOldAnswers(database: Database, batch = 1000): Promise<void> {
  let count: number
  do {
    const [row] = await database.query(forget, [batch])
    count = row?.count ?? 0
  } while (count === batch)
}
