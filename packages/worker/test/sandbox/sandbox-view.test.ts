import { describe, expect } from 'vitest'
import { testUnless } from '../support/requirements.ts'
import { MIB, noBubblewrap, readOutput, useSandbox } from '../support/use-sandbox.ts'

describe.each(['bubblewrap', 'unsandboxed'] as const)('a program, %s,', (mode) => {
  const obstacle = mode === 'bubblewrap' ? noBubblewrap : undefined
  const testRun = testUnless(obstacle)
  const { innerFolder, runJs, runShell } = useSandbox({ mode }, obstacle)

  testRun('can open /dev/stdin and read a megabyte', async () => {
    const code = `const { readFileSync } = require('fs'); console.log(readFileSync('/dev/stdin').length, readFileSync(0).length)`
    expect(readOutput(await runJs(code, {}, { stdin: 'x'.repeat(MIB) }))).toBe(`${MIB} ${MIB}\n`)
  })

  testRun('starts in a new empty folder', async () => {
    expect(await runShell('touch left "$TMPDIR/left"')).toMatchObject({ exitCode: 0 })
    expect(readOutput(await runShell('ls -A . "$TMPDIR" | grep left || echo empty'))).toBe('empty\n')
  })

  testRun('finds sh and node on its search path', async () => {
    expect(readOutput(await runShell('sh -c "exec node --version"'))).toMatch(/^v\d+/)
  })

  testRun('can write to its program folder while that is writable', async () => {
    expect(await runShell('echo compiled > result', {}, { writable: true })).toMatchObject({ exitCode: 0 })
    expect(readOutput(await runShell(`cat ${innerFolder()}/result`))).toBe('compiled\n')
  })

  testRun('gets nothing of the worker’s environment', async () => {
    process.env.JUDGE_TEST_SECRET = 'secret-of-the-worker'
    const environment = readOutput(await runShell('env'))
    delete process.env.JUDGE_TEST_SECRET
    for (const name of ['PATH', 'HOME', 'LANG']) expect(environment).toMatch(new RegExp(`^${name}=`, 'm'))
    expect(environment).not.toContain('secret-of-the-worker')
  })
})
