import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import { missing, testUnless } from '../support/requirements.ts'
import { MIB, noBubblewrap, useSandbox } from '../support/use-sandbox.ts'
import { readProgram } from './judge-hostile.ts'
import { findBelongings } from './traces.ts'

const PROGRAM = 'fill-folder.pl'
const limits = { memoryBytes: 1024 * MIB, fileBytes: 256 * MIB, processes: 64 }
const testFolder = testUnless(noBubblewrap ?? missing('/usr/bin/perl'))

const opened = useSandbox({ mode: 'bubblewrap' }, noBubblewrap)
let atStart: readonly string[]
beforeAll(() => {
  atStart = findBelongings()
})

const attacks = {
  bytes: 'more bytes than its limit',
  files: 'more files than its limit',
  nested: 'folders nested deeper than the longest path',
  closed: 'folders without permissions',
}

for (const [kind, description] of Object.entries(attacks)) {
  testFolder(`a program folder takes ${description}, and is removed`, async () => {
    const { sandbox, run } = opened
    const folder = await sandbox.createFolder()
    await writeFile(join(folder, 'main.pl'), await readProgram(PROGRAM))
    const argv: [string, ...string[]] = ['/usr/bin/perl', '/app/main.pl', kind]
    const result = await run(argv, limits, { folder, writable: true })
    expect([result.stdout.toString(), result.exceeded]).toEqual(['done\n', undefined])
    await sandbox.removeFolder(folder)
    await expect.poll(() => existsSync(folder)).toBe(false)
    await expect.poll(() => findBelongings().filter((item) => !atStart.includes(item))).toEqual([])
  })
}
