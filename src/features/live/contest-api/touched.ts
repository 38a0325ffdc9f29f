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

/** Whether there is nothing to read. */
export function isUntouched({ replaced, types, keys, authors }: Touched): boolean {
  return replaced.size === 0 && types.size === 0 && keys.size === 0 && authors.size === 0
}

const ALL_TYPES = Object.keys(objectSchemas) as ObjectType[]

/** Every collection is sent anew. */
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

/** Objects of the types whose keys are a submission. */
const RESULTS = ['judgements', 'runs'] as const
const OF_SUBMISSION = ['submissions', ...RESULTS] as const

/** The reader of a contest whose objects are touched. */
interface Toucher {
  readonly eventId: number
  /** Null for anonymous readers. */
  readonly userId: string | null
  /** Staff or a judge. */
  readonly isJury: boolean
}

/**
 * Adds what changes touch in a contest (P26). A change without a contest may concern every one. A
 * change of the reader may show other objects.
 */
export function touch(
  touched: Touched,
  changes: readonly Change[],
  { eventId, userId, isJury }: Toucher,
): void {
  for (const change of changes) {
    const { kind, objectId } = change
    if (change.eventId !== null && change.eventId !== eventId) continue
    const isOfReader = (kind === 'participant' || kind === 'user') && userId !== null && objectId === userId
    if (change.isForJury && !isJury && !isOfReader) continue
    // A later release may log kinds that this one does not know.
    const touchObject: TouchObject | undefined = TOUCH[kind]
    if (change.isReset || isOfReader || touchObject === undefined) replaceAll(touched)
    else touchObject(touched, objectId)
  }
}

type TouchObject = (touched: Touched, objectId: string | null) => void

const TOUCH: Readonly<Record<Change['kind'], TouchObject>> = {
  submission: (touched, id) => {
    add(touched.keys, OF_SUBMISSION, id)
    touched.types.add('awards')
  },
  // The submission itself stays the same: nothing is sent to those who do not see the verdict.
  judging: (touched, id) => {
    add(touched.keys, RESULTS, id)
    touched.types.add('awards')
  },
  question: (touched, id) => add(touched.keys, ['clarifications'], id),
  // Penalty and medals change awards; allowed languages change languages.
  contest: (touched) => addTypes(touched, 'contest', 'state', 'awards', 'languages'),
  // Its number and label depend on the others.
  problem: (touched) => addTypes(touched, 'problems', 'awards'),
  // Test cases are counted, and runs of removed ones disappear.
  tests: (touched) => {
    addTypes(touched, 'problems', 'awards')
    touched.replaced.add('runs')
  },
  participant: (touched, id) => {
    add(touched.keys, ['teams', 'persons', 'accounts'], id)
    addTypes(touched, 'awards', 'clarifications')
    // The submissions may belong to another team now.
    add(touched.authors, ['submissions'], id)
  },
  team: (touched, id) => {
    add(touched.keys, ['teams'], id)
    touched.types.add('awards')
  },
  user: (touched, id) => {
    add(touched.keys, ['teams', 'persons', 'accounts'], id)
    // Teams of one rank are listed by name.
    touched.types.add('awards')
  },
  language: (touched) => addTypes(touched, 'languages'),
  reveal: (touched, id) => {
    if (id === null) addTypes(touched, ...RESULTS)
    else add(touched.authors, RESULTS, id)
    touched.types.add('awards')
  },
  notification: () => {},
}

function addTypes({ types }: Touched, ...added: ObjectType[]): void {
  for (const type of added) types.add(type)
}

function add(sets: Map<ObjectType, Set<string>>, types: readonly ObjectType[], key: string | null): void {
  if (key === null) return
  for (const type of types) sets.set(type, (sets.get(type) ?? new Set()).add(key))
}
