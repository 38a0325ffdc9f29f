import { randomInt } from 'node:crypto'
import { chmod, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { findCommand } from '../../src/sandbox/commands.ts'
import { openSandbox, type SandboxMode, type SandboxOptions } from '../../src/sandbox/open-sandbox.ts'
import type { Limits, RunRequest, RunResult, Sandbox } from '../../src/sandbox/sandbox.ts'
import { SandboxFailure } from '../../src/sandbox/sandbox.ts'
import { silentLogger } from '../../src/shared/logger.ts'
import { createTextLog } from './line-logger.ts'
import { testUnless } from './requirements.ts'

export const MIB = 2 ** 20

/** Undefined if bubblewrap works here, else the reason to leave out tests. */
export const noBubblewrap = await missingSandbox('bubblewrap')
export const testIsolated = testUnless(noBubblewrap)
export const testAsRoot = testUnless(
  noBubblewrap ?? (process.getuid?.() === 0 ? undefined : 'this user is not root'),
)

/** Limits that only an attack exceeds, also on a busy machine. */
export const limits: Limits = {
  ...{ wallMs: 300_000, cpuMs: 60_000, processes: 48 },
  ...{ memoryBytes: 128 * MIB, outputBytes: MIB, fileBytes: MIB },
}

/** The reason to leave out tests of this mode, if any. */
export const obstacleTo = (mode: SandboxMode) => (mode === 'bubblewrap' ? noBubblewrap : undefined)

/** Opens a sandbox with a program folder for the tests of a block, unless there is an obstacle. */
export function useSandbox(given: Omit<SandboxOptions, 'logger'>, obstacle = obstacleTo(given.mode)) {
  const options = { ...given, allowWeakIsolation: given.cgroups === false, logger: silentLogger }
  let sandbox: Sandbox
  let folder: string
  beforeAll(async () => {
    if (obstacle !== undefined) return
    sandbox = await openSandbox(options)
    folder = await sandbox.createFolder()
  })
  afterAll(() => sandbox?.close())
  const run = (argv: [string, ...string[]], changes: Partial<Limits> = {}, more: Partial<RunRequest> = {}) =>
    sandbox.run({
      ...{ argv, folder, writable: false, stdin: '', environment: {} },
      ...{ limits: { ...limits, ...changes }, ...more },
    })
  return {
    get sandbox() {
      return sandbox
    },
    ...{ options, testRun: testUnless(obstacle) },
    innerFolder: () => sandbox.innerPath(folder),
    run,
    runJs: (code: string, changes?: Partial<Limits>, more?: Partial<RunRequest>) =>
      run([process.execPath, '-e', code], changes, more),
    runShell: (code: string, changes?: Partial<Limits>, more?: Partial<RunRequest>) =>
      run(['/bin/sh', '-c', code], changes, more),
  }
}

export const readOutput = (result: RunResult): string => result.stdout.toString()

/** A number of seconds that appears in no other command line. */
export const makeMark = () => `3${randomInt(1e9, 1e10)}`

/** Lets each test of a file open sandboxes, which are closed after it. */
export function useSandboxes() {
  let folder: string
  let opened: Sandbox[]
  let log: ReturnType<typeof createTextLog>
  beforeEach(async () => {
    folder = await makeTemporaryFolder()
    // The users of slots execute the commands in it.
    await chmod(folder, 0o755)
    opened = []
    log = createTextLog()
  })
  afterEach(async () => {
    for (const sandbox of opened) await sandbox.close()
  })
  const run = (sandbox: Sandbox, program: string, script: string, more: Partial<RunRequest> = {}) =>
    sandbox.run({
      ...{ argv: ['/bin/sh', '-c', script], folder: program, writable: false, stdin: '', environment: {} },
      limits: { ...limits, memoryBytes: 512 * MIB, fileBytes: 512 * MIB, processes: 32 },
      ...more,
    })
  return {
    get logged() {
      return log.text
    },
    async open(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
      const sandbox = await openSandbox({ mode: 'bubblewrap', logger: log.logger, ...options })
      opened.push(sandbox)
      return sandbox
    },
    run,
    /** A search path with those of these commands that are installed, and with shell scripts. */
    async makeSearchPath(commands: readonly string[], scripts: Record<string, string> = {}) {
      const bin = await mkdtemp(join(folder, 'bin-'))
      await chmod(bin, 0o755)
      for (const name of commands.filter((one) => !(one in scripts))) {
        const path = findCommand(name, process.env.PATH ?? '')
        if (path !== undefined) await symlink(path, join(bin, name))
      }
      for (const [name, script] of Object.entries(scripts))
        await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
      return bin
    },
    async expectToWork(sandbox: Sandbox, program?: string) {
      const { stdout } = await run(sandbox, program ?? (await sandbox.createFolder()), 'echo works')
      expect(stdout.toString()).toBe('works\n')
    },
  }
}

/** The commands that the sandbox itself uses. */
export const SANDBOX_TOOLS = ['bwrap', 'unshare', 'nsenter', 'perl', 'keyctl']

/** The script of a bubblewrap that cannot load a filter. */
export function bubblewrapWithoutFilter(): string {
  const bwrap = findCommand('bwrap', process.env.PATH ?? '')
  return `case "$1" in --help) ${bwrap} --help | grep -v -e --seccomp;; *) exec ${bwrap} "$@";; esac`
}

/** The reason to leave out tests of this mode, if any. With SANDBOX_REQUIRED it is thrown. */
export async function missingSandbox(mode: SandboxMode): Promise<string | undefined> {
  try {
    const sandbox = await openSandbox({ mode, logger: silentLogger })
    await sandbox.close()
    return undefined
  } catch (err) {
    if (err instanceof SandboxFailure && !process.env.SANDBOX_REQUIRED) return err.message
    throw err
  }
}
