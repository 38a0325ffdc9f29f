import { createHash } from 'node:crypto'
import { readVersion } from '../config/project.ts'
import type { Value } from '../db/statement.ts'

/** Identifies a query: a hash of its text, which a release may change, and its values. */
export function hashQuery(text: string, values: readonly Value[]): string {
  const hash = createHash('sha256').update(text).update('\0').update(JSON.stringify(values))
  return hash.digest('base64url').slice(0, 22)
}

const VERSION = readVersion()

/** The same for a text that this release writes. */
export const hashDocument = (name: string, values: readonly Value[]): string =>
  hashQuery(`${name} ${VERSION}`, values)

/**
 * The entity tag of a version, after the hash of the query where a URL has several. It is weak: the
 * response may be compressed (RFC 9110, 8.8.1).
 */
export const writeEntityTag = (...parts: string[]) => `W/"${parts.join('.')}"`

/** Whether `If-None-Match` has the tag, or `*` (RFC 9110, 13.1.2). Malformed tags are ignored. */
export function hasEntityTag(ifNoneMatch: string | undefined, ...parts: string[]): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(OPAQUE_TAGS)].some(([, tag]) => tag === parts.join('.'))
}

const OPAQUE_TAGS = /"([\x21\x23-\x7e\x80-\xff]*)"/g
