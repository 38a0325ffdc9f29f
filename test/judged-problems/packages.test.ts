import { expect, vi } from 'vitest'
import { testUnless } from '../../packages/worker/test/support/requirements.ts'
import { missingSandbox } from '../../packages/worker/test/support/sandboxes.ts'
import { describeExpected, openPackageJudge } from './judge-packages.ts'

vi.setConfig({ testTimeout: 20 * 60_000 })

const noBubblewrap = await missingSandbox('bubblewrap')
if (noBubblewrap) console.warn(`The programs of packages are left out: ${noBubblewrap}.`)
const testSandbox = testUnless(noBubblewrap)

/** One round takes two minutes. */
const ROUNDS = Number(process.env.PACKAGE_ROUNDS ?? 3)

testSandbox('every program of a package gets the verdict that it names, each time', async () => {
  const judge = await openPackageJudge()
  const expected = describeExpected()
  for (let round = 1; round <= ROUNDS; round += 1)
    expect(await judge.judgeAll(), `round ${round}`).toEqual(expected)
  await judge.stop()
})

testSandbox('the verification of every package agrees, and computes missing time limits', async () => {
  const judge = await openPackageJudge()
  const reports = await judge.verifyAll()
  for (const [{ expected }, report] of reports) {
    const faults = [...report.programs, ...report.validators].filter(({ agrees }) => agrees === false)
    expect([expected.name, faults, report.agrees]).toEqual([expected.name, [], true])
    const [least = 0, most = Number.POSITIVE_INFINITY] = expected.computedTimeLimit ?? []
    if (expected.computedTimeLimit === undefined) continue
    expect(report.time_limit).toMatchObject({ provisional: true, computed: expect.any(Number) })
    expect(report.time_limit.computed).toBeGreaterThanOrEqual(least)
    expect(report.time_limit.computed).toBeLessThanOrEqual(most)
  }
  await judge.stop()
})
