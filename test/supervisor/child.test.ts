import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PipeMessage } from '@judge-data-layer/process/judging-pipe'
import { expect, it } from 'vitest'
import { startChild } from '../../src/supervisor/child.ts'
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
