import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { describe, expect } from 'vitest'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { findLeftBehind, findProcesses } from '../support/processes.ts'
import { testUnless } from '../support/requirements.ts'
import { listWorkerFolders } from '../support/test-worker.ts'
import { limits, MIB, makeMark, noBubblewrap, readOutput, useSandbox } from '../support/use-sandbox.ts'

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
  const testMeasured = testUnless(isIsolated ? noBubblewrap : noProc)
  const testIsolated = testUnless(isIsolated ? noBubblewrap : 'this mode isolates nothing')
  const { run, runJs, runShell, testRun, options } = useSandbox({ mode, cgroups })

  testRun('passes stdin, stdout, stderr, and the exit code or the signal of a crash', async () => {
    const result = await runShell('cat; echo err >&2; exit 3', {}, { stdin: 'in €\n' })
    expect(result).toMatchObject({ exitCode: 3, signal: undefined, exceeded: undefined })
    expect([readOutput(result), result.stderr.toString()]).toEqual(['in €\n', 'err\n'])
    expect(result.wallMs).toBeGreaterThan(0)
    const crash = { exitCode: undefined, signal: 'SIGABRT', exceeded: undefined }
    expect(await runShell('kill -ABRT $$')).toMatchObject(crash)
  })

  testRun('stops a program at the wall limit, which may be longer than a timer of Node.js', async () => {
    expect(await runShell('sleep 600', { wallMs: 400 })).toMatchObject({ exceeded: 'time' })
    expect(await runShell('echo done', { wallMs: 2 ** 31 })).toMatchObject({ exceeded: undefined })
  })

  testMeasured('stops a program that spins, itself or in a child, at the CPU limit', async () => {
    const { exceeded, cpuMs } = await runShell('while :; do :; done', { cpuMs: 300 })
    expect(exceeded).toBe('time')
    expect(cpuMs).toBeGreaterThanOrEqual(300)
    // The kernel's own limit comes after two seconds.
    expect(cpuMs).toBeLessThan(1900)
    const byChild = 'sh -c "while :; do :; done"; echo done'
    expect(await runShell(byChild, { cpuMs: 300 })).toMatchObject({ exceeded: 'time' })
  })

  testMeasured('stops a program with too much memory, also in several processes', async () => {
    const hoard = `const all = []; while (all.length < SIZE) all.push(Buffer.alloc(1e6, 1)); setTimeout(() => {}, 1e6)`
    const child = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(hoard.replace('SIZE', '60'))}])`
    for (const code of [hoard.replace('SIZE', '500'), `${child};${child};${child}`])
      expect(await runJs(code)).toMatchObject({ exceeded: 'memory' })
    // Reserved memory does not count.
    const result = await runJs(
      `new WebAssembly.Memory({ initial: 1, maximum: 65536 }); console.log(new ArrayBuffer(3e9).byteLength)`,
    )
    expect([readOutput(result), result.exceeded]).toEqual(['3000000000\n', undefined])
  })

  testRun('stops a program above its output limit; keeps 16 MiB of stderr', async () => {
    const toStdout = await runShell('yes')
    expect([toStdout.exceeded, toStdout.stdout.length]).toEqual(['output', MIB])
    const toStderr = await runShell('yes >&2')
    expect([toStderr.exceeded, toStderr.stderr.length]).toEqual(['output', MIB])
    const all = await runShell(`head -c ${MIB} /dev/zero`)
    expect([all.exceeded, all.stdout.length, all.exitCode]).toEqual([undefined, MIB, 0])
    const { exceeded, stderr } = await runShell('head -c 17M /dev/zero >&2', { outputBytes: 18 * MIB })
    expect([exceeded, stderr.length]).toEqual([undefined, 16 * MIB])
  })

  testRun('limits the size of a file, and lets the stack use all memory', async () => {
    expect((await runShell(`head -c ${2 * MIB} /dev/zero > file`)).exitCode).not.toBe(0)
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

  testIsolated('limits the number of processes, and ends all of a fork bomb', async () => {
    const many = await runShell('for i in $(seq 200); do sleep 20 & done; echo all')
    expect([many.exitCode === 0, readOutput(many)]).toEqual([false, ''])
    const mark = makeMark()
    // The shell must not end if a busy machine refuses it a process.
    const start = `until command eval 'bomb &'; do :; done 2>/dev/null`
    const bomb = await runShell(`bomb() { bomb | bomb & }; ${start}; exec sleep ${mark}`, { wallMs: 700 })
    expect(bomb.exceeded).toBe('time')
    expect(findProcesses(mark)).toEqual([])
  })

  testIsolated('limits private file systems to the memory limit', async () => {
    const fill =
      'i=0; while [ $i -lt 400 ]; do head -c 1000000 /dev/zero > /tmp/$i || exit 1; i=$((i + 1)); done'
    const result = await runShell(fill)
    expect(result.exceeded === 'memory' || result.exitCode !== 0).toBe(true)
  })

  testRun('leaves no file behind, and after its end no control group', async () => {
    const before = await findLeftBehind(process.pid)
    const own = await openSandbox(options)
    const [root = ''] = (await listWorkerFolders()).filter((path) => !before.includes(basename(path)))
    const folder = await own.createFolder()
    const empty = await readdir(root)
    const argv = ['/bin/sh', '-c', 'exit 0'] as const
    await own.run({ argv, folder, writable: false, stdin: '', environment: {}, limits })
    expect(await readdir(root)).toEqual(empty)
    await own.close()
    expect((await findLeftBehind(process.pid)).filter((path) => !before.includes(path))).toEqual([])
  })
})

describe.each(['bubblewrap', 'unsandboxed'] as const)('a program, %s,', (mode) => {
  const { innerFolder, runJs, runShell, testRun } = useSandbox({ mode })

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
