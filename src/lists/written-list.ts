import { setImmediate as nextTurn } from 'node:timers/promises'
import { bind, type NamedValues, type NoParams, type Params, type Values } from '../db/statement.ts'
import type { ActorDatabase } from '../http/routing/actor.ts'
import type { ListCache } from './cache.ts'
import { type ListOwner, type ListVersion, type StateStatement, stateStatement } from './definition.ts'
import { hashDocument } from './entity-tag.ts'
import type { KeyPart } from './order.ts'
import type { TextInParts } from './text-in-parts.ts'

/** The items of such a list after a key, at most `limit` of them. */
export interface ListPage {
  readonly after: readonly string[] | undefined
  readonly limit: number
}

export const WHOLE_LIST: ListPage = { after: undefined, limit: Number.POSITIVE_INFINITY }

/** A page as JSON, and the key of its last item if there is another page. */
export interface BuiltPage {
  readonly body: Buffer | TextInParts
  readonly next: string | null
}

/** For whom a text is built, and what an instance keeps of it. */
export interface BuildContext {
  readonly db: ActorDatabase
  readonly cache: ListCache
  /** The callers who get the same text, as the version names them. */
  readonly audience: string
}

interface WrittenListDefinition<P extends Params> {
  readonly name: string
  readonly params: P
  /** A document has none. */
  readonly key: readonly Pick<KeyPart, 'type'>[]
  readonly owner: ListOwner
  /** For a list that clients poll. */
  readonly version?: ListVersion
  /** The present text: it has everything that was committed before. */
  readonly build: (context: BuildContext, values: NamedValues, page: ListPage) => Promise<BuiltPage>
}

/** A list or document that the service writes, instead of one that PostgreSQL builds. */
export type WrittenList<V = never> = Omit<WrittenListDefinition<Params>, 'params' | 'version'> & {
  readonly version: StateStatement | undefined
  /** Identifies the list with its values and page, in this release. Default: the whole list. */
  readonly hash: (values: NamedValues, page?: ListPage) => string
  /** Carries the type of the values; never set. */
  readonly values?: (values: V) => void
}

/** Defines a list that the service writes, in the order of its key (D6). */
export function defineWrittenList<P extends Params = NoParams>(
  list: WrittenListDefinition<P>,
): WrittenList<Values<P>> {
  const { name, params, key, owner, version, build } = list
  const order = Object.keys(params)
  return {
    ...{ name, key, owner, build },
    version: version && stateStatement({ name, params: params as Params, owner, version }),
    hash: (values, page = WHOLE_LIST) =>
      hashDocument(`${name} ${JSON.stringify(page)}`, bind({ order }, values)),
  }
}

/** Defines a polled document: a list of one page. */
export function defineDocument<P extends Params = NoParams>({
  build,
  ...document
}: Omit<WrittenListDefinition<P>, 'key' | 'build'> & {
  readonly build: (context: BuildContext, values: NamedValues) => Promise<BuiltPage['body']>
}): WrittenList<Values<P>> {
  return defineWrittenList({
    ...{ ...document, key: [] },
    build: async (context, values) => ({ body: await build(context, values), next: null }),
  })
}

/** An item as JSON, with its key. */
export interface WrittenItem {
  readonly key: readonly (string | number)[]
  readonly text: string
}

/** Cuts a page from items in the order of their keys, which are numbers and texts of UUIDs. */
export async function cutPage(items: Iterable<WrittenItem>, { after, limit }: ListPage): Promise<BuiltPage> {
  const page: WrittenItem[] = []
  for (const item of items) {
    if (after !== undefined && !isAfter(item.key, after)) continue
    if (page.length === limit)
      return { body: bodyOf(page), next: JSON.stringify(page.at(-1)?.key.map(String)) }
    page.push(item)
    if (page.length % ITEMS_IN_SLICE === 0) await nextTurn()
  }
  return { body: bodyOf(page), next: null }
}

/** Other requests get their turn between. */
const ITEMS_IN_SLICE = 4000

const bodyOf = (items: readonly WrittenItem[]) => Buffer.from(`[${items.map(({ text }) => text).join(',')}]`)

function isAfter(key: WrittenItem['key'], after: readonly string[]): boolean {
  for (const [place, part] of key.entries()) {
    const other = typeof part === 'number' ? Number(after[place]) : (after[place] ?? '')
    if (part !== other) return part > other
  }
  return false
}
