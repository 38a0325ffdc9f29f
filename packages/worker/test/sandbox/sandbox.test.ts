import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { silentLogger } from '../../src/logger.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { findProcesses } from '../support/processes.ts'
import { testUnless } from '../support/requirements.ts'
import { missingSandbox } from '../support/sandboxes.ts'
import { listWorkerFolders } from '../support/test-worker.ts'
import { limits, MIB, makeMark, readOutput, useSandbox } from '../support/use-sandbox.ts'

const noBubblewrap = await missingSandbox('bubblewrap')
if (noBubblewrap) console.warn(`The tests of programs in bubblewrap are left out: ${noBubblewrap}.`)
const noProc = existsSync('/proc/self/stat') ? undefined : 'this system has no /proc'

const kinds = [
  { name: 'bubblewrap, with control groups if possible', mode: 'bubblewrap', cgroups: true },
  { name: 'bubblewrap, without control groups', mode: 'bubblewrap', cgroups: false },
  { name: 'unsandboxed, with control groups if possible', mode: 'unsandboxed', cgroups: true },
  { name: 'unsandboxed, without control groups', mode: 'unsandboxed', cgroups: false },
] as const

describe.each(kinds)('$name', ({ mode, cgroups }) => {
  const isIsolated = mode === 'bubblewrap'
  const options = { mode, cgroups, allowWeakIsolation: !cgroups }
  const obstacle = isIsolated ? noBubblewrap : undefined
  const testRun = testUnless(obstacle)
  const testMeasured = testUnless(isIsolated ? noBubblewrap : noProc)
  const testIsolated = testUnless(isIsolated ? noBubblewrap : 'this mode isolates nothing')
  const { run, runJs, runShell } = useSandbox(options, obstacle)

  testRun('passes stdin, stdout, stderr and the exit code', async () => {
    const result = await runShell('cat; echo err >&2; exit 3', {}, { stdin: 'in €\n' })
    expect(result).toMatchObject({ exitCode: 3, signal: undefined, exceeded: undefined })
    expect([readOutput(result), result.stderr.toString()]).toEqual(['in €\n', 'err\n'])
    expect(result.wallMs).toBeGreaterThan(0)
  })

  testRun('stops a program that sleeps at the wall limit', async () => {
    expect(await runShell('sleep 600', { wallMs: 400 })).toMatchObject({ exceeded: 'time' })
  })

  testRun('takes a wall limit that is longer than a timer of Node.js', async () => {
    expect(await runShell('echo done', { wallMs: 2 ** 31 })).toMatchObject({ exceeded: undefined })
  })

  testMeasured('stops a program that spins at the CPU limit', async () => {
    const { exceeded, cpuMs } = await runShell('while :; do :; done', { cpuMs: 300 })
    expect(exceeded).toBe('time')
    expect(cpuMs).toBeGreaterThanOrEqual(300)
    // The kernel's own limit comes after two seconds.
    expect(cpuMs).toBeLessThan(1900)
  })

  testMeasured('includes the CPU time of children', async () => {
    const { exceeded } = await runShell('sh -c "while :; do :; done"; echo done', { cpuMs: 300 })
    expect(exceeded).toBe('time')
  })

  testMeasured('stops a program with too much memory in one process or in several', async () => {
    const hoard = `const all = []; while (all.length < SIZE) all.push(Buffer.alloc(1e6, 1)); setTimeout(() => {}, 1e6)`
    const child = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(hoard.replace('SIZE', '60'))}])`
    for (const code of [hoard.replace('SIZE', '500'), `${child};${child};${child}`])
      expect(await runJs(code)).toMatchObject({ exceeded: 'memory' })
  })

  testMeasured('does not count reserved memory', async () => {
    const result = await runJs(
      `new WebAssembly.Memory({ initial: 1, maximum: 65536 }); console.log(new ArrayBuffer(3e9).byteLength)`,
    )
    expect([readOutput(result), result.exceeded]).toEqual(['3000000000\n', undefined])
  })

  testRun('stops a program with too much output and keeps the output up to the limit', async () => {
    const toStdout = await runShell('yes')
    expect([toStdout.exceeded, toStdout.stdout.length]).toEqual(['output', MIB])
    const toStderr = await runShell('yes >&2')
    expect([toStderr.exceeded, toStderr.stderr.length]).toEqual(['output', MIB])
  })

  testRun('keeps the first 16 MiB of stderr, also below a higher limit', async () => {
    const { exceeded, stderr } = await runShell('head -c 17M /dev/zero >&2', { outputBytes: 18 * MIB })
    expect([exceeded, stderr.length]).toEqual([undefined, 16 * MIB])
  })

  testRun('allows as much output as the limit', async () => {
    const result = await runShell(`head -c ${MIB} /dev/zero`)
    expect([result.exceeded, result.stdout.length, result.exitCode]).toEqual([undefined, MIB, 0])
  })

  testRun('limits the size of a file', async () => {
    expect((await runShell(`head -c ${2 * MIB} /dev/zero > file`)).exitCode).not.toBe(0)
  })

  testRun('returns the signal of a crash', async () => {
    const crash = { exitCode: undefined, signal: 'SIGABRT', exceeded: undefined }
    expect(await runShell('kill -ABRT $$')).toMatchObject(crash)
  })

  testRun('lets the stack use all memory', async () => {
    const deep = `const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); console.log(f(200000))`
    expect(readOutput(await run([process.execPath, '--stack-size=50000', '-e', deep]))).toBe('200000\n')
  })

  testMeasured('ends all processes, also detached ones', async () => {
    const mark = makeMark()
    const detached = `setsid sh -c 'setsid sleep ${mark} & sleep ${mark}' & sleep ${mark} & echo started`
    const result = await runShell(detached)
    expect([result.exitCode, readOutput(result)]).toEqual([0, 'started\n'])
    expect(findProcesses(mark)).toEqual([])
  })

  testRun('ends a run when its signal is aborted', async () => {
    const controller = new AbortController()
    const mark = makeMark()
    const running = runShell(`sleep ${mark}`, {}, { signal: controller.signal })
    setImmediate(() => controller.abort(new Error('aborted')))
    await expect(running).rejects.toThrow('aborted')
    expect(findProcesses(mark)).toEqual([])
  })

  testIsolated('stops a fork bomb at the wall limit and ends all its processes', async () => {
    const mark = makeMark()
    // The shell must not end if a busy machine refuses it a process.
    const start = `until command eval 'bomb &'; do :; done 2>/dev/null`
    const bomb = `bomb() { bomb | bomb & }; ${start}; exec sleep ${mark}`
    const result = await runShell(bomb, { wallMs: 700, cpuMs: 60_000 })
    expect(result.exceeded).toBe('time')
    expect(findProcesses(mark)).toEqual([])
  })

  testIsolated('limits the number of processes', async () => {
    const result = await runShell('for i in $(seq 200); do sleep 20 & done; echo all')
    expect([result.exitCode === 0, readOutput(result)]).toEqual([false, ''])
  })

  testIsolated('limits private file systems to the memory limit', async () => {
    const fill =
      'i=0; while [ $i -lt 400 ]; do head -c 1000000 /dev/zero > /tmp/$i || exit 1; i=$((i + 1)); done'
    const result = await runShell(fill)
    expect(result.exceeded === 'memory' || result.exitCode !== 0).toBe(true)
  })

  testRun('leaves no file and no control group behind', async () => {
    const before = await listWorkerFolders()
    const groups = await listOwnCgroups()
    const own = await openSandbox({ ...options, logger: silentLogger })
    const [root = ''] = (await listWorkerFolders()).filter((path) => !before.includes(path))
    const folder = await own.createFolder()
    const empty = await readdir(root)
    const argv = ['/bin/sh', '-c', 'exit 0'] as const
    await own.run({ argv, folder, writable: false, stdin: '', environment: {}, limits })
    expect(await readdir(root)).toEqual(empty)
    await own.close()
    expect(existsSync(root)).toBe(false)
    // The sandbox of the other tests removes its own at any time.
    expect((await listOwnCgroups()).filter((path) => !groups.includes(path))).toEqual([])
  })
})

/** The control groups that this process has made and not removed. */
async function listOwnCgroups(): Promise<string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  const mounts = text
    .split('\n')
    .filter((line) => / - cgroup2? /.test(line))
    .map((line) => line.split(' ')[4] ?? '')
  const found = await Promise.all(mounts.map((mount) => listFolder(mount)))
  return found
    .flat()
    .filter(
      (name) => name.includes(`judge-worker-${process.pid}-`) && !name.endsWith('procs') && /\d$/.test(name),
    )
}

/** All paths below a folder. Reads it again if a part of it vanishes meanwhile. */
async function listFolder(folder: string, attempts = 100): Promise<string[]> {
  try {
    return await readdir(folder, { recursive: true })
  } catch (err) {
    const hasVanished = err instanceof Error && 'code' in err && err.code === 'ENOENT'
    return hasVanished && attempts > 1 ? listFolder(folder, attempts - 1) : []
  }
}
