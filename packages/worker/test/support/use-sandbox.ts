import { randomInt } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { silentLogger } from '../../src/logger.ts'
import { openSandbox, type SandboxOptions } from '../../src/sandbox/open-sandbox.ts'
import type { Limits, RunRequest, RunResult, Sandbox } from '../../src/sandbox/sandbox.ts'
import { createLineLogger } from './line-logger.ts'

export const MIB = 2 ** 20

/** Limits that only an attack exceeds, also on a busy machine. */
export const limits: Limits = {
  wallMs: 300_000,
  cpuMs: 60_000,
  memoryBytes: 128 * MIB,
  outputBytes: MIB,
  fileBytes: MIB,
  processes: 48,
}

/** Opens a sandbox with a program folder for the tests of a block, unless there is an obstacle. */
export function useSandbox(options: Omit<SandboxOptions, 'logger'>, obstacle: string | undefined) {
  let sandbox: Sandbox
  let folder: string
  beforeAll(async () => {
    if (obstacle !== undefined) return
    sandbox = await openSandbox({ ...options, logger: silentLogger })
    folder = await sandbox.createFolder()
  })
  afterAll(() => sandbox?.close())
  const run = (argv: [string, ...string[]], changes: Partial<Limits> = {}, more: Partial<RunRequest> = {}) =>
    sandbox.run({
      ...{ argv, folder, writable: false, stdin: '', environment: {} },
      ...{ limits: { ...limits, ...changes }, ...more },
    })
  return {
    /** The program folder's path inside the sandbox. */
    innerFolder: () => sandbox.innerPath(folder),
    run,
    runJs: (code: string, changes?: Partial<Limits>, more?: Partial<RunRequest>) =>
      run([process.execPath, '-e', code], changes, more),
    runShell: (code: string, changes?: Partial<Limits>, more?: Partial<RunRequest>) =>
      run(['/bin/sh', '-c', code], changes, more),
  }
}

export function readOutput(result: RunResult): string {
  return result.stdout.toString()
}

/** A number of seconds that appears in no other command line. */
export function makeMark(): string {
  return `3${randomInt(1e9, 1e10)}`
}

/** Lets each test of a file open sandboxes, which are closed after it. */
export function useSandboxes() {
  let folder: string
  let opened: Sandbox[]
  let logged: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'isolation-test-'))
    // The users of slots execute the commands in it.
    await chmod(folder, 0o755)
    opened = []
    logged = ''
  })
  afterEach(async () => {
    for (const sandbox of opened) await sandbox.close()
    await rm(folder, { recursive: true })
  })
  const run = (sandbox: Sandbox, program: string, script: string, more: Partial<RunRequest> = {}) =>
    sandbox.run({
      ...{ argv: ['/bin/sh', '-c', script], folder: program, writable: false, stdin: '', environment: {} },
      limits: { ...limits, memoryBytes: 512 * MIB, fileBytes: 512 * MIB, processes: 32 },
      ...more,
    })
  return {
    get folder() {
      return folder
    },
    get logged() {
      return logged
    },
    async open(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
      const logger = createLineLogger((line) => {
        logged += line
      })
      const sandbox = await openSandbox({ mode: 'bubblewrap', logger, ...options })
      opened.push(sandbox)
      return sandbox
    },
    run,
    async expectToWork(sandbox: Sandbox, program?: string) {
      const { stdout } = await run(sandbox, program ?? (await sandbox.createFolder()), 'echo works')
      expect(stdout.toString()).toBe('works\n')
    },
  }
}
