import { execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { createJsonLogger, silentLogger } from '../src/logger.ts'
import { findCgroupPlaces } from '../src/sandbox/cgroup-mounts.ts'
import { findCommand } from '../src/sandbox/commands.ts'
import { closeInheritedDescriptors } from '../src/sandbox/inherited-descriptors.ts'
import { openSandbox, type SandboxOptions } from '../src/sandbox/open-sandbox.ts'
import type { Limits, Sandbox } from '../src/sandbox/sandbox.ts'
import { testUnless } from './support/requirements.ts'
import { missingSandbox } from './support/sandboxes.ts'
import { waitFor } from './support/wait.ts'

const MIB = 2 ** 20
const limits: Limits = {
  wallMs: 20_000,
  cpuMs: 10_000,
  memoryBytes: 512 * MIB,
  outputBytes: MIB,
  fileBytes: 512 * MIB,
  processes: 32,
}
const INHERITED = 60
const TOOLS = ['bwrap', 'unshare', 'nsenter', 'keyctl']
const noBubblewrap = await missingSandbox('bubblewrap')
const testIsolated = testUnless(noBubblewrap)
const testAsRoot = testUnless(
  noBubblewrap ?? (process.getuid?.() === 0 ? undefined : 'this user is not root'),
)

let folder: string
let opened: Sandbox[]
let logged: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isolation-test-'))
  // Users of slots start the commands in it.
  await chmod(folder, 0o755)
  opened = []
  logged = ''
})
afterEach(async () => {
  for (const sandbox of opened) await sandbox.close()
  await rm(folder, { recursive: true })
})

async function open(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const logger = createJsonLogger((line) => {
    logged += line
  })
  const sandbox = await openSandbox({ mode: 'bubblewrap', logger, ...options })
  opened.push(sandbox)
  return sandbox
}

/**
 * A search path with the sandbox's own commands, but for `missing`; `replaced` are shell scripts.
 */
async function makeSearchPath(
  missing: readonly string[],
  replaced: Record<string, string> = {},
): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  for (const tool of TOOLS.filter((name) => !missing.includes(name) && !(name in replaced))) {
    const path = findCommand(tool, process.env.PATH ?? '')
    if (path !== undefined) await symlink(path, join(bin, tool))
  }
  for (const [name, script] of Object.entries(replaced)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(bin, name), 0o755)
  }
  return bin
}

function run(sandbox: Sandbox, program: string, script: string, writable = false) {
  return sandbox.run({
    ...{ argv: ['/bin/sh', '-c', script], folder: program, writable, stdin: '', environment: {}, limits },
  })
}

describe('opening the sandbox', () => {
  testIsolated('refuses without bubblewrap or util-linux, and names the packages', async () => {
    const searchPath = await makeSearchPath(['bwrap', 'nsenter'])
    await expect(open({ searchPath, allowWeakIsolation: true })).rejects.toThrow(
      /install bwrap \(package bubblewrap\), nsenter \(package util-linux\)/,
    )
  })

  testIsolated('refuses without control groups, and says how to delegate one', async () => {
    await expect(open({ cgroups: false })).rejects.toThrow(
      /No control group .*Delegate=yes[\s\S]*--allow-weak-isolation/,
    )
    expect(logged).toBe('')
  })

  testIsolated('refuses with a bubblewrap that cannot load a filter', async () => {
    const searchPath = await makeSearchPath([], { bwrap: withoutOption('seccomp') })
    await expect(open({ searchPath })).rejects.toThrow(/No seccomp filter .*no option --seccomp/)
  })

  testAsRoot('refuses to run programs as root where they cannot have users of their own', async () => {
    const nsenter = `case "$*" in *--setuid*) echo 'no users today' >&2; exit 1;; esac\nexec ${findCommand('nsenter', process.env.PATH ?? '')} "$@"`
    const searchPath = await makeSearchPath([], { nsenter })
    await expect(open({ searchPath })).rejects.toThrow(/Programs run as root[\s\S]*no users today/)
    const weak = await open({ searchPath, allowWeakIsolation: true })
    expect(logged).toContain('Programs run as root of this machine')
    const { stdout } = await run(
      weak,
      await weak.createFolder(),
      'echo x > /proc/sys/kernel/domainname || echo refused',
    )
    expect(stdout.toString()).toBe('refused\n')
  })

  testIsolated('starts with every weakness in the log where weak isolation is allowed', async () => {
    const searchPath = await makeSearchPath([], { bwrap: withoutOption('seccomp') })
    const weak = await open({ searchPath, cgroups: false, allowWeakIsolation: true })
    const warnings = logged.split('\n').filter((line) => line.includes('isolated weakly'))
    expect(warnings).toEqual([
      expect.stringContaining('No seccomp filter'),
      expect.stringContaining('No control group'),
    ])
    const { stdout } = await run(weak, await weak.createFolder(), 'echo works')
    expect(stdout.toString()).toBe('works\n')
  })

  testIsolated('leaves no process and no control group behind when it fails', async () => {
    const searchPath = await makeSearchPath([], { bwrap: 'case "$1" in --help) exit;; *) exit 9;; esac' })
    const before = await listChildren()
    await expect(open({ searchPath, allowWeakIsolation: true })).rejects.toThrow(
      /bubblewrap does not work here[\s\S]*user\.max_user_namespaces/,
    )
    await waitFor('the keepers to end', async () =>
      (await listChildren()).every((pid) => before.includes(pid)),
    )
    expect(await listControlGroups()).toEqual([])
  })

  testIsolated('says how programs are isolated', async () => {
    const { description } = await open()
    expect(description).toMatch(/^bubblewrap; .*cgroup v[12]; seccomp filter/)
    expect(logged).toBe('')
  })
})

