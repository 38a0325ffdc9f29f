import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { findCommand } from '../../src/sandbox/commands.ts'
import { createLauncher } from '../../src/sandbox/launcher.ts'
import { listLauncherCalls } from '../../src/sandbox/launcher-calls.ts'
import type { RunRequest, Sandbox } from '../../src/sandbox/sandbox.ts'
import { isKnownProcessor } from '../../src/sandbox/seccomp/filter.ts'
import { createLatch } from '../../src/shared/latch.ts'
import { findProcesses, listChildren, startScript } from '../support/processes.ts'
import { testUnless } from '../support/requirements.ts'
import * as sandboxes from '../support/use-sandbox.ts'
import { waitFor } from '../support/wait.ts'

const { bubblewrapWithoutFilter, makeMark, noBubblewrap, SANDBOX_TOOLS, useSandboxes } = sandboxes
const isMissing = (command: string) =>
  findCommand(command, process.env.PATH ?? '') ? undefined : `${command} is not installed`
const testLauncher = testUnless(noBubblewrap)
const testKeyring = testUnless(noBubblewrap ?? isMissing('keyctl'))

/** What a process has from those that started it, without what differs between any two runs. */
const LOOK = `cat /proc/self/limits
grep -E '^(Uid|Gid|Groups|Umask|Cap|NoNewPrivs|Seccomp|Sig(Blk|Ign|Cgt)|Cpus_allowed_list)' /proc/self/status
cat /proc/self/oom_score_adj /proc/self/cgroup; ls -l /proc/self/fd | sed 's/.* \\([0-9]*\\) -> /\\1 /; s/[0-9]\\{4,\\}//g'
nice; pwd; umask; env`

describe('a run by the launcher', () => {
  const setup = useSandboxes()
  const { open, run, expectToWork } = setup

  const look = async (sandbox: Sandbox, writable: boolean, more: Partial<RunRequest> = {}) => {
    const result = await run(sandbox, await sandbox.createFolder(), LOOK, { writable, ...more })
    expect([result.exitCode, result.stderr.toString()]).toEqual([0, ''])
    return result.stdout.toString().replaceAll(/judge-worker-[^ /]*\/(\w+)\/\S+/g, '$1')
  }

  testLauncher('has its limits, and none of the worker’s signals, descriptors and variables', async () => {
    const sandbox = await open()
    expect([(await findLaunchers()).length, setup.logged]).toEqual([1, ''])
    const view = await look(sandbox, false)
    expect(await look(sandbox, false, { startWhen: setImmediate() })).toBe(view)
    const lines = (pattern: RegExp) => view.match(pattern)?.map((line) => line.replaceAll(/\s+/g, ' ').trim())
    expect(lines(/^Max (cpu|file size|core|open).*/gm)).toEqual([
      'Max cpu time 61 62 seconds',
      'Max file size 536870912 536870912 bytes',
      'Max core file size 0 0 bytes',
      'Max open files 1024 1024 files',
    ])
    expect(lines(/^(Cap|NoNewPrivs|Seccomp:|Sig(Blk|Ign)).*/gm)).toEqual([
      ...['SigBlk', 'SigIgn', 'CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map(
        (name) => `${name}: 0000000000000000`,
      ),
      ...['NoNewPrivs: 1', 'Seccomp: 2'],
    ])
    // `ls` itself has opened 3.
    expect(lines(/^\d (?=\/|pipe)/gm)).toEqual(['0', '1', '2', '3'])
    expect(lines(/^\w+(?==)/gm)?.toSorted()).toEqual(['HOME', 'LANG', 'PATH', 'PWD', 'TMPDIR'])
  })

  testKeyring('has a new session keyring', async () => {
    // Without the filter a program can use its keyring.
    const searchPath = await setup.makeSearchPath(SANDBOX_TOOLS, { bwrap: bubblewrapWithoutFilter() })
    const weak = await open({ searchPath, allowWeakIsolation: true })
    const program = await weak.createFolder()
    expect((await run(weak, program, 'keyctl add user message hidden @s')).exitCode).toBe(0)
    const found = await run(weak, program, 'keyctl search @s user message || echo nothing')
    expect(found.stdout.toString()).toBe('nothing\n')
  })

  testLauncher('needs Perl: without it no sandbox opens, and the message names the package', async () => {
    const searchPath = await setup.makeSearchPath(SANDBOX_TOOLS.filter((tool) => tool !== 'perl'))
    const missing =
      'programs cannot be isolated: install perl (package perl-base), or run trusted programs only'
    await expect(open({ searchPath })).rejects.toThrow(missing)
  })

  testLauncher('names the reason if bubblewrap does not start', async () => {
    const sandbox = await open()
    const folder = await sandbox.createFolder()
    await run(sandbox, folder, 'true')
    const missing = run(sandbox, folder, '', { argv: ['/nowhere/program'] })
    await expect(missing).rejects.toThrow(/could not be started: bwrap: execvp/)
    await expect(run(sandbox, folder, 'echo \0')).rejects.toThrow('NUL')
    await expectToWork(sandbox, folder)
  })

  /** Starts a run, and resolves with its launcher when its sandbox is made. */
  async function start(more: Partial<RunRequest> = {}) {
    const sandbox = await open()
    const folder = await sandbox.createFolder()
    const mark = makeMark()
    const running = run(sandbox, folder, `exec sleep ${mark}`, more)
    running.catch(() => undefined)
    await waitFor('the sandbox', () => findProcesses(mark).length === 3)
    const [launcher] = await findLaunchers()
    /** The run has failed. The next one in the same folder has a new launcher. */
    const expectReplacement = async (reason?: string) => {
      await expect(running).rejects.toThrow(reason)
      await waitFor('its end', () => findProcesses(mark).length === 0)
      await expectToWork(sandbox, folder)
      expect(await findLaunchers()).not.toContain(launcher)
      await sandbox.close()
    }
    return { launcher: Number(launcher), expectReplacement }
  }

  testLauncher('fails when its launcher is killed or stopped, which is then replaced', async () => {
    for (const more of [{}, { startWhen: createLatch().opened }]) {
      const { launcher, expectReplacement } = await start(more)
      process.kill(launcher, 'SIGKILL')
      await expectReplacement('the launcher of programs has ended')
    }
    const ending = new AbortController()
    const { launcher, expectReplacement } = await start({ signal: ending.signal })
    process.kill(launcher, 'SIGSTOP')
    ending.abort(new Error('given up'))
    await expectReplacement()
  })

  testLauncher('and its launcher end when the worker is killed', async () => {
    const module = JSON.stringify(join(import.meta.dirname, '../../src/sandbox/open-sandbox.ts'))
    const mark = makeMark()
    const { child } = startScript(`const { openSandbox } = await import(${module})
      const logger = { info() {}, warn() {}, error() {} }
      const sandbox = await openSandbox({ mode: 'bubblewrap', logger })
      const limits = { wallMs: 60000, cpuMs: 9000, memoryBytes: 2 ** 28, outputBytes: 99, fileBytes: 99, processes: 9 }
      await sandbox.run({ argv: ['/bin/sleep', '${mark}'], folder: await sandbox.createFolder(),
        writable: false, stdin: '', environment: {}, limits })`)
    // The script itself contains the mark.
    await waitFor('the program', () => findProcesses(mark).length === 4)
    const launchers = await findLaunchers(String(child.pid))
    expect(launchers).toHaveLength(1)
    child.kill('SIGKILL')
    await waitFor('all to end', () => findProcesses(mark).length === 0)
    await waitFor('the launcher to end', () => !existsSync(`/proc/${launchers[0]}`))
  })
})

