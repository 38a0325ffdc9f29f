import { expect, it } from 'vitest'
import { readLabelledTests, sections } from '../scripts/generated/conformance.ts'

/** Files that `npm test` leaves to the larger levels. */
const LARGER =
  /^(packages|test\/(busy|clients|judged-problems|problem-format|problem-packages|processes|walks))\//

it('each row of the specification has a labelled test in npm test', async () => {
  const tests = (await readLabelledTests()).filter(({ file }) => !LARGER.test(file))
  const covered = new Set(tests.flatMap(({ labels }) => labels))
  const rows = sections.flatMap(([, names]) => names)
  expect(rows.filter((row) => !covered.has(row))).toEqual([])
})
