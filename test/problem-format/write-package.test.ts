import { expect, it } from 'vitest'
import { Warnings } from '../../src/problem-format/package-files.ts'
import { readPackage } from '../../src/problem-format/read-package.ts'
import { type ExportedProblem, writePackage } from '../../src/problem-format/write-package.ts'
import { packageFiles } from '../support/package-files.ts'

const YAML = `problem_format_version: 2025-09
name: {en: Sums, da: Summer, fi: Summat}
uuid: 8c2b7c39-9f32-4f4e-8a49-0d8c5e2a7b10
constants: {n: 5}
`

/** An export of a package that was imported and then changed. */
async function exportPackage(
  contents: Readonly<Record<string, string>>,
  changes: Partial<ExportedProblem> = {},
) {
  const tests = { 'data/secret/1.in': '1\n', 'data/secret/1.ans': '1\n' }
  const files = packageFiles({ 'problem.yaml': YAML, ...tests, ...contents })
  const read = await readPackage(files, undefined, new Warnings())
  const written = await writePackage({
    ...read,
    ...{ id: 1, prompt: read.prompt ?? '', hasOwnStatements: true, difficulty: 'MEDIUM', timeout: null },
    ...{ upload_date: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', categories: [] },
    tests: read.tests.map((test) => ({ ...test, hint: null, description: null })),
    files: read.files.map(({ path, file }) => ({ ...file, path })),
    ...changes,
  })
  const warnings = new Warnings()
  const again = await readPackage(written, undefined, warnings)
  return { again, warnings: warnings.list.map(({ message }) => message) }
}

it('an export names exactly the languages that have a statement', async () => {
  const contents = {
    'statement/problem.en.md': 'E',
    'statement/problem.da.md': 'D',
    'statement/problem.sv.md': 'S',
  }
  const { again, warnings } = await exportPackage(contents, { title: 'New' })
  expect(again.metadata.names).toEqual({ da: 'Summer', en: 'New', sv: 'Sums' })
  expect(warnings.filter((message) => message.startsWith('name '))).toEqual([])
})

it('an export keeps an edited prompt that has names of constants', async () => {
  const contents = { 'statement/problem.en.md': 'At most {{n}}.' }
  const prompt = 'Print {{n}}.'
  const { again } = await exportPackage(contents, { prompt, hasOwnStatements: false })
  expect(again.prompt).toBe(prompt)
})

it('a folder that is not a package is refused as such', async () => {
  const files = packageFiles({ 'notes.txt': 'x' })
  await expect(readPackage(files, undefined, new Warnings())).rejects.toThrow(
    'the package: it has no problem.yaml and no data/: is it a package?',
  )
})