testLauncher('the launcher starts a program whose output has lost its reader: it gets SIGPIPE', async () => {
  const pipe = join(await makeTemporaryFolder(), 'pipe')
  await promisify(execFile)('mkfifo', [pipe])
  const processor = isKnownProcessor(process.arch) ? process.arch : 'x64'
  const args = [join(import.meta.dirname, '../../launcher.pl'), listLauncherCalls(processor), '/bin/cat']
  const keeper = spawn('perl', args, { stdio: ['pipe', 'ignore', 'inherit', 'pipe'] })
  const ended = once(keeper, 'close')
  const [, , , channel] = keeper.stdio
  try {
    if (!(channel instanceof Duplex)) throw new Error('the launcher has no channel')
    const request = {
      ...{ argv: ['/bin/sh', '-c', 'echo lost'], environment: {}, cwd: '/', joinFiles: [], limits: [] },
      ...{ hasKeyring: false, namespaceFiles: [], userId: undefined },
      descriptors: [{ number: 1, mode: 'w' as const, path: pipe }],
    }
    const { ended: end } = createLauncher(channel).start(request, () => {})
    expect(await end).toMatchObject({ exitCode: null, signal: 'SIGPIPE' })
  } finally {
    keeper.stdin?.end()
    await ended
  }
})

/** The launchers below a process: children of the keepers, its children. */
async function findLaunchers(parent = 'self'): Promise<string[]> {
  const keepers = await listChildren(parent)
  const children = (await Promise.all(keepers.map((pid) => listChildren(pid)))).flat()
  const names = await Promise.all(
    children.map(async (pid) => [pid, await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')] as const),
  )
  return names.filter(([, name]) => name === 'perl\n').map(([pid]) => pid)
}
