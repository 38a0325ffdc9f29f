import { createHash } from 'node:crypto'
import type { Value } from '../db/statement.ts'

/** Identifies a query: a hash of its text, which a release may change, and its values. */
export function hashQuery(text: string, values: readonly Value[]): string {
  const hash = createHash('sha256').update(text).update('\0').update(JSON.stringify(values))
  return hash.digest('base64url').slice(0, 22)
}

/** The entity tag of a version. It is weak: the response may be compressed (RFC 9110, 8.8.1). */
export function writeEntityTag(query: string, version: string): string {
  return `W/"${query}.${version}"`
}

/** Whether `If-None-Match` has the tag, or `*` (RFC 9110, 13.1.2). Malformed tags are ignored. */
export function hasEntityTag(ifNoneMatch: string | undefined, query: string, version: string): boolean {
  return hasTag(ifNoneMatch, `${query}.${version}`)
}

/** The entity tag of bytes that only their version decides: clients may read it (D21). */
export const writeVersionTag = (version: string) => `W/"${version}"`

/** Like `hasEntityTag`, for `writeVersionTag`. */
export const hasVersionTag = (ifNoneMatch: string | undefined, version: string) =>
  hasTag(ifNoneMatch, version)

function hasTag(ifNoneMatch: string | undefined, opaque: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(OPAQUE_TAGS)].some(([, tag]) => tag === opaque)
}

const OPAQUE_TAGS = /"([\x21\x23-\x7e\x80-\xff]*)"/g
