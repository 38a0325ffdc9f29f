import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { silentLogger } from '../../src/shared/logger.ts'
import { startScript } from '../support/processes.ts'
import { testAsRoot, testIsolated, useSandboxes } from '../support/use-sandbox.ts'
import { waitFor } from '../support/wait.ts'

const setup = useSandboxes()
const { open, run, expectToWork } = setup

describe('the folder of a program', () => {
  testIsolated('is deleted at any depth and with any permissions, unsandboxed', async () => {
    const sandbox = await open({ mode: 'unsandboxed' })
    const program = await sandbox.createFolder()
    await run(sandbox, program, "mkdir -p -m 0 $(printf 'folder/%.0s' $(seq 700))", { writable: true })
    await run(sandbox, program, 'mkdir closed && chmod 0 closed', { writable: true })
    await sandbox.removeFolder(program)
    await sandbox.close()
    expect(existsSync(program)).toBe(false)
    expect(setup.logged).not.toContain('could not be deleted')
  })

  testAsRoot('only causes a warning if it cannot be deleted', async () => {
    const sandbox = await open({ mode: 'unsandboxed' })
    const program = await sandbox.createFolder()
    const busy = join(program, 'busy')
    await mkdir(busy)
    execFileSync('mount', ['-t', 'tmpfs', 'busy', busy])
    try {
      await sandbox.removeFolder(program)
      expect(setup.logged).toContain('a temporary folder could not be deleted')
    } finally {
      execFileSync('umount', [busy])
    }
    await expectToWork(sandbox)
  })

  testIsolated('vanishes when the worker is killed', async () => {
    const module = JSON.stringify(join(import.meta.dirname, '../../src/sandbox/open-sandbox.ts'))
    const started = startScript(`const { openSandbox } = await import(${module})
      const logger = { info() {}, warn() {}, error() {} }
      const sandbox = await openSandbox({ mode: 'bubblewrap', logger })
      console.log(await sandbox.createFolder())
      setInterval(() => {}, 1000)`)
    const { child } = started
    await waitFor('the folder', () => started.output.endsWith('\n'))
    const keeper = /^\/proc\/(\d+)\/root/.exec(started.output)?.[1]
    expect(existsSync(`/proc/${keeper}/ns/mnt`)).toBe(true)
    child.kill('SIGKILL')
    await waitFor('its keeper to end', () => !existsSync(`/proc/${keeper}`))
    await waitFor('the process to end', () => child.signalCode !== null)
    // The next sandbox deletes the files on disk.
    await (await openSandbox({ mode: 'unsandboxed', logger: silentLogger })).close()
    expect((await readdir(tmpdir())).filter((name) => name.includes(`-${child.pid}-`))).toEqual([])
  })
})
