import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { silentLogger } from '../../src/logger.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Limits, RunRequest, Sandbox } from '../../src/sandbox/sandbox.ts'
import { missing, testUnless } from '../support/requirements.ts'
import { missingSandbox } from '../support/sandboxes.ts'
import { readProgram } from './judge-hostile.ts'
import { findBelongings } from './traces.ts'

const PROGRAM = 'fill-folder.pl'
const MIB = 2 ** 20
const limits: Limits = {
  wallMs: 300_000,
  cpuMs: 60_000,
  memoryBytes: 1024 * MIB,
  outputBytes: MIB,
  fileBytes: 256 * MIB,
  processes: 64,
}
const noBubblewrap = await missingSandbox('bubblewrap')
const testFolder = testUnless(noBubblewrap ?? missing('/usr/bin/perl'))

let sandbox: Sandbox
let atStart: readonly string[]

beforeAll(async () => {
  if (noBubblewrap !== undefined) return
  sandbox = await openSandbox({ mode: 'bubblewrap', logger: silentLogger })
  atStart = findBelongings()
})
afterAll(() => sandbox?.close())

function run(folder: string, changes: Partial<RunRequest>) {
  const argv = ['/usr/bin/perl', '/app/main.pl'] as const
  return sandbox.run({ argv, folder, writable: false, stdin: '', environment: {}, limits, ...changes })
}

const attacks = {
  bytes: 'more bytes than its limit',
  files: 'more files than its limit',
  nested: 'folders nested deeper than the longest path',
  closed: 'folders without permissions',
}

for (const [kind, description] of Object.entries(attacks)) {
  testFolder(`a program folder takes ${description}, and is removed`, async () => {
    const folder = await sandbox.createFolder()
    await writeFile(join(folder, 'main.pl'), await readProgram(PROGRAM))
    const result = await run(folder, { writable: true, argv: ['/usr/bin/perl', '/app/main.pl', kind] })
    expect([result.stdout.toString(), result.exceeded]).toEqual(['done\n', undefined])
    await sandbox.removeFolder(folder)
    await expect.poll(() => existsSync(folder)).toBe(false)
    await expect.poll(() => findBelongings().filter((item) => !atStart.includes(item))).toEqual([])
  })
}

testFolder('a running program can change neither its folder nor its files', async () => {
  const folder = await sandbox.createFolder()
  await writeFile(join(folder, 'main.pl'), 'print "unchanged\\n"')
  const attack =
    'open F, ">>", "/app/main.pl"; print F "die"; unlink "/app/main.pl"; mkdir "/app/new"; chmod 0, "/app"'
  expect(await run(folder, { argv: ['/usr/bin/perl', '-e', attack] })).toMatchObject({ exitCode: 0 })
  expect((await run(folder, {})).stdout.toString()).toBe('unchanged\n')
  await sandbox.removeFolder(folder)
})
