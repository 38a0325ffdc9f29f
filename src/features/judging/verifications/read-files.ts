import { expandConstants } from '@judge-data-layer/problem-format/constants'
import { MAX_PROGRAM_BYTES, MAX_PROGRAM_FILES } from '@judge-data-layer/problem-format/judging-options'
import { PackageError, type PackageFile } from '@judge-data-layer/problem-format/package-files'
import type { StoredMetadata } from '@judge-data-layer/problem-format/read-package'
import type { ProgramFile } from '@judge-data-layer/problem-format/validator-program'

/** Files of a program or validator at `path`. */
export interface ProgramFiles {
  readonly path: string
  /** The folder around the files. */
  readonly folder: string
  readonly files: readonly PackageFile[]
}

/** The size of files in bytes. */
export const sizeOf = (files: readonly PackageFile[]) => files.reduce((sum, file) => sum + file.bytes, 0)

/** The texts of the files by name. Throws `PackageError` if they are too many or too large. */
export async function readFiles({ path, folder, files }: ProgramFiles, metadata: StoredMetadata) {
  const most = `${MAX_PROGRAM_FILES} files of at most ${MAX_PROGRAM_BYTES} bytes together`
  const tooLarge = () => new PackageError(path, `a program may have ${most}`)
  if (files.length > MAX_PROGRAM_FILES || sizeOf(files) > MAX_PROGRAM_BYTES) throw tooLarge()
  const read: ProgramFile[] = []
  let bytes = 0
  for (const file of files) {
    const content = await readSource(file, metadata)
    // Constants can be longer than their names.
    bytes += Buffer.byteLength(content)
    if (bytes > MAX_PROGRAM_BYTES) throw tooLarge()
    read.push({ name: file.path.slice(folder.length + 1), content })
  }
  return read.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * The text of a source, as a contestant would have to submit it, with the package's constants.
 * Throws `PackageError` if it gets very long.
 */
export async function readSource(file: PackageFile, metadata: StoredMetadata): Promise<string> {
  const text = (await file.read())
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '\uFFFD')
  return expandConstants(file.path, text, metadata)
}
