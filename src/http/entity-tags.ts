import { createHash } from 'node:crypto'
import type { Value } from '../db/database.ts'

/**
 * Stands for what was asked: the text of the statement, which another release may have changed, and its values. Callers are told apart by the
 * version.
 */
export function describeRequest(text: string, values: readonly Value[]): string {
  const hash = createHash('sha256').update(text).update('\0').update(JSON.stringify(values))
  return hash.digest('base64url').slice(0, 22)
}

/**
 * Writes the entity tag of a version of what was asked. It is weak: the bytes may be compressed or not (RFC 9110, 8.8.1).
 */
export function writeEntityTag(request: string, version: string | null): string {
  return `W/"${request}.${version}"`
}

/**
 * Reads out of `If-None-Match` the versions that a client knows of what was asked, `*` standing for any (RFC 9110, 13.1.2). Tags of anything
 * else are left out, as is what is no tag.
 */
export function readKnownVersions(ifNoneMatch: string | undefined, request: string): string[] {
  if (ifNoneMatch === undefined) return []
  if (ifNoneMatch.trim() === '*') return ['*']
  return [...ifNoneMatch.matchAll(OPAQUE_TAGS)].flatMap(([, tag = '']) => {
    const [about, version] = tag.split('.')
    return about === request && version !== undefined && version !== '*' ? [version] : []
  })
}

const OPAQUE_TAGS = /"([\x21\x23-\x7e\x80-\xff]*)"/g
