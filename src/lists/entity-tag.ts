import { createHash } from 'node:crypto'
import type { Value } from '../db/database.ts'

/**
 * Stands for what was asked: the text of the statement, which another release may have changed, and its values. Audiences are told apart by
 * the version.
 */
export function describeRequest(text: string, values: readonly Value[]): string {
  const hash = createHash('sha256').update(text).update('\0').update(JSON.stringify(values))
  return hash.digest('base64url').slice(0, 22)
}

/**
 * Writes the entity tag of a version of what was asked. It is weak: the bytes may be compressed or not (RFC 9110, 8.8.1).
 */
export function writeEntityTag(request: string, version: string): string {
  return `W/"${request}.${version}"`
}

/**
 * Whether a client knows a version of what was asked by its `If-None-Match`, `*` standing for any (RFC 9110, 13.1.2). What is no tag is left out.
 */
export function isKnown(ifNoneMatch: string | undefined, request: string, version: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(OPAQUE_TAGS)].some(([, tag]) => tag === `${request}.${version}`)
}

const OPAQUE_TAGS = /"([\x21\x23-\x7e\x80-\xff]*)"/g
