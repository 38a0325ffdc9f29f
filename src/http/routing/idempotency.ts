import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type Database, DatabaseError } from '../../db/database.ts'
import { deleteInBatches } from '../../db/delete-in-batches.ts'
import { statement, type Values } from '../../db/statement.ts'
import type { ActorDatabase } from './actor.ts'
import { AppError } from './errors.ts'

const KEY = /^[\x21-\x7e]{1,255}$/

/** A key is free again after a day. This waits for a request in progress with the same key. */
export const claimKey = statement({
  name: 'claim_idempotency_key',
  params: { caller: 'text', key: 'text', canonical_hash: 'text' },
  sql: `insert into idempotent_answers (caller, key, canonical_hash)
        values (:caller, :key, :canonical_hash)
        on conflict (caller, key) do update
        set canonical_hash = excluded.canonical_hash, answer = null, created_at = now()
        where idempotent_answers.created_at <= now() - interval '24 hours'
        returning idempotent_answers.key`,
})

export const readKeptResponse = statement({
  name: 'read_idempotent_response',
  params: { caller: 'text', key: 'text' },
  columns: { canonical_hash: 'text', response: 'text' },
  sql: `select idempotent_answers.canonical_hash, idempotent_answers.answer as response
        from idempotent_answers
        where idempotent_answers.caller = :caller and idempotent_answers.key = :key`,
})

export const keepResponse = statement({
  name: 'keep_idempotent_response',
  params: { caller: 'text', key: 'text', response: 'text' },
  sql: `update idempotent_answers
        set answer = :response
        where idempotent_answers.caller = :caller and idempotent_answers.key = :key`,
})

/** The parameters of a statement that stores a record and the response to a key at once. */
export const keyParams = {
  key_caller: 'text?',
  key: 'text?',
  canonical_hash: 'text?',
} as const

export type KeyValues = Values<typeof keyParams>

const NO_KEY: KeyValues = {}

/** SQL condition of such a statement: the key came before. It must then store nothing. */
export const KEY_IS_KNOWN = `exists (
        select from idempotent_answers
        where idempotent_answers.caller = :key_caller and idempotent_answers.key = :key)`

/**
 * Part of such a statement: stores the response to each request with a key, from the CTE `created`
 * of the records, which have the ids `:id`; in the response they are called `records`. A key that a
 * concurrent request stores first is a violation.
 */
export const responsesFrom = (
  created: string,
  records: string,
  response: string,
) => `insert into idempotent_answers (caller, key, canonical_hash, answer)
      select :key_caller, :key, :canonical_hash, ${response}
      from requests
      join ${created} as ${records} on ${records}.id = :id
      where :key is not null
      order by :key_caller, :key`

/** The statement stored nothing, because the key came before. */
export class KeyIsKnown extends Error {}

interface Request {
  readonly db: ActorDatabase
  readonly request: FastifyRequest
}

/**
 * Runs `create` once for all requests of a caller with one `Idempotency-Key` within 24 hours, and
 * returns its response to each. The statement of `create` stores the record and the response
 * (`keyParams`); for a known key it stores nothing, and `create` throws `KeyIsKnown`. Throws
 * VALIDATION for a malformed key, IDEMPOTENCY_KEY_REUSED where the key came with another request.
 */
export async function createOnce(
  { db, request }: Request,
  caller: string,
  create: (db: ActorDatabase, key: KeyValues) => Promise<string>,
): Promise<string> {
  const key = readIdempotencyKey(request)
  if (key === undefined) return create(db, NO_KEY)
  try {
    return await create(db, { key_caller: caller, key, canonical_hash: hashOf(request) })
  } catch (err) {
    // A refusal may be of a statement that waited for a lock, while the key was stored.
    if (!(err instanceof KeyIsKnown || err instanceof AppError || isKeyTaken(err))) throw err
  }
  return createInTransaction({ db, request }, caller, (tx) => create(tx, NO_KEY))
}

/** A concurrent request has stored the key first. */
const isKeyTaken = (err: unknown) =>
  err instanceof DatabaseError && err.constraint === 'idempotent_answers_pkey'

/** The same where `create` needs several statements: record and response in one transaction. */
export async function createInTransaction(
  { db, request }: Request,
  caller: string,
  create: (db: ActorDatabase) => Promise<string>,
): Promise<string> {
  const key = readIdempotencyKey(request)
  if (key === undefined) return create(db)
  const canonical_hash = hashOf(request)
  return db.transaction(async (tx) => {
    if ((await tx.query(claimKey, { caller, key, canonical_hash })).length === 1) {
      const response = await create(tx)
      await tx.query(keepResponse, { caller, key, response })
      return response
    }
    const [kept] = await tx.query(readKeptResponse, { caller, key })
    if (kept?.canonical_hash !== canonical_hash) {
      throw new AppError(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key came with another request; make a new one',
      )
    }
    return kept.response
  })
}

/** Reads the `Idempotency-Key`; undefined without one. Throws VALIDATION for a malformed key. */
export function readIdempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || (typeof key === 'string' && KEY.test(key))) return key
  throw new AppError('VALIDATION', 'Idempotency-Key must have 1 to 255 visible ASCII characters')
}

/** The order of fields does not matter; validation has written ids in one form. */
function hashOf({ routeOptions: { url = '' }, params, body }: FastifyRequest) {
  const values: Readonly<Record<string, unknown>> = Object(params)
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => String(values[name]))
  return createHash('sha256')
    .update(`${path} ${JSON.stringify(body, sortFields)}`)
    .digest('base64url')
}

function sortFields(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Skips rows that another request is replacing. */
export const deleteOldKeys = statement({
  name: 'delete_old_idempotency_keys',
  params: { batch: 'integer' },
  columns: { count: 'integer' },
  sql: `with deleted as (
          delete from idempotent_answers
          where idempotent_answers.ctid = any(array(
            select old.ctid
            from idempotent_answers as old
            where old.created_at <= now() - interval '24 hours'
            order by old.created_at
            limit :batch
            for update skip locked))
          returning idempotent_answers.key
        )
        select count(*)::integer as count from deleted`,
})

/** Deletes the responses whose keys are free again, in batches. */
export async function forgetOldResponses(database: Database, batch = 1000): Promise<void> {
  await deleteInBatches(batch, () => database.query(deleteOldKeys, { batch }))
}
