import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { PROJECT } from '../packages.ts'

const run = promisify(execFile)

it('a release is refused in a tree with a file that is not committed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'judge-release-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await run('git', ['clone', '--quiet', PROJECT, folder])
  await writeFile(join(folder, 'stray'), '')
  const tsx = join(PROJECT, 'node_modules/tsx/dist/cli.mjs')
  const release = run(process.execPath, [tsx, 'tools/release/main.ts'], { cwd: folder })
  const message = 'Commit or remove these changes first:\n?? stray\n\n'
  await expect(release).rejects.toMatchObject({ code: 1, stderr: message })
})