describe('a slot', () => {
  testAsRoot('has a user of its own, from the first user id on', async () => {
    const sandbox = await open({ firstUserId: 61_000 })
    const [first, second] = [await sandbox.createFolder(), await sandbox.createFolder()]
    // A file in the writable folder shows the user as the machine knows it.
    const owner = async (program: string) => {
      await run(sandbox, program, 'echo > mine', true)
      return statSync(join(program, 'mine')).uid
    }
    expect([await owner(first), await owner(second)]).toEqual([61_000, 61_001])
    await sandbox.removeFolder(first)
    expect(await owner(await sandbox.createFolder())).toBe(61_000)
  })

  testIsolated('has at most 1,024 open files, no core files, and no descriptor of the worker', async () => {
    const script = 'ulimit -n; ulimit -c; ls /proc/self/fd | tr "\\n" " "'
    const sandbox = await open()
    const { stdout } = await run(sandbox, await sandbox.createFolder(), script)
    expect(stdout.toString()).toBe('1024\n0\n0 1 2 3 ')
  })
})

describe('a session keyring', () => {
  const noKeyctl = findCommand('keyctl', process.env.PATH ?? '') ? undefined : 'keyctl is not installed'
  testUnless(noBubblewrap ?? noKeyctl)('is new for each run', async () => {
    // Without the filter a program may use its keyring, so that it can be seen.
    const searchPath = await makeSearchPath([], { bwrap: withoutOption('seccomp') })
    const weak = await open({ searchPath, allowWeakIsolation: true })
    const program = await weak.createFolder()
    const leave = await run(weak, program, 'keyctl add user message hidden @s')
    expect(leave.exitCode).toBe(0)
    const look = await run(weak, program, 'keyctl search @s user message || echo nothing')
    expect(look.stdout.toString()).toBe('nothing\n')
  })
})

describe('the keepers of namespaces', () => {
  testIsolated('survive a signal to all processes of the worker', async () => {
    const sandbox = await open()
    const program = await sandbox.createFolder()
    for (const pid of await listChildren()) {
      const group = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[2]
      expect(group).toBe(pid)
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(Number(pid), signal)
    }
    const { stdout } = await run(sandbox, program, 'echo works')
    expect(stdout.toString()).toBe('works\n')
  })

  testIsolated('are replaced when they were killed; a program whose folder is gone fails', async () => {
    const sandbox = await open()
    const program = await sandbox.createFolder()
    for (const pid of await listChildren()) process.kill(Number(pid), 'SIGKILL')
    await waitFor('them to end', async () => (await listChildren()).length === 0)
    await expect(run(sandbox, program, 'echo works')).rejects.toThrow("the program's folder is gone")
    const { stdout } = await run(sandbox, await sandbox.createFolder(), 'echo works')
    expect(stdout.toString()).toBe('works\n')
  })
})

describe('inherited descriptors', () => {
  testIsolated('are closed, and those of the process itself are not', async () => {
    const code = `const fs = require('fs'); const own = fs.openSync('/dev/null', 'r'); close().then(() => {
      const open = (n) => { try { fs.fstatSync(n); return true } catch { return false } }
      console.log(open(${INHERITED}), open(own)) })`
    const module = JSON.stringify(join(import.meta.dirname, '../src/sandbox/inherited-descriptors.ts'))
    const source = `const close = () => import(${module}).then((module) => module.closeInheritedDescriptors());${code}`
    const file = openSync('/dev/null', 'r')
    // Node.js itself marks the first descriptors as close-on-exec.
    const stdio = ['ignore', 'pipe', 'inherit', ...Array(INHERITED - 3).fill('ignore'), file]
    const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', '-e', source], { stdio })
    closeSync(file)
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    await waitFor('the process to end', () => child.exitCode !== null)
    expect(output).toBe('false true\n')
    expect(() => closeInheritedDescriptors()).not.toThrow()
  })
})

