import type { FastifyRequest } from 'fastify'
import type { ActorDatabase } from '../http/routing/actor.ts'
import { QUICK_BODY_BYTES } from '../http/routing/route.ts'
import type { VersionedText } from './kept-texts.ts'
import { takeTurn } from './turns.ts'

/** More than any record has. */
export const ANY_BYTES = Number.MAX_SAFE_INTEGER

/** The longest text of a record that a coalesced statement reads, in bytes. */
export const SHORT_BYTES = 64 * 1024

/** How a record is read. */
export interface ReadingBySize {
  readonly query: ActorDatabase['query']
  /** By the coalesced statement. */
  readonly isShort: boolean
  /** The statement returns no body for a longer record. */
  readonly most_bytes: number
  /** The statement returns no body for this version. */
  readonly known_version: string | null
}

/**
 * Reads a versioned record that may be large: a short one by a coalesced statement, or from the
 * kept texts; a longer one by a statement in the quick pool; and a large one as a long list is
 * read. `key` names the record and those who get the same text. `read` may throw.
 */
export async function readBySize(
  {
    db,
    request,
    key,
  }: { readonly db: ActorDatabase; readonly request: FastifyRequest; readonly key: string },
  read: (reading: ReadingBySize) => Promise<VersionedText>,
): Promise<string> {
  const quickly: ActorDatabase['query'] = (...asked) => db.queryQuickly(...asked)
  const short = await request.server.lists.texts.read(key, (known_version) =>
    read({ query: quickly, isShort: true, most_bytes: SHORT_BYTES, known_version }),
  )
  if (short !== null) return short
  const long = { isShort: false, known_version: null }
  const quick = await read({ ...long, query: quickly, most_bytes: QUICK_BODY_BYTES })
  if (quick.body !== null) {
    if (quick.body.length <= SHORT_BYTES) request.server.lists.texts.forget(key)
    return quick.body
  }
  const turn = await takeTurn(request)
  const query: ActorDatabase['query'] = (...asked) => db.query(...asked)
  const { body } = await turn.build(() => read({ ...long, query, most_bytes: ANY_BYTES }))
  if (body === null) throw new Error('a record must have a body of any size')
  return body
}
