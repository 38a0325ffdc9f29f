import { actorStatement } from '../../../db/actor-statement.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import type { ListCache } from '../../../lists/cache.ts'
import { readDocument } from '../../../lists/response.ts'
import { accessOf } from './access.ts'
import { readAwards } from './awards.ts'
import type { Collection, ObjectType } from './collection.ts'
import type { Collections } from './collections.ts'
import { readContestView } from './contest-sql.ts'
import type { Touched, Toucher } from './touched.ts'

/** Who reads which contest. */
export interface Reader extends Toucher {
  readonly db: ActorDatabase
  /** Those that the reader may see; objects refer only to collections before their own. */
  readonly collections: readonly Collection[]
  readonly seesAwards: boolean
  /** Names the contest and what the reader may see of it. */
  readonly scope: string
  /** Builds the awards, which need the whole standings, once for many readers. */
  readonly documents: { readonly db: ActorDatabase; readonly cache: ListCache }
}

/** A notification as JSON text (Contest API, Notification format), without a token. */
export interface Notification {
  readonly type: ObjectType
  readonly text: string
}

/** The submissions whose objects one statement reads. */
const SUBMISSIONS_AT_ONCE = 500

/** The reader of a contest; undefined if it is not theirs to read. */
export async function openReader(
  reader: Omit<Reader, 'collections' | 'seesAwards' | 'isJury' | 'seesAll' | 'scope'>,
  collections: Collections,
): Promise<Reader | undefined> {
  const [view] = await reader.db.query(readContestView, { event_id: reader.eventId })
  if (view === undefined) return undefined
  const types = new Set<string>(accessOf(view).endpoints.map(({ type }) => type))
  const visible = Object.values(collections).filter(({ type }) => types.has(type))
  const { is_staff, is_jury, sees_all, takes_part, is_open, shows_results } = view
  // The first one is an assistant's: tokens from before this rule stay valid for all others.
  const rights = [is_jury && !sees_all, is_staff, is_jury, takes_part, is_open, shows_results]
  const seesAwards = types.has('awards')
  const bits = [...rights, ...Object.keys(collections).map((type) => types.has(type)), seesAwards]
  const scope = `${reader.eventId}-${Number.parseInt(bits.map(Number).join(''), 2).toString(36)}`
  return { ...reader, isJury: is_jury, seesAll: sees_all, collections: visible, seesAwards, scope }
}

/**
 * The present state of touched objects. One that the reader does not see is left out: objects
 * disappear only where a collection is replaced. Long ones are then emptied and filled in parts.
 */
export async function* readTouched(reader: Reader, touched: Touched): AsyncGenerator<Notification> {
  const ofSubmissions = new Map<ObjectType, Set<string>>()
  let all: Promise<Set<string>> | undefined
  const readAllIds = () => {
    all ??= readSubmissionIds(reader, null)
    return all
  }
  for (const collection of reader.collections) {
    const { type } = collection
    const isReplaced = touched.replaced.has(type)
    if (isOfSubmission(collection)) {
      if (isReplaced) yield empty(type)
      ofSubmissions.set(type, await touchedSubmissions(reader, touched, type, readAllIds))
    } else if (isReplaced || touched.types.has(type)) yield await wholeCollection(reader, collection)
    else yield* singleObjects(reader, collection, [...(touched.keys.get(type) ?? [])])
  }
  const touchesAwards = touched.replaced.has('awards') || touched.types.has('awards')
  if (reader.seesAwards && touchesAwards) yield await wholeAwards(reader)
  yield* objectsOfSubmissions(reader, ofSubmissions)
}

/** Lines that say that there are no objects yet of the types that are filled in parts. */
export const emptied = ({ collections }: Reader): Notification[] =>
  collections.filter(isOfSubmission).map(({ type }) => empty(type))

/** A contest has many of these objects: they are read in parts. */
const isOfSubmission = ({ type }: Collection) =>
  type === 'submissions' || type === 'judgements' || type === 'runs'

/** The submissions whose objects of a type were touched. */
async function touchedSubmissions(
  reader: Reader,
  { replaced, authors, types, keys }: Touched,
  type: ObjectType,
  readAllIds: () => Promise<Set<string>>,
): Promise<Set<string>> {
  if (replaced.has(type) || types.has(type)) return readAllIds()
  const ofAuthors = authors.get(type)
  const ids = ofAuthors === undefined ? [] : await readSubmissionIds(reader, [...ofAuthors])
  return new Set([...(keys.get(type) ?? []), ...ids])
}

/** The ids of the submissions of some users or all, oldest first. */
async function readSubmissionIds({ db, eventId }: Reader, user_ids: readonly string[] | null) {
  const rows = await db.query(listSubmissionIds, { event_id: eventId, user_ids })
  return new Set(rows.map(({ id }) => id))
}

/** The ids of a contest's submissions, oldest first; the collections decide who sees them. */
export const listSubmissionIds = actorStatement({
  name: 'list_contest_submission_ids',
  params: { event_id: 'integer', user_ids: 'uuid[] | null' },
  columns: { id: 'uuid' },
  select: `
      select submissions.id
      from submissions
      where submissions.event_id = :event_id and (:user_ids is null or submissions.user_id = any (:user_ids))
      order by submissions.submit_time, submissions.id`,
})

async function* objectsOfSubmissions(
  reader: Reader,
  idsByType: ReadonlyMap<ObjectType, ReadonlySet<string>>,
): AsyncGenerator<Notification> {
  const collections = reader.collections.filter(isOfSubmission)
  const ids = [...new Set(collections.flatMap(({ type }) => [...(idsByType.get(type) ?? [])]))]
  for (let start = 0; start < ids.length; start += SUBMISSIONS_AT_ONCE) {
    const part = ids.slice(start, start + SUBMISSIONS_AT_ONCE)
    for (const collection of collections) {
      const ofType = idsByType.get(collection.type)
      yield* singleObjects(
        reader,
        collection,
        part.filter((id) => ofType?.has(id)),
      )
    }
  }
}

async function* singleObjects(
  { db, eventId }: Reader,
  { type, named }: Collection,
  keys: readonly string[],
): AsyncGenerator<Notification> {
  if (keys.length === 0) return
  for (const { id, item } of await db.query(named, { event_id: eventId, keys })) {
    yield { type, text: `{"type":"${type}","id":${JSON.stringify(id)},"data":${item}}` }
  }
}

async function wholeCollection({ db, eventId }: Reader, { type, all }: Collection): Promise<Notification> {
  const items = (await db.query(all, { event_id: eventId })).map(({ item }) => item)
  const isSingleton = type === 'contest' || type === 'state'
  return { type, text: wholeText(type, isSingleton ? (items[0] ?? 'null') : `[${items.join(',')}]`) }
}

/** The awards as the reader sees them, if any. */
export async function* readAwardsLine(reader: Reader): AsyncGenerator<Notification> {
  if (reader.seesAwards) yield await wholeAwards(reader)
}

async function wholeAwards({ documents, eventId }: Reader): Promise<Notification> {
  const text = await readDocument(documents, readAwards, { event_id: eventId })
  return { type: 'awards', text: wholeText('awards', text) }
}

const empty = (type: ObjectType): Notification => ({ type, text: wholeText(type, '[]') })

const wholeText = (type: ObjectType, data: string) => `{"type":"${type}","id":null,"data":${data}}`
