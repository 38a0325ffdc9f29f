import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { createLatch } from '../../src/latch.ts'
import { findCommand } from '../../src/sandbox/commands.ts'
import { killProcess } from '../../src/sandbox/kill-process.ts'
import { createLauncher } from '../../src/sandbox/launcher.ts'
import { listLauncherCalls } from '../../src/sandbox/launcher-calls.ts'
import { LAUNCHER_SCRIPT } from '../../src/sandbox/launcher-script.ts'
import type { RunRequest, Sandbox } from '../../src/sandbox/sandbox.ts'
import { isKnownProcessor } from '../../src/sandbox/seccomp/filter.ts'
import { findProcesses } from '../support/processes.ts'
import { testUnless } from '../support/requirements.ts'
import { missingSandbox } from '../support/sandboxes.ts'
import { startScript } from '../support/start-script.ts'
import { right, shell, useTestWorker } from '../support/test-worker.ts'
import { makeMark, useSandboxes } from '../support/use-sandbox.ts'
import { waitFor } from '../support/wait.ts'

const TOOLS = ['bwrap', 'unshare', 'nsenter', 'keyctl']
const hasPerl = findCommand('perl', process.env.PATH ?? '') !== undefined
const noLauncher = (await missingSandbox('bubblewrap')) ?? (hasPerl ? undefined : 'perl is not installed')
const testLauncher = testUnless(noLauncher)
const hasKeyctl = findCommand('keyctl', process.env.PATH ?? '') !== undefined
const testKeyring = testUnless(noLauncher ?? (hasKeyctl ? undefined : 'keyctl is not installed'))

/** What a process has from those that started it, without what differs between any two runs. */
const LOOK = `cat /proc/self/limits
grep -E '^(Uid|Gid|Groups|Umask|Cap|NoNewPrivs|Seccomp|Sig(Blk|Ign|Cgt)|Cpus_allowed_list)' /proc/self/status
cat /proc/self/oom_score_adj /proc/self/cgroup; ls -l /proc/self/fd | sed 's/.* \\([0-9]*\\) -> /\\1 /; s/[0-9]\\{4,\\}//g'
nice; pwd; umask; env`

