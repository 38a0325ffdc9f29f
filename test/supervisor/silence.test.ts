import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startChild } from '../../src/supervisor/child.ts'
import { createHangRule, type Sign, watchSigns } from '../../src/supervisor/silence.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const BUSY: Sign = { sentMessage: false, isReady: false, usedCpu: true }
const IDLE: Sign = { ...BUSY, usedCpu: false }
const ALIVE: Sign = { ...IDLE, sentMessage: true }

/** The number of the interval after which the process hangs; undefined: after none of them. */
function findHang(signs: readonly Sign[]): number | undefined {
  const isHanging = createHangRule()
  const place = signs.findIndex((sign) => isHanging(sign))
  return place < 0 ? undefined : place + 1
}

const repeat = (sign: Sign, times: number) => Array.from({ length: times }, () => sign)

it('a start may be silent for ten minutes while it uses CPU time, and for 20 s without', () => {
  expect(findHang(repeat(BUSY, 299))).toBeUndefined()
  expect(findHang(repeat(BUSY, 300))).toBe(300)
  expect(findHang(repeat(IDLE, 10))).toBe(10)
  expect(findHang([...repeat(IDLE, 9), BUSY, ...repeat(IDLE, 10)])).toBe(20)
  // A start that sends messages may take as long as it wants.
  expect(findHang(repeat(ALIVE, 1000))).toBeUndefined()
})

it('a process that has started hangs after 20 s without a message, busy or not', () => {
  const started = { ...ALIVE, isReady: true }
  expect(findHang([started, ...repeat({ ...BUSY, isReady: true }, 10)])).toBe(11)
  expect(findHang([...repeat(started, 20), ...repeat({ ...IDLE, isReady: true }, 9)])).toBeUndefined()
})

it.runIf(process.platform === 'linux')(
  'the signs of a slow process are its CPU time, its messages and its readiness',
  async () => {
    const folder = await makeTemporaryFolder()
    const [script, go] = [join(folder, 'slow.mjs'), join(folder, 'go')]
    // Its event loop is blocked, as by a slow start, until the file exists.
    await writeFile(
      script,
      `import { existsSync } from 'node:fs'
     while (!existsSync(process.env.GO)) {}
     process.send({ kind: 'alive' })
     process.once('disconnect', () => process.exit())`,
    )
    const child = startChild({ script, args: [], environment: { GO: go }, user: undefined })
    onTestFinished(() => child.kill())
    let start = () => {}
    const ready = new Promise<void>((resolve) => {
      start = resolve
    })
    const [signs, isHanging] = [watchSigns(child, ready), createHangRule()]
    for (let interval = 0; interval < 20; interval += 1) {
      const before = child.readCpuTicks() ?? 0
      await expect.poll(() => child.readCpuTicks(), { interval: 5 }).toBeGreaterThan(before)
      const sign = signs()
      expect(sign).toEqual(BUSY)
      expect(isHanging(sign)).toBe(false)
    }
    const sent = new Promise<void>((resolve) => child.pipe.onMessage(() => resolve()))
    await writeFile(go, '')
    await sent
    start()
    await ready
    expect(signs()).toMatchObject({ sentMessage: true, isReady: true })
    const later = Array.from({ length: 10 }, () => isHanging(signs()))
    expect(later).toEqual([...Array(9).fill(false), true])
  },
)
