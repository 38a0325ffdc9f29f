import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PipeMessage } from '@judge-data-layer/runtime/judging-pipe'
import { expect, it, onTestFinished } from 'vitest'
import { startChild } from '../../src/supervisor/child.ts'
import { createHangRule, type Sign, watchSigns } from '../../src/supervisor/silence.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** Starts a script as a child; it ends with the test. */
async function start(text: string, environment: NodeJS.ProcessEnv = {}) {
  const script = join(await makeTemporaryFolder(), 'script.mjs')
  await writeFile(script, text)
  return startChild({ script, args: [], environment, user: undefined })
}

it('a child has ended once its last message has arrived', async () => {
  const child = await start(`
    for (let n = 0; n < 1000; n += 1) process.send({ kind: 'settled', delivery: n })
    process.send({ kind: 'stopping' }, () => process.exit(3))`)
  const received: PipeMessage[] = []
  child.pipe.onMessage((message) => void received.push(message))
  expect(await child.ended).toMatchObject({ code: 3, signal: null })
  expect(received).toHaveLength(1001)
})

it('a child has ended with the reason that it sent, up to 4,000 characters of it', async () => {
  const child = await start(`
    process.send({ kind: 'failed', reason: 'no bwrap' + 'x'.repeat(5000) }, () => process.exit(1))`)
  expect(await child.ended).toMatchObject({ code: 1, failure: `no bwrap${'x'.repeat(3992)}` })
})

it('a child that cannot be started has ended with the reason', async () => {
  // Linux allows 128 KiB for one variable.
  const child = await start('', { LARGE: 'x'.repeat(200_000) })
  expect(await child.ended).toMatchObject({ code: 1, failure: expect.stringContaining('E2BIG') })
  expect(child.gone.aborted).toBe(true)
})

it('a child that does not stop in time is killed', async () => {
  const child = await start(`
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1000)
    process.send({ kind: 'stopping' })`)
  await new Promise<void>((resolve) => child.pipe.onMessage(() => resolve()))
  expect(await child.stop(20)).toMatchObject({ signal: 'SIGKILL' })
})

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
    expect(Array.from({ length: 10 }, () => isHanging(signs()))).toEqual([...Array(9).fill(false), true])
  },
)
