import { expect, vi } from 'vitest'
import { testUnless } from '../../packages/worker/test/support/requirements.ts'
import { missingSandbox } from '../../packages/worker/test/support/sandboxes.ts'
import { describeExpected, openPackageJudge } from './judge-packages.ts'

vi.setConfig({ testTimeout: 20 * 60_000 })

const noBubblewrap = await missingSandbox('bubblewrap')
if (noBubblewrap) console.warn(`The programs of packages are left out: ${noBubblewrap}.`)
const testSandbox = testUnless(noBubblewrap)

testSandbox('every program of a package gets the verdict that it names, three times', async () => {
  const judge = await openPackageJudge()
  const expected = describeExpected()
  for (let round = 1; round <= 3; round += 1)
    expect(await judge.judgeAll(), `round ${round}`).toEqual(expected)
  await judge.stop()
})
