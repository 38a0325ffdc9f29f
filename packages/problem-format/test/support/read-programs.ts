import { expect } from 'vitest'
import { Warnings } from '../../src/package/package-files.ts'
import type { FormatVersion } from '../../src/package/package-problem.ts'
import { readPrograms } from '../../src/submissions/submissions.ts'
import { packageFiles } from './package-files.ts'
import { latest } from './read-package.ts'

export const YAML = 'submissions/submissions.yaml'

type Options = { readonly format?: FormatVersion; readonly isScoring?: boolean }

/** The programs of a package, with the warnings. */
export async function readProgramsOf(
  contents: Record<string, string | Buffer>,
  { format = '2025-09', isScoring }: Options = {},
) {
  const warnings = new Warnings()
  const type = isScoring ? (['scoring'] as const) : latest.type
  const tests = [{ name: 'sample/1' }, { name: 'secret/1' }, { name: 'secret/group1/1' }]
  const programs = await readPrograms(packageFiles(contents), { ...latest, format, type }, warnings, tests)
  return { programs, warnings: warnings.list }
}

/** The rules and the text of the only program. */
export async function readOne(path: string, source: string, options: Options = {}, yaml?: string) {
  const contents = { [path]: source, ...(yaml && { [YAML]: yaml }) }
  const { programs, warnings } = await readProgramsOf(contents, options)
  expect(programs).toHaveLength(1)
  return { rules: programs[0]?.rules, expected: programs[0]?.expected, warnings }
}
