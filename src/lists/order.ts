import type { Params } from '../db/statement.ts'

/** One part of a list's order. The cursor carries an instant as its microseconds since 1970. */
export interface KeyPart {
  readonly column: string
  readonly type: 'uuid' | 'integer' | 'bigint' | 'float8' | 'instant' | 'text'
}

export interface ListOrder {
  readonly key: readonly KeyPart[]
  readonly direction: 'asc' | 'desc'
}

/** The latest `time` first; rows of one instant by their id. */
export function newestFirst(time: string, id: string, idType: 'uuid' | 'integer'): ListOrder {
  return {
    key: [
      { column: time, type: 'instant' },
      { column: id, type: idType },
    ],
    direction: 'desc',
  }
}

/** Ascending by columns that are unique together. */
export const ascending = (...key: KeyPart[]): ListOrder => ({ key, direction: 'asc' })

/** The parameters that a page adds to its list. */
export function pageParams(key: readonly KeyPart[]): Params {
  const after = key.map(({ type }, place): [string, Params[string]] => [
    `page_after_${place}`,
    type === 'instant' ? 'bigint' : type,
  ])
  return { page_limit: 'integer', ...Object.fromEntries(after) }
}
