import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { readNotes } from '../changelog.ts'
import { PROJECT, readManifest } from '../packages.ts'

const changelog =
  '# Changelog\n\n## [Unreleased]\n\n- Later\n\n## [1.2.0]\n\n### Added\n\n- One\n\n## [1.1.0]\n'

it('finds the notes of a version', () => {
  expect(readNotes(changelog, '1.2.0')).toBe('### Added\n\n- One\n')
})

it('writes links to files of the project as text', () => {
  const linked = changelog.replace('One', '[One](docs/one.md), [two](https://example.org/)')
  expect(readNotes(linked, '1.2.0')).toBe('### Added\n\n- One, [two](https://example.org/)\n')
})

it.each(['1.2', '1.1.0', '2.0.0'])('refuses version %s, which has no notes', (version) => {
  expect(() => readNotes(changelog, version)).toThrow(`CHANGELOG.md has no section for ${version}`)
})

it('CHANGELOG.md has notes of the present version', async () => {
  const text = await readFile(join(PROJECT, 'CHANGELOG.md'), 'utf8')
  expect(readNotes(text, readManifest('.').version)).not.toBe('')
})

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
