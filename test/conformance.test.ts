import { expect, it } from 'vitest'
import { readLabelledTests, sections } from '../scripts/generated/conformance.ts'

it('each row of the specification has a labelled test', async () => {
  const tests = await readLabelledTests()
  const covered = new Set(tests.flatMap(({ labels }) => labels))
  const rows = sections.flatMap(([, names]) => names)
  expect(rows.filter((row) => !covered.has(row))).toEqual([])
})
