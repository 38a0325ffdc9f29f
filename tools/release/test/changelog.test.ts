import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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
