import type { TestGroup } from '../../src/package/judging-options.ts'
import { Warnings } from '../../src/package/package-files.ts'
import type { PackageMetadata } from '../../src/package/package-problem.ts'
import { readTestData } from '../../src/test-data/test-data.ts'
import { packageFiles } from './package-files.ts'

export type Contents = Readonly<Record<string, string>>

const rest = { names: { en: 'Sums' }, keywords: [], limits: {} }
export const latest: PackageMetadata = { format: '2025-09', type: ['pass-fail'], ...rest }
export const latestScoring: PackageMetadata = { ...latest, type: ['scoring'] }
export const legacy: PackageMetadata = { ...latest, format: 'legacy' }
export const draft: PackageMetadata = { ...latest, format: '2023-07-draft' }
export const legacyScoring: PackageMetadata = { ...legacy, type: ['scoring'] }

/** Inputs and answers of test cases, by their names below `data`. */
export const testFiles = (...names: readonly string[]): Record<string, string> => ({
  ...Object.fromEntries(names.map((name) => [`data/${name}.in`, `input of ${name}\n`])),
  ...Object.fromEntries(names.map((name) => [`data/${name}.ans`, `answer of ${name}\n`])),
})

/** A sample, and secret test cases of two groups. */
export const inGroups = testFiles('sample/1', 'secret/g1/1', 'secret/g1/2', 'secret/g2/1')

const groupOf =
  (aggregation: 'sum' | 'min') =>
  (name: string, points: number, ...parts: readonly (number | TestGroup)[]): TestGroup => {
    const groups = parts.filter((part) => typeof part !== 'number')
    const cases = parts.filter((part) => typeof part === 'number')
    return { name, points, aggregation, ...(groups.length > 0 ? { groups } : { cases }) }
  }

/** Groups of test cases or of groups. */
export const sumOf = groupOf('sum')
export const minOf = groupOf('min')

/** Settings of directories below `data`, in files of this name; `data` has the empty name. */
export const settingsOf = (file: string, values: Readonly<Record<string, string>>): Contents =>
  Object.fromEntries(
    Object.entries(values).map(([directory, yaml]) => [`data/${directory && `${directory}/`}${file}`, yaml]),
  )

/** Reads test data, with the warnings. */
export async function readData(contents: Contents, metadata: PackageMetadata) {
  const warnings = new Warnings()
  const data = await readTestData(packageFiles(contents), metadata, warnings)
  return { ...data, warnings: warnings.list.map(({ file, line, message }) => [file, line, message]) }
}

/** The name and message of the error of a bad package. */
export const refusalOf = (contents: Contents, metadata: PackageMetadata) =>
  readData(contents, metadata).then(() => 'accepted', String)
