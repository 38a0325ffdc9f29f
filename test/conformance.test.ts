import { expect, it } from 'vitest'
import { readLabelledTests, sections } from '../scripts/generated/conformance.ts'

it('has a named test for each row of the specification', async () => {
  const tests = await readLabelledTests()
  const proved = new Set(tests.flatMap(({ labels }) => labels))
  const rows = sections.flatMap(([, names]) => names)
  expect(rows.filter((row) => !proved.has(row))).toEqual([])
})
