import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { silentLogger } from '../src/logger.ts'
import { openSandbox } from '../src/sandbox/open-sandbox.ts'
import type { Limits, RunResult, Sandbox } from '../src/sandbox/sandbox.ts'
import { findProcesses } from './support/processes.ts'
import { testUnless } from './support/requirements.ts'
import { missingSandbox } from './support/sandboxes.ts'

const MIB = 2 ** 20
const limits: Limits = {
  wallMs: 10_000,
  cpuMs: 5000,
  memoryBytes: 128 * MIB,
  outputBytes: MIB,
  fileBytes: MIB,
  processes: 48,
}

const noBubblewrap = await missingSandbox('bubblewrap')
if (noBubblewrap) console.warn(`The tests of programs in bubblewrap are left out: ${noBubblewrap}.`)
const noProc = existsSync('/proc/self/stat') ? undefined : 'this system has no /proc'

const kinds = [
  { name: 'bubblewrap, with control groups where they can be written', mode: 'bubblewrap', cgroups: true },
  { name: 'bubblewrap, without control groups', mode: 'bubblewrap', cgroups: false },
  { name: 'unsandboxed, with control groups where they can be written', mode: 'unsandboxed', cgroups: true },
  { name: 'unsandboxed, without control groups', mode: 'unsandboxed', cgroups: false },
] as const

