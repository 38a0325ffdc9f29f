import type { TestGroup } from '../package/judging-options.ts'
import { compareNames } from './test-tree.ts'
import type { InputFlags } from './validator-arguments.ts'

/** A test case to be written. */
export interface WritableTest {
  /** The name that it had in a package, such as `secret/01`. */
  readonly name: string | null
  readonly hidden: boolean
  readonly hint?: string
  readonly description?: string
  /** Arguments of the input validators. */
  readonly inputFlags?: InputFlags
  /** Arguments of the output validator, in place of the problem's arguments. */
  readonly outputFlags?: string
}

/** Test data to be written. */
export interface WritableTestData {
  /** In judging order. */
  readonly tests: readonly WritableTest[]
  readonly groups?: readonly TestGroup[]
  /** Arguments of the output validator, separated by white space. */
  readonly flags: string
  /** Whether the files of a sample hide its input and answer; without it, none is hidden. */
  readonly staysHidden?: (name: string) => boolean
}

/** Names leave room for the extensions of their files. */
const NAME = /^(sample|secret)(\/[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,199})+$/

/** A name of a file or directory of a package. */
export const isFolderName = (name: string) =>
  /^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,199}$/.test(name) && !name.endsWith('.files')

/**
 * The given names, with new ones for test cases that have none, or whose visibility has changed.
 * Undefined if no test case has a name, or the names cannot be in one package.
 */
export function keepNames({ tests, groups = [], staysHidden = () => false }: WritableTestData) {
  const names = tests.map(({ name, hidden }) => {
    const isSecret = !name?.startsWith('sample/')
    return name !== null && hidden === (isSecret || staysHidden(name)) ? name : undefined
  })
  if (names.every((name) => name === undefined)) return undefined
  const taken = new Set(tests.map(({ name }) => name))
  const leaves = listLeaves(groups)
  const groupOf = new Map(leaves.flatMap(({ cases = [] }, i) => cases.map((number) => [number, i] as const)))
  const folders = tests.map(({ hidden }, i) => names[i]?.split('/', 1)[0] ?? (hidden ? 'secret' : 'sample'))
  const places = folders.map((folder, i) => `${folder} ${groupOf.get(i + 1) ?? ''}`)
  /** By folder and group: the nearest name before a test case, else the first one after it. */
  const near = new Map<string, string>()
  for (const [i, name] of [...names.entries()].toReversed()) if (name) near.set(places[i] ?? '', name)
  // No name says in which folder a group is.
  if (places.some((place, i) => groupOf.has(i + 1) && !near.has(place))) return undefined
  const complete = names.map((name, i) => {
    const place = places[i] ?? ''
    const chosen = name ?? nameAfter(near.get(place) ?? `${folders[i]}/0`, taken)
    taken.add(chosen)
    near.set(place, chosen)
    return chosen
  })
  return areCompatible(complete) ? complete : undefined
}

/** The groups that have test cases. */
const listLeaves = (groups: readonly TestGroup[]): readonly TestGroup[] =>
  groups.flatMap((group) => (group.groups ? listLeaves(group.groups) : [group]))

/** A free name that sorts after `name`: the next number if it does, as for 01, or 9-1. */
function nameAfter(name: string, taken: ReadonlySet<string | null>): string {
  const [, stem = '', digits = ''] = /^(.*?)(\d{0,9})$/.exec(name) ?? []
  const next = `${stem}${String(Number(digits) + 1).padStart(digits.length, '0')}`
  if (digits !== '' && !taken.has(next) && compareNames(name, next) < 0) return next
  return nameAfter(`${name}-0`, taken)
}

/** Whether all names are valid, and no name is that of another test case or its folder. */
function areCompatible(names: readonly string[]): boolean {
  const sorted = names.toSorted(compareNames)
  return sorted.every((name, i) => {
    const next = sorted[i + 1]
    return isValidName(name) && next !== name && !next?.startsWith(`${name}/`)
  })
}

/** Makes names: numbers in `sample`, and in `secret` below the folders of the groups. */
export function makeNames(tests: readonly WritableTest[], folders?: readonly string[]): string[] {
  const places = tests.map(({ hidden }, i) => (hidden ? `secret/${folders?.[i] ?? ''}` : 'sample/'))
  const totals = new Map<string, number>()
  for (const place of places) totals.set(place, (totals.get(place) ?? 0) + 1)
  const counts = new Map<string, number>()
  return places.map((place) => {
    const number = (counts.get(place) ?? 0) + 1
    counts.set(place, number)
    const digits = Math.max(3, String(totals.get(place)).length)
    const separator = place.endsWith('/') ? '' : '/'
    return `${place}${separator}${String(number).padStart(digits, '0')}`
  })
}

function isValidName(name: string): boolean {
  const parts = name.split('/')
  return NAME.test(name) && parts.at(-1) !== 'test_group' && !parts.some((part) => part.endsWith('.files'))
}
