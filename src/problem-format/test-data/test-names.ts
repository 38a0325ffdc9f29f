import { compareNames } from './test-tree.ts'
import type { WritableTest, WritableTestData } from './writable-test-data.ts'

/** Names leave room for the extensions of their files. */
const NAME = /^(sample|secret)(\/[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,199})+$/

/** A name of a file or directory of a package. */
export const isFolderName = (name: string) =>
  /^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,199}$/.test(name) && !name.endsWith('.files')

/** Whether the given names are valid, show the same to solvers and give the same order. */
export function areKept({ tests, staysHidden = () => false }: WritableTestData): boolean {
  const names = tests.map(({ name }) => name ?? '')
  return (
    names.every(isValidName) &&
    names.every((name, i) => i === 0 || compareNames(names[i - 1] ?? '', name) < 0) &&
    names.every((name, i) => !names[i + 1]?.startsWith(`${name}/`)) &&
    tests.every(({ hidden }, i) => {
      const name = names[i] ?? ''
      return name.startsWith('secret/') ? hidden : hidden === staysHidden(name)
    })
  )
}

/**
 * Makes names: numbers in `sample` for public test cases, and in `secret` for hidden ones, below
 * the folders of their groups.
 */
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