describe('a run by the launcher', () => {
  const setup = useSandboxes()
  const { open, run, expectToWork } = setup

  /** A search path with the sandbox's commands, and scripts in place of some. */
  async function makeSearchPath(tools: readonly string[], scripts: Record<string, string> = {}) {
    const bin = join(setup.folder, 'bin')
    await mkdir(bin)
    for (const tool of tools) {
      const path = findCommand(tool, process.env.PATH ?? '')
      if (path !== undefined) await symlink(path, join(bin, tool))
    }
    for (const [name, script] of Object.entries(scripts)) {
      await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`)
      await chmod(join(bin, name), 0o755)
    }
    return bin
  }

  const openWithoutPerl = async () => open({ searchPath: await makeSearchPath(TOOLS) })
  const look = async (sandbox: Sandbox, writable: boolean, more: Partial<RunRequest> = {}) => {
    const result = await run(sandbox, await sandbox.createFolder(), LOOK, { writable, ...more })
    expect([result.exitCode, result.stderr.toString()]).toEqual([0, ''])
    return result.stdout.toString().replaceAll(/judge-worker-[^ /]*\/(\w+)\/\S+/g, '$1')
  }

  testLauncher('has the limits, user, signals, descriptors and environment of one without it', async () => {
    const sandbox = await open()
    expect([(await findLaunchers()).length, setup.logged]).toEqual([1, ''])
    const views = [await look(sandbox, false), await look(sandbox, true)]
    expect(await look(sandbox, false, { startWhen: setImmediate() })).toBe(views[0])
    await sandbox.close()
    const plain = await openWithoutPerl()
    expect([(await findLaunchers()).length, setup.logged]).toEqual([0, expect.stringContaining('perl-base')])
    expect(views).toEqual([await look(plain, false), await look(plain, true)])
    expect(views[0]).toMatch(/Max open files +1024 +1024/)
  })

  testLauncher('is in the control groups and has no group, as one without it', async () => {
    const sandboxes = [await open(), await openWithoutPerl()]
    const views: [boolean, string][] = []
    for (const sandbox of sandboxes) {
      const mark = makeMark()
      const running = run(sandbox, await sandbox.createFolder(), `exec sleep ${mark}`).catch(() => undefined)
      // Bubblewrap's two processes, and the program.
      await waitFor('the program', () => findProcesses(mark).some(isSleep))
      expect(findProcesses(mark)).toHaveLength(3)
      for (const pid of findProcesses(mark).filter(isSleep))
        views.push([sandbox === sandboxes[0], await describeProcess(pid)])
      for (const pid of findProcesses(mark)) killProcess(pid)
      await running
    }
    const of = (isFirst: boolean) => views.filter(([first]) => first === isFirst).map(([, view]) => view)
    expect([of(true).length, of(true)]).toEqual([1, of(false)])
    expect(of(true).join('\n')).toMatch(/:\/.*judge-worker-N/)
  })

  testKeyring('has a new session keyring', async () => {
    const bwrap = findCommand('bwrap', process.env.PATH ?? '')
    // Without the filter a program can use its keyring.
    const script = `case "$1" in --help) ${bwrap} --help | grep -v -e --seccomp;; *) exec ${bwrap} "$@";; esac`
    const searchPath = await makeSearchPath([...TOOLS.filter((tool) => tool !== 'bwrap'), 'perl'], {
      bwrap: script,
    })
    const weak = await open({ searchPath, allowWeakIsolation: true })
    expect(await findLaunchers()).toHaveLength(1)
    const program = await weak.createFolder()
    expect((await run(weak, program, 'keyctl add user message hidden @s')).exitCode).toBe(0)
    const found = await run(weak, program, 'keyctl search @s user message || echo nothing')
    expect(found.stdout.toString()).toBe('nothing\n')
  })

  testLauncher('names the reason if bubblewrap does not start', async () => {
    const sandbox = await open()
    const folder = await sandbox.createFolder()
    await run(sandbox, folder, 'true')
    const missing = sandbox.run({
      ...{ argv: ['/nowhere/program'], folder, writable: false, stdin: '', environment: {} },
      limits: {
        wallMs: 9000,
        cpuMs: 9000,
        memoryBytes: 2 ** 28,
        outputBytes: 99,
        fileBytes: 99,
        processes: 9,
      },
    })
    await expect(missing).rejects.toThrow(/could not be started: bwrap: execvp/)
    await expect(run(sandbox, folder, 'echo \0')).rejects.toThrow('NUL')
    await expectToWork(sandbox, folder)
  })

  testLauncher('fails when the launcher is killed; a new one runs programs in the same folder', async () => {
    const sandbox = await open()
    const folder = await sandbox.createFolder()
    const mark = makeMark()
    const running = run(sandbox, folder, `exec sleep ${mark}`)
    running.catch(() => undefined)
    await waitFor('the program', () => findProcesses(mark).length === 3)
    const [launcher] = await findLaunchers()
    process.kill(Number(launcher), 'SIGKILL')
    await expect(running).rejects.toThrow('the launcher of programs has ended')
    expect(findProcesses(mark)).toEqual([])
    await expectToWork(sandbox, folder)
    expect(await findLaunchers()).not.toContain(launcher)
  })

  testLauncher('fails when the launcher is killed before the program may start', async () => {
    const sandbox = await open()
    const folder = await sandbox.createFolder()
    const mark = makeMark()
    const start = createLatch()
    const waiting = run(sandbox, folder, `echo ${mark}`, { startWhen: start.opened })
    waiting.catch(() => undefined)
    await waitFor('the sandbox', () => findProcesses(mark).length === 3)
    process.kill(Number((await findLaunchers())[0]), 'SIGKILL')
    await waitFor('its end', () => findProcesses(mark).length === 0)
    await expect(waiting).rejects.toThrow('the launcher of programs has ended')
    await expectToWork(sandbox, folder)
  })

  testLauncher('fails when the launcher is stopped for longer than the run may take', async () => {
    const sandbox = await open()
    const folder = await sandbox.createFolder()
    const mark = makeMark()
    const ending = new AbortController()
    const running = run(sandbox, folder, `exec sleep ${mark}`, { signal: ending.signal })
    running.catch(() => undefined)
    await waitFor('the program', () => findProcesses(mark).length === 3)
    const [launcher] = await findLaunchers()
    process.kill(Number(launcher), 'SIGSTOP')
    ending.abort(new Error('given up'))
    await expect(running).rejects.toThrow()
    expect(findProcesses(mark)).toEqual([])
    await expectToWork(sandbox, folder)
    expect(await findLaunchers()).not.toContain(launcher)
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
  const folder = await mkdtemp(join(tmpdir(), 'launcher-test-'))
  const pipe = join(folder, 'pipe')
  await promisify(execFile)('mkfifo', [pipe])
  const processor = isKnownProcessor(process.arch) ? process.arch : 'x64'
  const args = ['-e', LAUNCHER_SCRIPT, listLauncherCalls(processor), '/bin/cat']
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
    await rm(folder, { recursive: true })
  }
})

describe('a judging', () => {
  const worker = useTestWorker()

  testLauncher('is not lost when the launcher is killed', async () => {
    await worker.start({ sandbox: 'bubblewrap', languages: [shell] })
    const mark = makeMark()
    const source_code = `read n; [ -e /nowhere ] || sleep 0.${mark}; echo $((2 * n))`
    const id = worker.service.addSubmission({ ...right, source_code })
    worker.queue(id)
    await waitFor('the program', () => findProcesses(`0.${mark}`).length > 0)
    process.kill(Number((await findLaunchers())[0]), 'SIGKILL')
    await waitFor('the verdict', () => (worker.service.submissions.get(id)?.verdicts.length ?? 0) > 0)
    expect(worker.service.submissions.get(id)?.verdicts.map(({ status }) => status)).toEqual(['ACCEPTED'])
    expect(worker.list.returned).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('the launcher of programs has ended') }),
    ])
  })
})

/** The launchers below a process: children of the keepers, its children. */
async function findLaunchers(parent = 'self'): Promise<string[]> {
  const keepers = await listChildren(parent)
  const children = (await Promise.all(keepers.map(listChildren))).flat()
  const names = await Promise.all(
    children.map(async (pid) => [pid, await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')] as const),
  )
  return names.filter(([, name]) => name === 'perl\n').map(([pid]) => pid)
}

async function listChildren(pid: string): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = threads.map((id) => readFile(`/proc/${pid}/task/${id}/children`, 'utf8').catch(() => ''))
  return (await Promise.all(lists)).join(' ').split(' ').filter(Boolean)
}

function isSleep(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n'
  } catch {
    return false
  }
}

/** The credentials and control groups of a process, as the machine sees them. */
async function describeProcess(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const lines = status.split('\n').filter((line) => /^(Name|Uid|Gid|Groups|Sig(Blk|Ign))/.test(line))
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8')
  return `${lines.join('\n')}\n${groups.replaceAll(/judge-worker-\S+/g, 'judge-worker-N')}`
}
