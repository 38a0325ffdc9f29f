import { isDeepStrictEqual } from 'node:util'
import { expandConstants } from '../package/constants.ts'
import { MAX_PROGRAM_BYTES, MAX_PROGRAM_FILES, type Validation } from '../package/judging-options.ts'
import {
  decodeText,
  filesIn,
  isHidden,
  keepMark,
  makeTextFile,
  OUTPUT_VALIDATOR_FOLDERS,
  PackageError,
  type PackageFile,
  type PackageFiles,
  readText,
  type Warnings,
} from '../package/package-files.ts'
import { isLegacy, type PackageMetadata } from '../package/package-problem.ts'
import { argumentsError, type OutputFlags } from '../test-data/validator-arguments.ts'
import {
  describeProgram,
  explainDefaultFlags,
  languageOfFile,
  type ProgramFile,
} from './validator-program.ts'

type Metadata = Pick<PackageMetadata, 'format' | 'type' | 'has_custom_validator' | 'constants'>

/** A program of a package: the files below a folder, or one file and the headers beside it. */
interface Program {
  readonly folder: string
  readonly files: readonly PackageFile[]
}

const [FOLDER, LEGACY_FOLDER] = OUTPUT_VALIDATOR_FOLDERS

/** Reads how outputs are judged, without the flags of test cases. Throws `PackageError`. */
export async function readOutputValidator(
  files: PackageFiles,
  metadata: Metadata,
  flags: OutputFlags,
  warnings: Warnings,
): Promise<Validation> {
  const program = findProgram(files, metadata, warnings)
  if (program === undefined) {
    checkDefaultFlags(flags)
    return { type: 'default', flags: flags.text }
  }
  return {
    type: metadata.type.includes('interactive') ? 'interactive' : 'custom',
    ...(flags.text !== '' && { flags: flags.text }),
    ...describeProgram(program.folder, await readProgram(program, metadata, warnings)),
  }
}

function checkDefaultFlags(flags: OutputFlags): void {
  for (const args of [flags, ...flags.others]) {
    const fault = explainDefaultFlags(args.text)
    if (fault !== undefined) throw argumentsError(args, fault)
  }
}

/**
 * Writes a validator to `output_validator/`, without its flags; no files for the default one.
 * `isExact` is false if the package alone leads to another one, for example to other commands.
 */
export function writeOutputValidator(validation: Validation) {
  const { type, files = [], protocol, language, build, run } = validation
  if (type === 'default') return { files: [], isExact: true }
  const write = ({ name, content }: ProgramFile) => ({
    path: `${FOLDER}/${name}`,
    content: keepMark(content),
  })
  const expected = { files, language, build, run }
  return { files: files.map(write), isExact: protocol === undefined && isReadAs(files, expected) }
}

/**
 * Reads files of `output_validator/` by their names, without a look at the program: for exports
 * that state the exact validator. Throws `PackageError` for a missing file.
 */
export async function readValidatorFiles(
  files: PackageFiles,
  names: readonly string[],
): Promise<ProgramFile[]> {
  const found = names.map((name) => {
    const path = `${FOLDER}/${name}`
    const file = files.get(path)
    if (file === undefined) throw new PackageError(path, 'the output validator has no such file')
    return file
  })
  return readProgram({ folder: FOLDER, files: found })
}

/** True if the files of a 2025-09 package are read as this program. */
function isReadAs(files: readonly ProgramFile[], expected: unknown): boolean {
  try {
    const packed = files.map(({ name, content }) => makeTextFile(`${FOLDER}/${name}`, content))
    packed.sort((a, b) => (a.path < b.path ? -1 : 1))
    const program = takeProgram(new Map(packed.map((file) => [file.path, file])), FOLDER)
    if (program?.folder !== FOLDER || program.files.length < files.length) return false
    const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1))
    const isText = files.every(({ name, content }) => decodeText(name, Buffer.from(content)) === content)
    const { language, build, run, files: read } = describeProgram(FOLDER, sorted)
    return isText && isDeepStrictEqual({ files: read, language, build, run }, expected)
  } catch (err) {
    if (err instanceof PackageError) return false
    throw err
  }
}

/** The program of the package; undefined if the default validator judges. */
function findProgram(files: PackageFiles, metadata: Metadata, warnings: Warnings): Program | undefined {
  const isOld = isLegacy(metadata)
  const folders = isOld ? [LEGACY_FOLDER, FOLDER] : [FOLDER, LEGACY_FOLDER]
  const present = folders.filter((folder) => filesIn(files, folder).length > 0)
  const isUsed = !isOld || metadata.has_custom_validator === true || metadata.type.includes('interactive')
  const [used] = isUsed ? present : []
  for (const folder of present) {
    if (folder === used) continue
    const reason = isUsed ? `${used} is used` : 'validation in problem.yaml is not custom'
    warnings.add(folder, `the validator is not used: ${reason}`)
  }
  return used === undefined ? undefined : takeProgram(files, used)
}

/**
 * The program in a folder: its files, or its only folder. In `output_validators/`, each source file
 * and each folder is a program. Throws `PackageError` unless there is exactly one.
 */
function takeProgram(files: PackageFiles, folder: string): Program | undefined {
  const all = filesIn(files, folder).filter(({ path }) => !isHidden(path) && !path.includes('/__pycache__/'))
  const isDirect = ({ path }: PackageFile) => !path.slice(folder.length + 1).includes('/')
  const direct = all.filter(isDirect)
  const nested = all.filter((file) => !isDirect(file))
  const folders = [...new Set(nested.map(({ path }) => folderOf(path, folder)))]
  const sources = direct.filter(({ path }) => languageOfFile(path) ?? /\/(?:build|run)$/.test(path))
  const [first] = folders
  const beside = folder === FOLDER ? direct : sources
  if (beside.length === 0 && first !== undefined && folders.length === 1)
    return { folder: first, files: all.filter(({ path }) => path.startsWith(`${first}/`)) }
  if (folder === FOLDER) return { folder, files: all }
  if (sources.length + folders.length > 1) {
    const names = [...sources.map(({ path }) => path), ...folders].join(', ')
    throw new PackageError(folder, `only one output validator is supported: ${names}`)
  }
  return { folder, files: direct }
}

/** The folder directly below `folder`, for a file in it. */
const folderOf = (path: string, folder: string) =>
  `${folder}/${path.slice(folder.length + 1).split('/', 1)[0] ?? ''}`

/** Reads the files one after the other, so that too many bytes are never in memory. */
async function readProgram(
  { folder, files }: Program,
  settings: Pick<Metadata, 'constants'> = {},
  warnings?: Warnings,
): Promise<ProgramFile[]> {
  const texts: ProgramFile[] = []
  let bytes = 0
  for (const file of files) {
    const { path } = file
    if (texts.length === MAX_PROGRAM_FILES)
      throw new PackageError(folder, `a program must have at most ${MAX_PROGRAM_FILES} files`)
    const content =
      bytes + file.bytes > MAX_PROGRAM_BYTES ? '' : expandConstants(path, await readText(file), settings)
    bytes += Math.max(file.bytes, Buffer.byteLength(content))
    if (bytes > MAX_PROGRAM_BYTES)
      throw new PackageError(folder, `a program must have at most ${MAX_PROGRAM_BYTES} bytes together`)
    if (path.endsWith('.py') && /^#!.*python2/.test(content))
      warnings?.add(path, 'the program is for Python 2, but runs with Python 3', 1)
    texts.push({ name: path.slice(folder.length + 1), content })
  }
  return texts
}
