import type { WritableTest, WritableTestData } from '../../src/problem-format/test-data/writable-test-data.ts'
import { writeTestData } from '../../src/problem-format/test-data/write-test-data.ts'
import { latest, latestScoring, readData, testFiles } from './read-package.ts'

export const hidden = (...names: readonly (string | null)[]): WritableTest[] =>
  names.map((name) => ({ name, hidden: true }))
export const sample = (name: string | null): WritableTest => ({ name, hidden: false })

/** Writes test data and reads it again. */
export async function readBack(problem: WritableTestData) {
  const { names, files } = writeTestData(problem)
  const contents = Object.fromEntries(files.map(({ path, content }) => [path, content]))
  return readData({ ...testFiles(...names), ...contents }, problem.groups ? latestScoring : latest)
}
