import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { findProcesses } from './support/processes.ts'
import { testUnless } from './support/requirements.ts'
import { missingSandbox } from './support/sandboxes.ts'
import { makeMark, readOutput, useSandbox } from './support/use-sandbox.ts'
import { waitFor } from './support/wait.ts'

const noBubblewrap = await missingSandbox('bubblewrap')
const kinds = [
  { name: 'bubblewrap, with control groups if possible', mode: 'bubblewrap', cgroups: true },
  { name: 'bubblewrap, without control groups', mode: 'bubblewrap', cgroups: false },
  { name: 'unsandboxed', mode: 'unsandboxed', cgroups: true },
] as const

describe.each(kinds)('a program that waits for its start: $name', ({ mode, cgroups }) => {
  const obstacle = mode === 'bubblewrap' ? noBubblewrap : undefined
  const testRun = testUnless(obstacle)
  const options = { mode, cgroups, allowWeakIsolation: !cgroups }
  const { runShell } = useSandbox(options, obstacle)

  /** A program whose command line has a mark, and whose sandbox is made if it can wait. */
  async function hold(code: string, stdin = '') {
    const mark = makeMark()
    const gate = createGate()
    const cancelling = new AbortController()
    const more = { stdin, startWhen: gate.opened, signal: cancelling.signal }
    const result = runShell(`: ${mark}; ${code}`, {}, more)
    result.catch(() => undefined)
    // Without a sandbox nothing waits.
    if (mode === 'bubblewrap')
      await waitFor('the waiting shell', () => findProcesses(mark).some((pid) => isShell(pid)))
    return { mark, result, start: gate.open, cancel: () => cancelling.abort(new Error('cancelled')) }
  }

  testRun('starts when it may, with its input; the wait does not count', async () => {
    const { result, start } = await hold('date +%s%N; cat', 'in\n')
    const mayStartMs = Date.now()
    start()
    const done = await result
    const [startedNs = '', input] = readOutput(done).split('\n')
    expect(Number(startedNs) / 1e6).toBeGreaterThanOrEqual(mayStartMs)
    expect([input, done.exitCode, done.exceeded]).toEqual(['in', 0, undefined])
    expect(done.wallMs).toBeLessThanOrEqual(Date.now() - mayStartMs + 1)
  })

  testRun('keeps its limits', async () => {
    const gate = createGate()
    const result = runShell('sleep 600', { wallMs: 400 }, { startWhen: gate.opened })
    gate.open()
    expect(await result).toMatchObject({ exceeded: 'time' })
  })

  testRun('leaves nothing behind if it is cancelled', async () => {
    const { mark, result, start, cancel } = await hold('echo started')
    cancel()
    start()
    await expect(result).rejects.toThrow('cancelled')
    expect(findProcesses(mark)).toEqual([])
  })

  testRun('does not keep another from running alone, also when it may start', async () => {
    const { result, start } = await hold('echo second')
    const alone = runShell('echo first', {}, { alone: true })
    start()
    expect(readOutput(await alone)).toBe('first\n')
    expect(readOutput(await result)).toBe('second\n')
  })
})

/** Not bubblewrap itself, whose command line has the program's at its end. */
function isShell(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/bin/sh')
  } catch {
    return false
  }
}

function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