describe('the folder of a program', () => {
  testIsolated('holds a bounded number of bytes and files while it is compiled', async () => {
    const sandbox = await open({ folderLimits: { bytes: 2 * MIB, files: 50 } })
    const bytes = await run(
      sandbox,
      await sandbox.createFolder(),
      'head -c 3000000 /dev/zero > large; stat -c %s large',
      true,
    )
    expect(Number(bytes.stdout)).toBeLessThanOrEqual(2 * MIB)
    const files = 'i=0; while [ $i -lt 60 ]; do : > $i || exit; i=$((i + 1)); done 2>/dev/null'
    const program = await sandbox.createFolder()
    await run(sandbox, program, files, true)
    expect((await readdir(program)).length).toBeLessThan(50)
  })

  testIsolated('keeps the result of a compilation for the runs, which cannot change it', async () => {
    const sandbox = await open()
    const program = await sandbox.createFolder()
    await run(sandbox, program, 'echo compiled > result', true)
    const { stdout } = await run(sandbox, program, 'cat /app/result; echo x > /app/result || echo refused')
    expect(stdout.toString()).toBe('compiled\nrefused\n')
  })

  const DEEP =
    'i=0; while [ $i -lt 3000 ]; do mkdir folder && cd folder || exit; i=$((i + 1)); done; chmod 0 .'
  for (const mode of ['bubblewrap', 'unsandboxed'] as const) {
    testIsolated(`is deleted at any depth and with any permissions, ${mode}`, async () => {
      const sandbox = await open({ mode })
      const program = await sandbox.createFolder()
      await run(sandbox, program, `${DEEP}; exit 0`, true)
      await run(sandbox, program, 'mkdir closed && chmod 0 closed', true)
      await sandbox.removeFolder(program)
      await sandbox.close()
      expect(existsSync(program)).toBe(false)
      expect(logged).not.toContain('could not be deleted')
    })
  }

  testAsRoot('is logged where it cannot be deleted, and nothing else happens', async () => {
    const sandbox = await open({ mode: 'unsandboxed' })
    const program = await sandbox.createFolder()
    const busy = join(program, 'busy')
    await mkdir(busy)
    execFileSync('mount', ['-t', 'tmpfs', 'busy', busy])
    try {
      await sandbox.removeFolder(program)
      expect(logged).toContain('a temporary folder could not be deleted')
    } finally {
      execFileSync('umount', [busy])
    }
    const { stdout } = await run(sandbox, await sandbox.createFolder(), 'echo works')
    expect(stdout.toString()).toBe('works\n')
  })

  testIsolated('vanishes with a worker that is killed', async () => {
    const script = `const { openSandbox } = await import(${JSON.stringify(join(import.meta.dirname, '../src/sandbox/open-sandbox.ts'))})
      const logger = { info() {}, warn() {}, error() {} }
      const sandbox = await openSandbox({ mode: 'bubblewrap', logger })
      console.log(await sandbox.createFolder())
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, [
      '--conditions=source',
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      script,
    ])
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    await waitFor('the folder', () => output.endsWith('\n'))
    const keeper = /^\/proc\/(\d+)\/root/.exec(output)?.[1]
    expect(existsSync(`/proc/${keeper}/ns/mnt`)).toBe(true)
    child.kill('SIGKILL')
    await waitFor('its keeper to end', () => !existsSync(`/proc/${keeper}`))
    await waitFor('the process to end', () => child.signalCode !== null)
    // The next sandbox deletes what is left on disk.
    await (await openSandbox({ mode: 'unsandboxed', logger: silentLogger })).close()
    const left = (await readdir(tmpdir())).filter((name) => name.includes(`-${child.pid}-`))
    expect(left).toEqual([])
  })
})

/** The processes that this one has started and that still run. */
async function listChildren(): Promise<string[]> {
  const threads = await readdir('/proc/self/task')
  const lists = threads.map((id) => readFile(`/proc/self/task/${id}/children`, 'utf8').catch(() => ''))
  return (await Promise.all(lists)).join(' ').split(' ').filter(Boolean)
}

/** The control groups that sandboxes of this process have made. */
async function listControlGroups(): Promise<string[]> {
  const places = findCgroupPlaces(
    await readFile('/proc/self/cgroup', 'utf8'),
    await readFile('/proc/self/mountinfo', 'utf8'),
  )
  const folders = [...new Set([...places.values()].map(({ directory }) => directory))]
  const names = await Promise.all(folders.map((directory) => readdir(directory)))
  return names.flat().filter((name) => name.startsWith(`judge-worker-${process.pid}-`))
}

/** A bubblewrap whose help does not know an option. */
function withoutOption(option: string): string {
  const bwrap = findCommand('bwrap', process.env.PATH ?? '')
  return `case "$1" in --help) ${bwrap} --help | grep -v -e --${option};; *) exec ${bwrap} "$@";; esac`
}
