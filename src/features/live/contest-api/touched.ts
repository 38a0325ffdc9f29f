import type { Change } from '../../../changes/change.ts'
import type { ObjectType } from './collection.ts'
import { objectSchemas } from './schemas.ts'

/** The objects of a contest that changes may have changed. */
export interface Touched {
  /** Collections from which objects may have disappeared: they are sent anew. */
  readonly replaced: Set<ObjectType>
  /** Whole collections. */
  readonly types: Set<ObjectType>
  /** Single objects by the keys of their collection. */
  readonly keys: Map<ObjectType, Set<string>>
  /** Objects of the submissions of these users. */
  readonly authors: Map<ObjectType, Set<string>>
}

export const nothingTouched = (): Touched => ({
  replaced: new Set(),
  types: new Set(),
  keys: new Map(),
  authors: new Map(),
})

/** Every collection is sent anew. */
export function everythingTouched(): Touched {
  const touched = nothingTouched()
  replaceAll(touched)
  return touched
}

/** Whether there is nothing to read. */
export function isUntouched({ replaced, types, keys, authors }: Touched): boolean {
  return replaced.size === 0 && types.size === 0 && keys.size === 0 && authors.size === 0
}

/** Types of which anonymous readers see single objects appear, or see none. */
const ADDED_FOR_ALL: readonly string[] = ['submissions', 'judgements', 'runs', 'clarifications']

/** More changes take as long to read as a whole contest. */
const MOST_ADDED = 500

/** Whether for anonymous readers only submissions and results follow, and not many. */
export function onlyAddsForAll({ replaced, types, keys, authors }: Touched): boolean {
  const count = [...keys.values()].reduce((sum, ofType) => sum + ofType.size, 0)
  const isAdded = [...keys.keys()].every((type) => ADDED_FOR_ALL.includes(type))
  const isOfAwards = [...types].every((type) => type === 'awards')
  return replaced.size === 0 && authors.size === 0 && isAdded && isOfAwards && count <= MOST_ADDED
}

const ALL_TYPES = Object.keys(objectSchemas) as ObjectType[]

/** Adds every collection, to be sent anew. */
export function replaceAll({ replaced }: Touched): void {
  for (const type of ALL_TYPES) replaced.add(type)
}

/** What either has touched. */
export function merge(one: Touched, other: Touched): Touched {
  const sets = (name: 'keys' | 'authors') => {
    const merged = new Map(one[name])
    for (const [type, keys] of other[name]) merged.set(type, new Set([...(merged.get(type) ?? []), ...keys]))
    return merged
  }
  return {
    replaced: new Set([...one.replaced, ...other.replaced]),
    types: new Set([...one.types, ...other.types]),
    keys: sets('keys'),
    authors: sets('authors'),
  }
}

const RESULTS = ['judgements', 'runs'] as const
const OF_PERSON = ['teams', 'persons', 'accounts'] as const

/** The reader of a contest whose objects are touched. */
export interface Toucher {
  readonly eventId: number
  /** Null for anonymous readers. */
  readonly userId: string | null
  /** Staff or a judge: sees hidden participants. */
  readonly isJury: boolean
  /** An admin, a judge or the owner: sees hidden problems too. */
  readonly seesAll: boolean
}

/**
 * Adds what changes touch in a contest (P26). A change without a contest may concern every one. A
 * change of the reader may show other objects.
 */
export function touch(
  touched: Touched,
  changes: readonly Change[],
  { eventId, userId, isJury, seesAll }: Toucher,
): void {
  for (const change of changes) {
    const { kind, objectId } = change
    if (change.eventId !== null && change.eventId !== eventId) continue
    const isOfReader = (kind === 'participant' || kind === 'user') && userId !== null && objectId === userId
    const seesHidden = kind === 'problem' || kind === 'tests' ? seesAll : isJury
    if (change.isForJury && !seesHidden && !isOfReader) continue
    // A later release may log kinds that this one does not know.
    const touching: Touching | undefined = TOUCHING[kind]
    if (change.isReset || isOfReader || touching === undefined) replaceAll(touched)
    else touchObjects(touched, touching, objectId)
  }
}

/** What a change of one kind touches in a contest. */
interface Touching {
  readonly types?: readonly ObjectType[]
  readonly replaced?: readonly ObjectType[]
  /** Types of which it touches the object with the id of the change. */
  readonly keys?: readonly ObjectType[]
  /** Types of which it touches the objects of this user's submissions; without an id, of all. */
  readonly authors?: readonly ObjectType[]
}

const TOUCHING: Readonly<Record<Change['kind'], Touching>> = {
  submission: { keys: ['submissions', ...RESULTS], types: ['awards'] },
  // The submission itself stays the same: nothing is sent to those who do not see the verdict.
  judging: { keys: RESULTS, types: ['awards'] },
  question: { keys: ['clarifications'] },
  // Penalty and medals change awards; allowed languages change languages.
  contest: { types: ['contest', 'state', 'awards', 'languages'] },
  // Its number and label depend on the others.
  problem: { types: ['problems', 'awards'] },
  // Test cases are counted, and runs of removed ones disappear.
  tests: { types: ['problems', 'awards'], replaced: ['runs'] },
  // The submissions may belong to another team now.
  participant: { keys: OF_PERSON, types: ['awards', 'clarifications'], authors: ['submissions'] },
  team: { keys: ['teams'], types: ['awards'] },
  // Teams of one rank are listed by name.
  user: { keys: OF_PERSON, types: ['awards'] },
  language: { types: ['languages'] },
  reveal: { authors: RESULTS, types: ['awards'] },
  notification: {},
}

function touchObjects(touched: Touched, touching: Touching, id: string | null): void {
  const { types = [], replaced = [], keys = [], authors = [] } = touching
  for (const type of types) touched.types.add(type)
  for (const type of replaced) touched.replaced.add(type)
  if (id === null) {
    for (const type of authors) touched.types.add(type)
    return
  }
  for (const type of keys) addTo(touched.keys, type, id)
  for (const type of authors) addTo(touched.authors, type, id)
}

function addTo(sets: Map<ObjectType, Set<string>>, type: ObjectType, key: string): void {
  sets.set(type, (sets.get(type) ?? new Set()).add(key))
}
