import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { createLatch } from '../../src/latch.ts'
import { killProcess } from '../../src/sandbox/kill-process.ts'
import { createPipes } from '../../src/sandbox/pipes.ts'
import { type Limits, SandboxFailure } from '../../src/sandbox/sandbox.ts'
import { findProcesses } from '../support/processes.ts'
import { testUnless } from '../support/requirements.ts'
import { MIB, makeMark, noBubblewrap, readOutput, useSandbox } from '../support/use-sandbox.ts'
import { waitFor } from '../support/wait.ts'

const kinds = [
  { name: 'bubblewrap, with control groups if possible', mode: 'bubblewrap', cgroups: true },
  { name: 'bubblewrap, without control groups', mode: 'bubblewrap', cgroups: false },
  { name: 'unsandboxed', mode: 'unsandboxed', cgroups: true },
] as const

describe.each(kinds)('a program that waits for its start: $name', ({ mode, cgroups }) => {
  const obstacle = mode === 'bubblewrap' ? noBubblewrap : undefined
  const testRun = testUnless(obstacle)
  const testIsolated = testUnless(mode === 'bubblewrap' ? obstacle : 'nothing waits without a sandbox')
  const options = { mode, cgroups, allowWeakIsolation: !cgroups }
  const { runShell } = useSandbox(options, obstacle)

  /** A program whose command line has a mark, and whose sandbox is made if it can wait. */
  async function hold(code: string, stdin = '', limits: Partial<Limits> = {}) {
    const mark = makeMark()
    const start = createLatch()
    const cancelling = new AbortController()
    const more = { stdin, startWhen: start.opened, signal: cancelling.signal }
    const result = runShell(`: ${mark}; ${code}`, limits, more)
    result.catch(() => undefined)
    // Without a sandbox nothing waits.
    if (mode === 'bubblewrap')
      await waitFor('the waiting shell', () => findProcesses(mark).some((pid) => isShell(pid)))
    return { mark, result, start: start.open, cancel: () => cancelling.abort(new Error('cancelled')) }
  }

  testRun('starts when it may, with its input; the wait does not count', async () => {
    const { result, start } = await hold('cat', 'in\n', { wallMs: 60_000 })
    if (mode === 'bubblewrap') {
      const ended = vi.fn()
      result.finally(ended).catch(() => {})
      await runShell('true')
      expect(ended).not.toHaveBeenCalled()
    }
    const mayStartMs = performance.now()
    start()
    const done = await result
    expect([readOutput(done), done.exitCode, done.exceeded]).toEqual(['in\n', 0, undefined])
    if (mode === 'bubblewrap') expect(done.wallMs).toBeLessThanOrEqual(performance.now() - mayStartMs + 1)
  })

  testRun('keeps its limits', async () => {
    const spin = 'while :; do :; done'
    const hoard = 'head -c 1G /dev/zero | tail'
    const exceeding = [
      ['sleep 600', { wallMs: 400 }, 'time'],
      [spin, { cpuMs: 300 }, 'time'],
      [hoard, { memoryBytes: 32 * MIB }, 'memory'],
      ['yes', {}, 'output'],
    ] as const
    for (const [code, limits, exceeded] of exceeding) {
      const { result, start } = await hold(code, '', limits)
      start()
      expect([code, (await result).exceeded]).toEqual([code, exceeded])
    }
  })

  testIsolated('fails if its sandbox ends before it may start', async () => {
    const { mark, result } = await hold('echo started')
    for (const pid of findProcesses(mark)) killProcess(pid)
    await expect(result).rejects.toThrow(SandboxFailure)
  })

  testRun('leaves nothing behind if it is cancelled', async () => {
    const { mark, result, start, cancel } = await hold('echo started')
    cancel()
    start()
    await expect(result).rejects.toThrow('cancelled')
    expect(findProcesses(mark)).toEqual([])
  })

  testIsolated('does not keep another from running alone, also when it may start', async () => {
    const { result, start } = await hold('true')
    const order: string[] = []
    const held = result.then(() => order.push('held'))
    const alone = runShell('sleep 0.2', {}, { alone: true }).then(() => order.push('alone'))
    start()
    await Promise.all([alone, held])
    expect(order).toEqual(['alone', 'held'])
  })
})

it('a closed gate writes to no file that has its descriptor', async () => {
  const folder = await makeTemporaryFolder()
  const gate = await createPipes(folder).openGate()
  gate.close()
  const path = join(folder, 'other')
  const other = openSync(path, 'w')
  expect(other).toBe(gate.descriptor)
  gate.open()
  closeSync(other)
  expect(readFileSync(path, 'utf8')).toBe('')
})

/** Not bubblewrap itself, whose command line has the program's at its end. */
function isShell(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/bin/sh')
  } catch {
    return false
  }
}
