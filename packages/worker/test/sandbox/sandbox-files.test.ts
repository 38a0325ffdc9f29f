import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { type RunRequest, type Sandbox, SandboxFailure } from '../../src/sandbox/sandbox.ts'
import { testUnless } from '../support/requirements.ts'
import { limits, MIB, noBubblewrap, obstacleTo, readOutput, useSandbox } from '../support/use-sandbox.ts'

const large = { ...limits, outputBytes: 200 * MIB, fileBytes: 200 * MIB }

const own = await makeTemporaryFolder()
let count = 0

/** Writes a file of the worker. */
async function keep(content: string, mode = 0o644): Promise<string> {
  const path = join(own, String(++count))
  await writeFile(path, content)
  await chmod(path, mode)
  return path
}

describe.each(['bubblewrap', 'unsandboxed'] as const)('%s', (mode) => {
  const testIsolated = testUnless(mode === 'bubblewrap' ? noBubblewrap : 'this mode isolates nothing')
  const opened = useSandbox({ mode })
  const { testRun } = opened
  let sandbox: Sandbox
  let folder: string
  let inner: string
  beforeEach(async () => {
    if (obstacleTo(mode) !== undefined) return
    sandbox = opened.sandbox
    folder = await sandbox.createFolder()
    inner = sandbox.innerPath(folder)
  })

  const runShell = (code: string, more: Partial<RunRequest> = {}) =>
    sandbox.run({
      ...{ argv: ['/bin/sh', '-c', code], folder, writable: false },
      ...{ stdin: '', environment: {}, limits, ...more },
    })

  testRun('passes a file as stdin, which programs can read by path but not change', async () => {
    for (const fileMode of [0o644, 0o600]) {
      const file = await keep('kept\n', fileMode)
      const attack =
        'cat; cat /dev/stdin; chmod 777 /dev/stdin; echo new >> /dev/stdin; echo new > /dev/stdin'
      const result = await runShell(`{ ${attack}; } 2>/dev/null`, { stdin: { file } })
      expect(readOutput(result)).toBe('kept\nkept\n')
      const { mode: now, nlink } = await stat(file)
      expect([await readFile(file, 'utf8'), now & 0o777, nlink]).toEqual(['kept\n', fileMode, 1])
    }
  })

  testRun('writes stdout to a new file, not to memory, up to the limit', async () => {
    const outputFile = join(own, `output-${mode}`)
    const result = await runShell('echo to stdout; echo to stderr >&2', { outputFile })
    expect(result).toMatchObject({ exitCode: 0, exceeded: undefined, stdoutBytes: 10 })
    expect([readOutput(result), result.stderr.toString()]).toEqual(['', 'to stderr\n'])
    expect(await readFile(outputFile, 'utf8')).toBe('to stdout\n')
    await expect(runShell('echo', { outputFile })).rejects.toThrow(SandboxFailure)
    await rm(outputFile)
    const endless = await runShell('yes', { outputFile })
    expect([endless.exceeded, endless.stdoutBytes]).toEqual(['output', MIB])
    expect((await stat(outputFile)).size).toBe(MIB)
    expect((await runShell('printf 12345')).stdoutBytes).toBe(5)
    await rm(outputFile)
    const all = await runShell('head -c 100000000 /dev/zero', { outputFile, limits: large })
    expect([all.stdoutBytes, (await stat(outputFile)).size]).toEqual([100_000_000, 100_000_000])
    expect(all.stdout).toHaveLength(0)
    await rm(outputFile)
  })

  testRun('shows files of the worker in the folder during one run', async () => {
    const files = { input: await keep('the input\n'), answer: await keep('the answer\n', 0o600) }
    const read = `cat ${inner}/input ${inner}/answer`
    expect(readOutput(await runShell(read, { files }))).toBe('the input\nthe answer\n')
    expect(await readdir(folder)).toEqual([])
    expect((await runShell(read)).exitCode).not.toBe(0)
    for (const name of ['../input', '.', 'a/b'])
      await expect(runShell(read, { files: { [name]: files.input } })).rejects.toThrow(SandboxFailure)
  })

  testIsolated('lets no program change the files of the worker', async () => {
    const files = { input: await keep('the input\n') }
    const attack =
      'cd /app; echo > input; rm -f input; mv input x; chmod 0 input; touch -d 2001-01-01 input; ln input feedback/'
    await sandbox.makeSubfolder(folder, 'feedback')
    const before = await stat(files.input)
    const writableFolders = ['feedback']
    const result = await runShell(`{ ${attack}; } 2>/dev/null; cat input`, { files, writableFolders })
    expect([readOutput(result), await readdir(join(folder, 'feedback'))]).toEqual(['the input\n', []])
    const { mtimeMs, atimeMs, nlink, mode: now } = await stat(files.input)
    expect({ mtimeMs, atimeMs, nlink, mode: now }).toEqual({
      ...{ mtimeMs: before.mtimeMs, atimeMs: before.atimeMs },
      ...{ nlink: 1, mode: before.mode },
    })
  })

  testRun('gives programs a writable subfolder, which the worker reads and empties', async () => {
    const feedback = await sandbox.makeSubfolder(folder, 'feedback')
    const write = `cd ${inner}/feedback && mkdir -p deep/er && echo text > deep/er/file && chmod 0 deep && echo ok`
    expect(readOutput(await runShell(write, { writableFolders: ['feedback'] }))).toBe('ok\n')
    expect(await readdir(feedback)).toEqual(['deep'])
    expect(await sandbox.makeSubfolder(folder, 'feedback')).toBe(feedback)
    expect(await readdir(feedback)).toEqual([])
    await expect(sandbox.makeSubfolder(folder, '..')).rejects.toThrow(SandboxFailure)
  })

  testIsolated('keeps the rest of the folder read-only, also a subfolder that is not named', async () => {
    await writeFile(join(folder, 'program'), 'unchanged')
    for (const name of ['feedback', 'other']) await sandbox.makeSubfolder(folder, name)
    const attack =
      'cd /app; echo > new; echo > program; echo > other/new; rmdir feedback; mv feedback x; ln -s / feedback2'
    const result = await runShell(`{ ${attack}; } 2>/dev/null; echo > feedback/new && ls * `, {
      writableFolders: ['feedback'],
    })
    expect(readOutput(result)).toBe('program\n\nfeedback:\nnew\n\nother:\n')
    expect(await readFile(join(folder, 'program'), 'utf8')).toBe('unchanged')
  })

  testRun('follows no link that a compiler left in place of a folder or file', async () => {
    const outside = join(own, `outside-${mode}`)
    await mkdir(outside)
    await writeFile(join(outside, 'file'), 'unchanged')
    await symlink(outside, join(folder, 'feedback'))
    await symlink(join(outside, 'file'), join(folder, 'input'))
    await expect(runShell('echo', { writableFolders: ['feedback'] })).rejects.toThrow(SandboxFailure)
    await expect(runShell('echo', { files: { input: await keep('new') } })).rejects.toThrow(SandboxFailure)
    await sandbox.makeSubfolder(folder, 'feedback')
    expect((await stat(join(folder, 'feedback'))).isDirectory()).toBe(true)
    expect(await readdir(outside)).toEqual(['file'])
    expect(await readFile(join(outside, 'file'), 'utf8')).toBe('unchanged')
  })

  testRun('starts a command in the chosen folder', async () => {
    const where = async (more: Partial<RunRequest>) => readOutput(await runShell('pwd', more)).trim()
    expect(await where({ workingFolder: 'program' })).toBe(inner)
    expect(await where({ writable: true })).toBe(inner)
    expect(await where({})).not.toBe(inner)
    expect(await where({ writable: true, workingFolder: 'scratch' })).not.toBe(inner)
  })
})
