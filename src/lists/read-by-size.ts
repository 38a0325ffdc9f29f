import type { FastifyRequest } from 'fastify'
import type { ActorDatabase } from '../http/routing/actor.ts'
import { QUICK_BODY_BYTES } from '../http/routing/pool-of.ts'
import { takeTurn } from './turns.ts'

/** More than any record has. */
export const ANY_BYTES = Number.MAX_SAFE_INTEGER

/**
 * Reads a record that may be large: by one statement in the quick pool, which returns no body for a
 * large one, and then as a long list is read. `read` may throw.
 */
export async function readBySize(
  { db, request }: { readonly db: ActorDatabase; readonly request: FastifyRequest },
  read: (query: ActorDatabase['query'], mostBytes: number) => Promise<string | null>,
): Promise<string> {
  const quick = await read((...asked) => db.queryQuickly(...asked), QUICK_BODY_BYTES)
  if (quick !== null) return quick
  const turn = await takeTurn(request)
  const body = await turn.build(() => read((...asked) => db.query(...asked), ANY_BYTES))
  if (body === null) throw new Error('a record must have a body of any size')
  return body
}