describe.each(kinds)('$name', ({ mode, cgroups }) => {
  const isolated = mode === 'bubblewrap'
  const testRun = testUnless(isolated ? noBubblewrap : undefined)
  const testMeasured = testUnless(isolated ? noBubblewrap : noProc)
  const testIsolated = testUnless(isolated ? noBubblewrap : 'nothing is isolated in this mode')
  const options = { mode, cgroups, allowWeakIsolation: !cgroups, logger: silentLogger }
  let sandbox: Sandbox
  let folder: string

  beforeAll(async () => {
    if (isolated && noBubblewrap !== undefined) return
    sandbox = await openSandbox(options)
    folder = await sandbox.createFolder()
  })
  afterAll(() => sandbox?.close())

  function run(
    argv: [string, ...string[]],
    changes: Partial<Limits> = {},
    more: { stdin?: string; writable?: boolean; signal?: AbortSignal } = {},
  ) {
    const stdin = more.stdin ?? ''
    return sandbox.run({
      argv,
      folder,
      writable: more.writable ?? false,
      stdin,
      environment: {},
      limits: { ...limits, ...changes },
      signal: more.signal,
    })
  }
  const runJs = (code: string, changes?: Partial<Limits>, stdin?: string) =>
    run([process.execPath, '-e', code], changes, stdin === undefined ? {} : { stdin })
  const runShell = (code: string, changes?: Partial<Limits>) => run(['/bin/sh', '-c', code], changes)
  const out = (result: RunResult) => result.stdout.toString()

  testRun('hands over stdin, stdout, stderr and the exit code', async () => {
    const result = await runJs(
      `process.stdin.pipe(process.stdout); console.error('err'); process.exitCode = 3`,
      {},
      'in €\n',
    )
    expect(result).toMatchObject({ exitCode: 3, signal: undefined, exceeded: undefined })
    expect([out(result), result.stderr.toString()]).toEqual(['in €\n', 'err\n'])
    expect(result.wallMs).toBeGreaterThan(1)
  })

  testRun('lets a program open /dev/stdin, and read a megabyte of it', async () => {
    const stdin = 'x'.repeat(MIB)
    const code = `console.log(require('fs').readFileSync('/dev/stdin').length, require('fs').readFileSync(0).length)`
    expect(out(await runJs(code, {}, stdin))).toBe(`${MIB} ${MIB}\n`)
  })

  testRun('stops a program that sleeps, at the wall-clock limit', async () => {
    const result = await runJs('setTimeout(() => {}, 1e6)', { wallMs: 400 })
    expect(result.exceeded).toBe('time')
    expect(result.wallMs).toBeLessThan(3000)
  })

  testMeasured('stops a program that spins, at the CPU limit', async () => {
    const result = await runJs('for (;;);', { cpuMs: 300 })
    expect(result.exceeded).toBe('time')
    expect(result.cpuMs).toBeGreaterThanOrEqual(300)
    // The kernel's own limit, in whole seconds, would come later.
    expect(result.cpuMs).toBeLessThan(1500)
  })

  testMeasured('counts the CPU time of children too', async () => {
    const result = await runJs(`require('child_process').spawnSync(process.execPath, ['-e', 'for (;;);'])`, {
      cpuMs: 300,
    })
    expect(result.exceeded).toBe('time')
  })

  testMeasured('stops a program that takes too much memory, in one process or in several', async () => {
    const hoard = `const all = []; while (all.length < SIZE) all.push(Buffer.alloc(1e6, 1)); setTimeout(() => {}, 1e6)`
    const alone = await runJs(hoard.replace('SIZE', '500'))
    expect(alone.exceeded).toBe('memory')
    const child = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(hoard.replace('SIZE', '60'))}])`
    const together = await runJs(`${child};${child};${child}`)
    expect(together.exceeded).toBe('memory')
  })

  testMeasured('does not count memory that is only reserved', async () => {
    const result = await runJs(
      `new WebAssembly.Memory({ initial: 1, maximum: 65536 }); console.log(new ArrayBuffer(3e9).byteLength)`,
    )
    expect([out(result), result.exceeded]).toEqual(['3000000000\n', undefined])
  })

  testRun('stops a program that prints too much, and keeps what fits', async () => {
    const toStdout = await runJs(`for (;;) require('fs').writeSync(1, 'x'.repeat(1000))`)
    expect([toStdout.exceeded, toStdout.stdout.length]).toEqual(['output', MIB])
    const toStderr = await runJs(`for (;;) require('fs').writeSync(2, 'x'.repeat(1000))`)
    expect([toStderr.exceeded, toStderr.stderr.length]).toEqual(['output', MIB])
  })

  testRun('lets a program print exactly the limit', async () => {
    const result = await runJs(`process.stdout.write('x'.repeat(${MIB}))`)
    expect([result.exceeded, result.stdout.length, result.exitCode]).toEqual([undefined, MIB, 0])
  })

  testRun('keeps a file that a program writes to its limit', async () => {
    const result = await runJs(`require('fs').writeFileSync('file', 'x'.repeat(${2 * MIB}))`)
    expect(result.exitCode).not.toBe(0)
  })

  testRun('names the signal of a crash', async () => {
    const result = await runJs('process.abort()')
    expect(result).toMatchObject({ exitCode: undefined, signal: 'SIGABRT', exceeded: undefined })
  })

  testRun('gives a program the memory as its stack', async () => {
    const deep = `const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); console.log(f(200000))`
    const result = await run([process.execPath, '--stack-size=50000', '-e', deep])
    expect(out(result)).toBe('200000\n')
  })

  testMeasured('leaves no process behind, however it was detached', async () => {
    const mark = makeMark()
    const detach = `setsid sh -c 'setsid sleep ${mark} & sleep ${mark}' & sleep ${mark} & echo started`
    const options = `{ detached: true, stdio: ['ignore', 'inherit', 'ignore'] }`
    const result = await runJs(
      `require('child_process').spawn('sh', ['-c', ${JSON.stringify(detach)}], ${options}).on('exit', () => process.exit(0))`,
    )
    expect([result.exitCode, out(result)]).toEqual([0, 'started\n'])
    expect(findProcesses(mark)).toEqual([])
  })

  testRun('ends a run when it is told to', async () => {
    const controller = new AbortController()
    const mark = makeMark()
    const running = run(
      [process.execPath, '-e', `setTimeout(() => {}, 1e6) // ${mark}`],
      {},
      { signal: controller.signal },
    )
    setImmediate(() => controller.abort(new Error('told to')))
    await expect(running).rejects.toThrow('told to')
    expect(findProcesses(mark)).toEqual([])
  })

  testRun('starts each run in an empty folder of its own', async () => {
    const write = `const fs = require('fs'); fs.writeFileSync('left', ''); fs.writeFileSync(os.tmpdir() + '/left', '')`
    expect((await runJs(write)).exitCode).toBe(0)
    const look = `const fs = require('fs'); console.log(JSON.stringify([fs.readdirSync('.'), fs.readdirSync(os.tmpdir())]))`
    expect(JSON.parse(out(await runJs(look)))).toEqual([[], []])
  })

  testRun('keeps what is written to the program folder while it is writable', async () => {
    const written = await run(['/bin/sh', '-c', 'echo compiled > result'], {}, { writable: true })
    expect(written.exitCode).toBe(0)
    expect(out(await runShell(`cat ${sandbox.innerPath(folder)}/result`))).toBe('compiled\n')
  })

  testRun('gives nothing of the worker’s environment to a program', async () => {
    process.env.JUDGE_TEST_SECRET = 'secret-of-the-worker'
    const result = await runJs('console.log(JSON.stringify(process.env))')
    delete process.env.JUDGE_TEST_SECRET
    expect(Object.keys(JSON.parse(out(result)))).toEqual(expect.arrayContaining(['PATH', 'HOME', 'LANG']))
    expect(out(result)).not.toContain('secret-of-the-worker')
  })

  testIsolated('bounds a fork bomb and leaves nothing of it', async () => {
    const mark = makeMark()
    const result = await runShell(`bomb() { bomb | bomb & }; bomb & exec sleep ${mark}`, { wallMs: 700 })
    expect(result.exceeded).toBe('time')
    expect(findProcesses(mark)).toEqual([])
  })

  testIsolated('lets a program start no more processes than the limit', async () => {
    const result = await runShell('for i in $(seq 200); do sleep 20 & done; echo all')
    expect([result.exitCode === 0, out(result)]).toEqual([false, ''])
  })

  testIsolated('has no network, not even the machine’s own', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const connect = `require('net').connect(${port}, '127.0.0.1').on('connect', () => console.log('reached')).on('error', (err) => console.log(err.code))`
    expect(out(await runJs(connect))).toBe('ECONNREFUSED\n')
    // The filter refuses the sockets by which interfaces are listed.
    const list = `try { console.log(Object.keys(os.networkInterfaces())) } catch (err) { console.log(Math.abs(err.info.errno)) }`
    expect(out(await runJs(list))).toBe('1\n')
    await new Promise((resolve) => server.close(resolve))
  })

  testIsolated('cannot read the machine’s files', async () => {
    const secretFolder = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
    const secret = join(secretFolder, 'secret')
    await writeFile(secret, 'secret', { mode: 0o644 })
    const paths = [
      secret,
      '/etc/passwd',
      '/etc/shadow',
      '/etc/hostname',
      '/root',
      '/home',
      '/var/log',
      '/var/tmp',
      '/sys',
      '/run',
      import.meta.filename,
    ]
    const look = `const fs = require('fs'); for (const path of ${JSON.stringify(paths)}) if (fs.existsSync(path)) console.log(path)`
    expect(out(await runJs(look))).toBe('')
    await rm(secretFolder, { recursive: true })
  })

  testIsolated('cannot write anywhere but to its own folders', async () => {
    const attempt = `const fs = require('fs'); for (const path of ['/', '/usr/', '/usr/local/', '/etc/', '/dev/', '/proc/', '/app/', '/lib/', '/bin/', '/dev/shm/', '/tmp/', '/box/']) {
      try { fs.writeFileSync(path + 'written', ''); console.log(path) } catch {} }`
    expect(out(await runJs(attempt))).toBe('/dev/shm/\n/tmp/\n/box/\n')
    expect(existsSync('/usr/written') || existsSync('/tmp/written')).toBe(false)
  })

  testIsolated('cannot fill its private file systems beyond the memory limit', async () => {
    const fill = `const fs = require('fs'); for (let i = 0; i < 400; i++) fs.writeFileSync('/tmp/' + i, Buffer.alloc(1e6))`
    const result = await runJs(fill)
    expect(result.exceeded === 'memory' || result.exitCode !== 0).toBe(true)
  })

  testIsolated('runs without privileges, as nobody, and sees no other process', async () => {
    const status = `const fs = require('fs'); console.log(process.getuid(), process.getgid(), fs.readdirSync('/proc').filter(Number).length,
      fs.readFileSync('/proc/self/status', 'utf8').match(/^(Cap(Eff|Prm|Bnd)|NoNewPrivs):.*/gm).map((line) => line.split(/\\s+/)[1]).join(' '))`
    const result = await runJs(status)
    expect(out(result)).toMatch(/^65534 65534 \d 0{16} 0{16} 0{16} 1\n$/)
  })

  testIsolated('cannot become root or make namespaces of its own', async () => {
    const result = await runShell(
      'unshare -Ur id -u; chroot / id -u; mount -t tmpfs none /tmp && echo mounted',
    )
    expect(out(result)).toBe('')
    expect(result.exitCode).not.toBe(0)
  })

  testIsolated('has a terminal neither to read nor to write', async () => {
    expect(out(await runShell('echo x > /dev/tty && echo written'))).toBe('')
  })

  testRun('leaves no file and no control group behind', async () => {
    const before = await listWorkspaces()
    const groups = await listOwnCgroups()
    const own = await openSandbox(options)
    const [root = ''] = (await listWorkspaces()).filter((path) => !before.includes(path))
    const ownFolder = await own.createFolder()
    const empty = await readdir(root)
    await own.run({
      argv: ['/bin/sh', '-c', 'exit 0'],
      folder: ownFolder,
      writable: false,
      stdin: '',
      environment: {},
      limits,
    })
    expect(await readdir(root)).toEqual(empty)
    await own.close()
    expect(existsSync(root)).toBe(false)
    expect(await listOwnCgroups()).toEqual(groups)
  })
})

/** A number of seconds that no other command line has in it. */
function makeMark(): string {
  return `3${randomInt(1e9, 1e10)}`
}

/** The folders that this process has for its sandboxes. */
async function listWorkspaces(): Promise<string[]> {
  const names = await readdir(tmpdir())
  const own = names.filter((name) => name.startsWith('judge-worker-') && name.includes(`-${process.pid}-`))
  return own.map((name) => join(tmpdir(), name))
}

/** The control groups that this process has made and not removed. */
async function listOwnCgroups(): Promise<string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  const mounts = text
    .split('\n')
    .filter((line) => / - cgroup2? /.test(line))
    .map((line) => line.split(' ')[4] ?? '')
  const found = await Promise.all(mounts.map((mount) => readdir(mount, { recursive: true }).catch(() => [])))
  return found
    .flat()
    .filter(
      (name) => name.includes(`judge-worker-${process.pid}-`) && !name.endsWith('procs') && /\d$/.test(name),
    )
}
