import { filesIn, type PackageFiles, type Warnings } from './package/package-files.ts'

const VALIDATORS = ['input_validators', 'input_format_validators']

/** Warns about programs that the format requires, if the package does not have them. */
export function warnOfMissingPrograms(files: PackageFiles, warnings: Warnings): void {
  if (filesIn(files, 'submissions/accepted').length === 0)
    warnings.add('submissions/accepted', 'the package has no accepted program: the format requires one')
  if (VALIDATORS.every((folder) => filesIn(files, folder).length === 0))
    warnings.add('input_validators', 'the package has no input validator: the format requires one')
}
