import {
  isHidden,
  PackageError,
  type PackageFile,
  type PackageFiles,
  type Warnings,
} from './package/package-files.ts'
import { parseStatementName } from './statements/statement-names.ts'
import type { TestData } from './test-data/test-data.ts'

/** A file of a package that the service stores with the problem. */
export interface StoredFile {
  /** Its path in a 2025-09 package. */
  readonly path: string
  readonly file: PackageFile
  /** The name for solvers; null for files that only admins see. */
  readonly name: string | null
}

const MOST_FILE_BYTES = 64 * 1024 * 1024

/** Folders that are stored, by their names in 2025-09 packages. */
const STORED: Readonly<Record<string, string>> = {
  ...{ statement: 'statement', problem_statement: 'statement', attachments: 'attachments' },
  ...{ submissions: 'submissions', input_validators: 'input_validators', data: 'data' },
  ...{ input_format_validators: 'input_validators', answer_validators: 'answer_validators' },
  ...{ solution: 'solution', generators: 'generators', include: 'include' },
}

/** Solvers see the files of these folders. */
const PUBLIC = ['statement', 'attachments']

/** Other readers read these, and warn of them. */
const READ_ELSEWHERE = ['problem.yaml', 'output_validator', 'output_validators']
const SETTINGS = /^(?:domjudge-problem\.ini|\.timelimit)$/
const NOT_RUN = ['graders', 'static_validator', 'input_visualizer', 'output_visualizer']

const WARNINGS: Readonly<Record<string, string>> = {
  include: 'programs are compiled without the included files',
  ...Object.fromEntries(NOT_RUN.map((name) => [name, 'not imported: the service does not run it'])),
}

/**
 * The files that are stored with a problem beside its tests and validator, sorted by path. Warns
 * once of each other file or folder of the root. Throws `PackageError` for files that are too
 * large, and for two files with one name.
 */
export function planFiles(
  files: PackageFiles,
  { used, shown }: Pick<TestData, 'used' | 'shown'>,
  warnings: Warnings,
): StoredFile[] {
  warnOfOthers(files, warnings)
  warnOfNames(files, warnings)
  const shownPaths = new Set(shown.map(({ path }) => path))
  const isStored = (path: string) => !used.has(path) || shownPaths.has(path)
  const planned = new Map<string, PackageFile>()
  for (const { path, file } of findCandidates(files)) {
    if (!isStored(file.path)) continue
    if (file.bytes > MOST_FILE_BYTES)
      throw new PackageError(file.path, `a file must have at most ${MOST_FILE_BYTES} bytes`)
    const other = planned.get(path)
    if (other) warnings.add(file.path, `the file is not imported: ${other.path} takes its place`)
    else planned.set(path, file)
  }
  const paths = [...planned.keys()].sort()
  const names = chooseNames(paths, shownPaths)
  return [...planned]
    .map(([path, file]) => ({ path, file, name: names.get(path) ?? null }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Files with their paths in a 2025-09 package: those that have this path already, then others. */
function findCandidates(files: PackageFiles): { path: string; file: PackageFile }[] {
  const rank = (path: string, file: PackageFile) => (file.path === path ? 0 : file.path.includes('/') ? 1 : 2)
  return [...files.values()]
    .flatMap((file) => {
      const path = findPath(file.path)
      return path === undefined ? [] : [{ path, file, rank: rank(path, file) }]
    })
    .sort((a, b) => a.rank - b.rank)
}

/** The path in a 2025-09 package; undefined for files that are not stored. */
function findPath(path: string): string | undefined {
  const [folder = '', ...rest] = path.split('/')
  const name = rest.join('/')
  if (name === '') return findRootPath(path)
  const stored = Object.hasOwn(STORED, folder) ? STORED[folder] : undefined
  if (stored === undefined || isHidden(path)) return undefined
  return stored === 'statement' ? `statement/${nameStatement(name)}` : `${stored}/${name}`
}

/** Statements in the root move to their folder. */
function findRootPath(name: string): string | undefined {
  if (parseStatementName(name)) return `statement/${nameStatement(name)}`
  return isReadme(name) ? name : undefined
}

/** A statement's name always has a language in 2025-09 packages. */
function nameStatement(name: string): string {
  const statement = parseStatementName(name)
  return statement ? `problem.${statement.language}.${statement.type}` : name
}

const folderOf = (path: string) => (path.includes('/') ? (path.split('/', 1)[0] ?? '') : '')
const isReadme = (name: string) => /^readme(?:\.[a-z]+)?$/i.test(name)

function warnOfOthers(files: PackageFiles, warnings: Warnings): void {
  const roots = new Map<string, boolean>()
  for (const path of files.keys()) {
    const [root = ''] = path.split('/', 1)
    roots.set(root, path !== root)
  }
  for (const [root, isFolder] of roots) {
    const warning = Object.hasOwn(WARNINGS, root) ? WARNINGS[root] : undefined
    const isKnown = isFolder
      ? Object.hasOwn(STORED, root)
      : findRootPath(root) !== undefined || SETTINGS.test(root)
    if (warning !== undefined) warnings.add(root, warning)
    else if (!isKnown && !isHidden(root) && !READ_ELSEWHERE.includes(root))
      warnings.add(root, `the ${isFolder ? 'folder' : 'file'} is not imported${adviceOn(root)}`)
  }
}

/** Warns about folders in `attachments/`, and about files that are nearly statements. */
function warnOfNames(files: PackageFiles, warnings: Warnings): void {
  const folders = new Set<string>()
  for (const path of files.keys()) {
    const [, folder] = /^attachments\/([^/]+)\//.exec(path) ?? []
    if (folder !== undefined && folder !== 'templates') folders.add(folder)
    const [, name] = /^(?:problem_)?statement\/(problem\.(?:[^/]*\.)?(?:md|tex|pdf))$/.exec(path) ?? []
    if (name !== undefined && parseStatementName(name) === undefined)
      warnings.add(path, 'not used as a statement: its name must be like problem.en.md')
  }
  for (const folder of folders)
    warnings.add(`attachments/${folder}`, `attachments have no folders: solvers get its files as ${folder}-…`)
}

/** For names that authors mistake. */
function adviceOn(root: string): string {
  if (/^problem\.ya?ml$/i.test(root)) return ': rename it to problem.yaml'
  const near = [...Object.keys(STORED), ...READ_ELSEWHERE].find((name) => {
    return name.toLowerCase() === root.toLowerCase() || name === `${root}s` || `${name}s` === root
  })
  return near === undefined ? '' : `: rename it to ${near}`
}

/**
 * The names for solvers by path: with the folder only where the short name is taken. Statements
 * come first, because their texts name their pictures.
 */
function chooseNames(paths: readonly string[], shown: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const parts = PUBLIC.map((folder) => paths.filter((path) => folderOf(path) === folder))
  for (const path of [...parts.flat(), ...paths.filter((other) => shown.has(other))]) {
    const folder = folderOf(path)
    const short = path.slice(folder.length + 1).replaceAll('/', '-')
    const name = [short, `${folder}-${short}`].find((candidate) => !taken.has(candidate))
    if (name === undefined)
      throw new PackageError(path, `two other files have the names ${short} and ${folder}-${short}`)
    names.set(path, name)
    taken.add(name)
  }
  return names
}
