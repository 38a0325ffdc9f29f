import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { silentLogger } from '../../src/logger.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Limits, Sandbox } from '../../src/sandbox/sandbox.ts'
import { missing, testUnless } from '../support/requirements.ts'
import { MIB, noBubblewrap, limits as usualLimits } from '../support/use-sandbox.ts'
import { readProgram } from './judge-hostile.ts'
import { findBelongings } from './traces.ts'

const PROGRAM = 'fill-folder.pl'
const limits: Limits = {
  ...usualLimits,
  ...{ memoryBytes: 1024 * MIB, fileBytes: 256 * MIB, processes: 64 },
}
const testFolder = testUnless(noBubblewrap ?? missing('/usr/bin/perl'))

let sandbox: Sandbox
let atStart: readonly string[]

beforeAll(async () => {
  if (noBubblewrap !== undefined) return
  sandbox = await openSandbox({ mode: 'bubblewrap', logger: silentLogger })
  atStart = findBelongings()
})
afterAll(() => sandbox?.close())

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
    const result = await sandbox.run({
      ...{ argv: ['/usr/bin/perl', '/app/main.pl', kind], folder, writable: true },
      ...{ stdin: '', environment: {}, limits },
    })
    expect([result.stdout.toString(), result.exceeded]).toEqual(['done\n', undefined])
    await sandbox.removeFolder(folder)
    await expect.poll(() => existsSync(folder)).toBe(false)
    await expect.poll(() => findBelongings().filter((item) => !atStart.includes(item))).toEqual([])
  })
}
