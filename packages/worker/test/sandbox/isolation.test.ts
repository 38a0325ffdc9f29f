import { closeSync, openSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { findCommand } from '../../src/sandbox/commands.ts'
import { closeInheritedDescriptors } from '../../src/sandbox/inherited-descriptors.ts'
import { findLeftBehind, listChildren, startScript } from '../support/processes.ts'
import * as sandboxes from '../support/use-sandbox.ts'
import { waitFor } from '../support/wait.ts'

const { bubblewrapWithoutFilter, SANDBOX_TOOLS, testAsRoot, testIsolated, useSandboxes } = sandboxes
const INHERITED = 60

const setup = useSandboxes()
const { open, run, expectToWork } = setup
const replaceTools = (scripts: Record<string, string>) => setup.makeSearchPath(SANDBOX_TOOLS, scripts)

describe('opening the sandbox', () => {
  testIsolated('fails without bubblewrap, util-linux or control groups, and names them', async () => {
    const searchPath = await setup.makeSearchPath(['unshare', 'keyctl'])
    await expect(open({ searchPath, allowWeakIsolation: true })).rejects.toThrow(
      /install bwrap \(package bubblewrap\), nsenter \(package util-linux\)/,
    )
    await expect(open({ cgroups: false })).rejects.toThrow(
      /No control group .*Delegate=yes[\s\S]*--allow-weak-isolation/,
    )
    expect(setup.logged).toBe('')
  })

  testAsRoot('fails as root if programs cannot have their own users', async () => {
    // The launcher in Perl gets the number of a system call that does not exist.
    const perl = `calls=$(printf %s "$2" | sed 's/setresuid=[0-9]*/setresuid=99999/') launcher=$1
shift 2; exec ${findCommand('perl', process.env.PATH ?? '')} "$launcher" "$calls" "$@"`
    const searchPath = await replaceTools({ perl })
    await expect(open({ searchPath })).rejects.toThrow(/Programs run as root[\s\S]*setresuid/)
    const weak = await open({ searchPath, allowWeakIsolation: true })
    expect(setup.logged).toContain('Programs run as root of this machine')
    const write = 'echo x > /proc/sys/kernel/domainname || echo refused'
    const { stdout } = await run(weak, await weak.createFolder(), write)
    expect(stdout.toString()).toBe('refused\n')
  })

  testIsolated('fails without a filter, and logs every weakness if weak isolation is allowed', async () => {
    const searchPath = await replaceTools({ bwrap: bubblewrapWithoutFilter() })
    await expect(open({ searchPath })).rejects.toThrow(/No seccomp filter .*no option --seccomp/)
    const weak = await open({ searchPath, cgroups: false, allowWeakIsolation: true })
    expect(setup.logged.split('\n').filter((line) => line.includes('isolated weakly'))).toEqual([
      expect.stringContaining('No seccomp filter'),
      expect.stringContaining('No control group'),
    ])
    await expectToWork(weak)
  })

  testIsolated('leaves no process and no control group behind after a failure', async () => {
    const searchPath = await replaceTools({ bwrap: 'case "$1" in --help) exit;; *) exit 9;; esac' })
    const [before, left] = [await listChildren(), await findLeftBehind(process.pid)]
    await expect(open({ searchPath, allowWeakIsolation: true })).rejects.toThrow(
      /bubblewrap does not work here[\s\S]*user\.max_user_namespaces/,
    )
    await waitFor('the keepers to end', async () =>
      (await listChildren()).every((pid) => before.includes(pid)),
    )
    expect(await findLeftBehind(process.pid)).toEqual(left)
  })
})

describe('a slot', () => {
  testAsRoot('has its own user id, counted from the first one', async () => {
    const sandbox = await open({ firstUserId: 61_000 })
    const [first, second] = [await sandbox.createFolder(), await sandbox.createFolder()]
    // The owner of a file in the writable folder is the user outside the sandbox.
    const owner = async (program: string) => {
      await run(sandbox, program, 'echo > mine', { writable: true })
      return statSync(join(program, 'mine')).uid
    }
    expect([await owner(first), await owner(second)]).toEqual([61_000, 61_001])
    await sandbox.removeFolder(first)
    expect(await owner(await sandbox.createFolder())).toBe(61_000)
  })

  testIsolated('has at most 1,024 open files, no core files, and no descriptor of the worker', async () => {
    const script = 'ulimit -n; ulimit -c; ls /proc/self/fd | tr "\\n" " "'
    const sandbox = await open()
    expect(sandbox.description).toMatch(/^bubblewrap; .*cgroup v[12]; seccomp filter/)
    expect(setup.logged).toBe('')
    const { stdout } = await run(sandbox, await sandbox.createFolder(), script)
    expect(stdout.toString()).toBe('1024\n0\n0 1 2 3 ')
  })
})

describe('the keepers of namespaces', () => {
  testIsolated('survive signals to all processes of the worker', async () => {
    const sandbox = await open()
    const program = await sandbox.createFolder()
    for (const pid of await listKeepers()) {
      expect((await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[2]).toBe(pid)
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(Number(pid), signal)
    }
    await expectToWork(sandbox, program)
  })

  testIsolated('are replaced after they are killed; runs in a vanished folder fail', async () => {
    const sandbox = await open()
    const program = await sandbox.createFolder()
    for (const pid of await listKeepers()) process.kill(Number(pid), 'SIGKILL')
    await waitFor('them to end', async () => (await listChildren()).length === 0)
    await expect(run(sandbox, program, 'echo works')).rejects.toThrow("the program's folder has vanished")
    await expectToWork(sandbox)
  })
})

testIsolated('inherited descriptors are closed; descriptors of this process are not', async () => {
  const module = JSON.stringify(join(import.meta.dirname, '../../src/sandbox/inherited-descriptors.ts'))
  const file = openSync('/dev/null', 'r')
  // Node.js itself marks the first descriptors as close-on-exec.
  const stdio = ['ignore', 'pipe', 'inherit', ...Array(INHERITED - 3).fill('ignore'), file]
  const started = startScript(
    `import fs from 'node:fs'; const own = fs.openSync('/dev/null', 'r')
     const { closeInheritedDescriptors } = await import(${module}); closeInheritedDescriptors()
     const open = (n) => { try { fs.fstatSync(n); return true } catch { return false } }
     console.log(open(${INHERITED}), open(own))`,
    stdio,
  )
  closeSync(file)
  await waitFor('the output', () => started.output.endsWith('\n'))
  expect(started.output).toBe('false true\n')
  expect(() => closeInheritedDescriptors()).not.toThrow()
})

/** The keepers of a sandbox with one program folder, after the keeper of its trial has ended. */
async function listKeepers(): Promise<string[]> {
  await waitFor('two keepers', async () => (await listChildren()).length === 2)
  return listChildren()
}
