import { describe, expect } from 'vitest'
import { missing, testUnless } from '../support/requirements.ts'
import { MIB, noBubblewrap, useSandbox } from '../support/use-sandbox.ts'

const limits = { cpuMs: 600, memoryBytes: 64 * MIB, fileBytes: 256 * MIB, processes: 32 }

describe.each(['bubblewrap', 'unsandboxed'] as const)('without control groups, %s', (mode) => {
  const isMissing = mode === 'bubblewrap' ? noBubblewrap : undefined
  const testShell = testUnless(isMissing)
  const testPython = testUnless(isMissing ?? missing('/usr/bin/python3'))
  const { run, runShell } = useSandbox({ mode, cgroups: false, allowWeakIsolation: true }, isMissing)

  testShell('counts the CPU time of children that have ended', async () => {
    // Each child takes far less time than the sample interval.
    const { exceeded, cpuMs } = await runShell('while :; do /bin/true; done', limits)
    expect(exceeded).toBe('time')
    expect(cpuMs).toBeGreaterThanOrEqual(600)
  })

  testPython('counts the memory of a memfd that is not mapped', async () => {
    const code = `import os, time
file = os.memfd_create('held')
for _ in range(100): os.write(file, b'x' * 1048576)
time.sleep(20)`
    expect((await run(['/usr/bin/python3', '-c', code], limits)).exceeded).toBe('memory')
  })

  testPython('does not count a memfd twice', async () => {
    const code = `import mmap, os
file = os.memfd_create('held')
os.ftruncate(file, 36 << 20)
memory = mmap.mmap(file, 36 << 20)
for page in range(0, 36 << 20, 4096): memory[page] = 1
import time; time.sleep(0.3)
print('done')`
    const { exceeded, stdout } = await run(['/usr/bin/python3', '-c', code], limits)
    expect([exceeded, stdout.toString()]).toEqual([undefined, 'done\n'])
  })
})
