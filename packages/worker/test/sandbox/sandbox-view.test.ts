import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { testUnless } from '../support/requirements.ts'
import { missingSandbox } from '../support/sandboxes.ts'
import { listen } from '../support/unusable-servers.ts'
import { MIB, readOutput, useSandbox } from '../support/use-sandbox.ts'

const noBubblewrap = await missingSandbox('bubblewrap')

describe.each(['bubblewrap', 'unsandboxed'] as const)('a program, %s,', (mode) => {
  const isIsolated = mode === 'bubblewrap'
  const obstacle = isIsolated ? noBubblewrap : undefined
  const testRun = testUnless(obstacle)
  const testIsolated = testUnless(isIsolated ? noBubblewrap : 'this mode isolates nothing')
  const { innerFolder, runJs, runShell } = useSandbox({ mode }, obstacle)

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

  testIsolated('has no network, not even the machine’s own', async () => {
    const server = createServer()
    const port = await listen(server)
    const connect = `require('net').connect(${port}, '127.0.0.1').on('connect', () => console.log('reached')).on('error', (err) => console.log(err.code))`
    expect(readOutput(await runJs(connect))).toBe('ECONNREFUSED\n')
    // The filter refuses the sockets that list interfaces.
    const list = `try { console.log(Object.keys(os.networkInterfaces())) } catch (err) { console.log(Math.abs(err.info.errno)) }`
    expect(readOutput(await runJs(list))).toBe('1\n')
    await new Promise((resolve) => server.close(resolve))
  })

  testIsolated('cannot read the machine’s files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
    const secret = join(folder, 'secret')
    await writeFile(secret, 'secret', { mode: 0o644 })
    const paths = [
      ...[secret, import.meta.filename, '/etc/passwd', '/etc/shadow', '/etc/hostname'],
      ...['/root', '/home', '/var/log', '/var/tmp', '/sys', '/run'],
    ]
    const look = `for path in ${paths.map((path) => `'${path}'`).join(' ')}; do [ ! -e "$path" ] || echo "$path"; done`
    expect(readOutput(await runShell(look))).toBe('')
    await rm(folder, { recursive: true })
  })

  testIsolated('can write only to its own folders', async () => {
    const folders = '/ /usr/ /usr/local/ /etc/ /dev/ /proc/ /app/ /lib/ /bin/ /dev/shm/ /tmp/ /box/'
    const write = `for folder in ${folders}; do touch "$folder"written 2>/dev/null && echo "$folder"; done`
    expect(readOutput(await runShell(write))).toBe('/dev/shm/\n/tmp/\n/box/\n')
    expect(existsSync('/usr/written') || existsSync('/tmp/written')).toBe(false)
  })

  testIsolated('runs as nobody without privileges and sees no other process', async () => {
    const status = `const fs = require('fs'); console.log(process.getuid(), process.getgid(), fs.readdirSync('/proc').filter(Number).length,
      fs.readFileSync('/proc/self/status', 'utf8').match(/^(Cap(Eff|Prm|Bnd)|NoNewPrivs):.*/gm).map((line) => line.split(/\\s+/)[1]).join(' '))`
    expect(readOutput(await runJs(status))).toMatch(/^65534 65534 \d 0{16} 0{16} 0{16} 1\n$/)
  })

  testIsolated('cannot become root or make namespaces', async () => {
    const result = await runShell(
      'unshare -Ur id -u; chroot / id -u; mount -t tmpfs none /tmp && echo mounted',
    )
    expect(readOutput(result)).toBe('')
    expect(result.exitCode).not.toBe(0)
  })

  testIsolated('has no terminal', async () => {
    expect(readOutput(await runShell('echo x > /dev/tty && echo written'))).toBe('')
  })
})
