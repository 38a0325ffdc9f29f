import { actorStatement } from '../../../db/actor-statement.ts'
import type { RowOf } from '../../../db/statement.ts'
import type { objectSchemas } from './schemas.ts'
import { CONTEST } from './visibility.ts'

/** The types of objects, as notifications name them (Contest API, Notification format). */
export type ObjectType = keyof typeof objectSchemas

/** A filter compares a property of the JSON; '' means absent. */
export const filterParams = { filter_names: 'text[]?', filter_values: 'text[]?' } as const

const allParams = { event_id: 'integer', ...filterParams } as const
const namedParams = { event_id: 'integer', keys: 'text[]' } as const

/** An object as JSON text; `key` is the row behind it, which the change log names. */
const objectColumns = { id: 'text | null', key: 'text', item: 'text' } as const

export type ObjectRow = RowOf<typeof objectColumns>

/** The objects of one type in a contest, as the actor may see them. */
export type Collection = ReturnType<typeof defineCollection>

interface KeyFilter {
  readonly name: string
  /** The key of all objects with this value; undefined if there is none. */
  readonly keyOf: (value: string) => string | undefined
}

interface CollectionDefinition {
  readonly type: ObjectType
  /** Part of the statements' names, if the configuration is part of their SQL. */
  readonly variant?: string
  /** SQL expression of the object's id, null for `contest` and `state`. Default: the key. */
  readonly id?: string
  /** SQL expression: the object as JSON. Absent values are null, and left out. */
  readonly item: string
  /** Common table expressions. Default: `contest`. */
  readonly with?: string
  /** SQL condition: the rows of a large table with a key. Undefined: all rows of the contest. */
  readonly from: string | ((hasKey: string | undefined) => string)
  /** Default: all. */
  readonly where?: string
  /** SQL expression of the key as the table has it, without a cast, so that an index serves it. */
  readonly key: string
  readonly keyType: 'uuid' | 'integer' | 'text'
  /** Default: by the key. */
  readonly order?: string
  /** Default: the id is the key. */
  readonly keyOf?: (id: string) => string | undefined
  readonly keyFilter?: KeyFilter
}

const KEY_PATTERNS = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  integer: /^(0|[1-9]\d{0,8})$/,
  text: /^[\w.-]{1,255}$/,
}

/** Whether this key can be one of a table's rows. */
const isKey = (type: CollectionDefinition['keyType'], key: string) => KEY_PATTERNS[type].test(key)

/** SQL condition: the JSON `object.item` has these values. */
export const MATCHES_FILTERS = `(:filter_names is null or not exists (
        select from unnest(:filter_names, :filter_values) as filter (name, value)
        where coalesce(object.item ->> filter.name, '') <> filter.value))`

/**
 * Defines the objects of one type. The same SQL serves the whole collection, one object, the event
 * feed and webhooks, so that they cannot differ (P26).
 */
export function defineCollection(definition: CollectionDefinition) {
  const { type, key, keyType, keyOf = (named) => named, keyFilter } = definition
  const name = `${type.replaceAll('-', '_')}${definition.variant === undefined ? '' : `_${definition.variant}`}`
  const base = { columns: objectColumns, with: definition.with ?? CONTEST }
  const checked = (find: KeyFilter['keyOf']) => (value: string) => {
    const found = find(value)
    return found !== undefined && isKey(keyType, found) ? found : undefined
  }
  return {
    type,
    /** The key of the object with this id; undefined if no object can have it. */
    keyOf: checked(keyOf),
    /** A filter for which the objects of one key are enough. */
    keyFilter: keyFilter && { name: keyFilter.name, keyOf: checked(keyFilter.keyOf) },
    /** All objects, or those with certain properties. */
    all: actorStatement({
      ...base,
      name: `list_contest_${name}`,
      params: allParams,
      select: `${objectsOf(definition)}
      where ${MATCHES_FILTERS}
      order by object.place`,
    }),
    /** The objects of these keys. A statement of its own: its plan uses the index of the key. */
    named: actorStatement({
      ...base,
      name: `find_contest_${name}`,
      params: namedParams,
      select: `${objectsOf(definition, `${key} = any (:keys::${keyType}[])`)}
      order by object.place`,
    }),
  }
}

const objectsOf = (
  { key, id = `${key}::text`, item, from, where = 'true', order = key }: CollectionDefinition,
  hasKey?: string,
) => `
      select object.id, object.key, object.item::text
      from (
        select ${id} as id, (${key})::text as key, json_strip_nulls(${item}) as item,
               row_number() over (order by ${order}) as place
        from ${typeof from === 'string' ? from : from(hasKey)}
        where ${where} and ${hasKey ?? 'true'}
      ) as object`
