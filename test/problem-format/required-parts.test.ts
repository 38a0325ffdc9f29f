import { expect, it } from 'vitest'
import { Warnings } from '../../src/problem-format/package-files.ts'
import { warnOfMissingPrograms } from '../../src/problem-format/required-parts.ts'
import { packageFiles } from '../support/package-files.ts'

function warningsOf(...paths: string[]): string[] {
  const warnings = new Warnings()
  const files = packageFiles(Object.fromEntries(paths.map((path) => [path, ''])))
  warnOfMissingPrograms(files, warnings)
  return warnings.list.map(({ file, message }) => `${file}: ${message}`)
}

it.each(['input_validators', 'input_format_validators'])(
  'a package with an accepted program and a program in %s has what the format requires',
  (folder) => {
    expect(warningsOf('submissions/accepted/a.py', `${folder}/check.py`)).toEqual([])
  },
)

it('warns of a package without an accepted program, and without an input validator', () => {
  expect(warningsOf('submissions/wrong_answer/a.py', 'output_validator/check.py')).toEqual([
    'submissions/accepted: the package has no accepted program: the format requires one',
    'input_validators: the package has no input validator: the format requires one',
  ])
})
