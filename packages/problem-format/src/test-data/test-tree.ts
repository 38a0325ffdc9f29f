import { getOrAdd } from '../package/collections.ts'
import { MAX_TEST_CASES } from '../package/judging-options.ts'
import {
  MOST_LEVELS,
  PackageError,
  type PackageFile,
  type PackageFiles,
  type Warnings,
} from '../package/package-files.ts'
import type { FormatVersion } from '../package/package-problem.ts'
import type { SettingsFile } from './test-settings.ts'

/** The files of a test case by extension, such as `.in.statement`. */
export interface TestNode {
  readonly kind: 'test'
  /** The path below `data`, without extension. */
  readonly name: string
  /** The last part of the name. */
  readonly base: string
  readonly input: PackageFile
  readonly answer: PackageFile
  readonly files: ReadonlyMap<string, PackageFile>
}

/** A directory of test cases. */
export interface DirectoryNode {
  readonly kind: 'directory'
  /** `data`, `data/secret`, `data/secret/group1`… */
  readonly path: string
  readonly base: string
  /** Its `test_group.yaml` or `testdata.yaml`. */
  readonly settingsFile?: PackageFile
  /** In judging order. */
  readonly children: readonly (TestNode | DirectoryNode)[]
  /** Filled by `readTestData`: the values of `settingsFile`. */
  own?: SettingsFile
}

/** The extensions of a test case's files, longer ones before those that they end with. */
const EXTENSIONS = [
  ...['.in.statement', '.ans.statement', '.in.download', '.ans.download', '.interaction'],
  ...['.in', '.ans', '.out', '.hint', '.desc', '.yaml', '.png', '.jpg', '.jpeg', '.svg'],
]

const NOT_CHECKED = 'stored, not checked by verification'
const VALIDATION_FOLDERS = /^(in)?valid_(inputs?|answers?|outputs?)$/

/** The name of a directory's file of settings. */
export const settingsNameOf = (format: FormatVersion) =>
  format === '2025-09' ? 'test_group.yaml' : 'testdata.yaml'

/**
 * Finds the test cases of `data/sample` and `data/secret`. Each level is in lexicographical order:
 * the base names of test cases and directories, by their UTF-16 code units. `a` is before `a-b`. A
 * test case is before a directory with the same name. `root` is `data`. `interactions` belong to
 * samples that have no test case (legacy). Throws `PackageError` for a missing answer.
 */
export function readTestTree(files: PackageFiles, format: FormatVersion, warnings: Warnings) {
  const builder = new TreeBuilder(format, warnings)
  for (const file of files.values()) if (file.path.startsWith('data/')) builder.add(file)
  const root = builder.buildFolder()
  const { interactions } = builder
  const count = testsIn(root).length
  if (count === 0) throw new PackageError('data', 'the package must have at least one test case')
  if (count > MAX_TEST_CASES)
    throw new PackageError('data', `the package must have at most ${MAX_TEST_CASES} test cases`)
  return { root, interactions }
}

/** The test cases of a directory and of those in it, in judging order. */
export function testsIn(directory: DirectoryNode): TestNode[] {
  return directory.children.flatMap((child) => (child.kind === 'test' ? [child] : testsIn(child)))
}

/** The directories in a directory. */
export const directoriesIn = ({ children }: DirectoryNode) =>
  children.filter((child) => child.kind === 'directory')

/** A directory and all directories in it, each before those in it. */
export const withInner = (directory: DirectoryNode): DirectoryNode[] => [
  directory,
  ...directoriesIn(directory).flatMap(withInner),
]

/** Compares names part by part, as the judging order does. */
export function compareNames(a: string, b: string): number {
  const left = a.split('/')
  const right = b.split('/')
  for (const [i, part] of left.entries()) {
    const other = right[i]
    if (other === undefined) return 1
    if (part !== other) return part < other ? -1 : 1
  }
  return left.length - right.length
}

interface Folder {
  settingsFile?: PackageFile
  readonly tests: Map<string, Map<string, PackageFile>>
  readonly folders: Map<string, Folder>
}

const newFolder = (): Folder => ({ tests: new Map(), folders: new Map() })

class TreeBuilder {
  private readonly root = newFolder()
  readonly interactions: PackageFile[] = []
  private readonly warned = new Set<string>()
  private readonly format: FormatVersion
  private readonly warnings: Warnings

  constructor(format: FormatVersion, warnings: Warnings) {
    this.format = format
    this.warnings = warnings
  }

  add(file: PackageFile): void {
    const [, top = '', ...rest] = file.path.split('/')
    const fileName = rest.pop()
    if (fileName === undefined) this.addToData(file, top)
    else if (top === 'sample' || top === 'secret') this.addToFolder([top, ...rest], file, fileName)
    else this.warnOnce(`data/${top}`, VALIDATION_FOLDERS.test(top) ? NOT_CHECKED : 'stored, but not used')
  }

  private addToData(file: PackageFile, name: string): void {
    const isSettings = name === settingsNameOf(this.format) && this.format !== '2025-09'
    if (isSettings) this.root.settingsFile = file
    else this.warnings.add(file.path, 'the file is stored, but not used')
  }

  private addToFolder(place: readonly string[], file: PackageFile, name: string): void {
    const filesFolder = place.findIndex((part) => part.endsWith('.files'))
    if (filesFolder > 0) {
      const path = ['data', ...place.slice(0, filesFolder + 1)].join('/')
      this.warnOnce(path, 'programs get no files: the test case is judged without them')
      return
    }
    if (place.length > MOST_LEVELS)
      throw new PackageError('data', `data must have at most ${MOST_LEVELS} levels of directories`)
    let folder = this.root
    for (const part of place) folder = getOrAdd(folder.folders, part, newFolder)
    this.addToTest(folder, file, name)
  }

  private addToTest(folder: Folder, file: PackageFile, name: string): void {
    const settingsName = settingsNameOf(this.format)
    const extension = EXTENSIONS.find((known) => name.endsWith(known) && name.length > known.length)
    if (name === settingsName) folder.settingsFile = file
    else if (name === 'testdata.yaml' || name === 'test_group.yaml')
      this.warnings.add(file.path, `the file is not used: packages of this version have ${settingsName}`)
    else if (extension === undefined) this.warnings.add(file.path, 'the file is stored, but not used')
    else {
      const base = name.slice(0, -extension.length)
      getOrAdd(folder.tests, base, () => new Map<string, PackageFile>()).set(extension, file)
    }
  }

  buildFolder(folder = this.root, path = 'data'): DirectoryNode {
    const tests = [...folder.tests].flatMap(([base, files]) => this.buildTest(path, base, files))
    const directories = [...folder.folders].map(([base, inner]) => this.buildFolder(inner, `${path}/${base}`))
    const children = [...tests, ...directories].toSorted((a, b) => compareNames(a.base, b.base))
    const { settingsFile } = folder
    const base = path.slice(path.lastIndexOf('/') + 1)
    return { kind: 'directory', path, base, children, ...(settingsFile && { settingsFile }) }
  }

  private buildTest(path: string, base: string, files: ReadonlyMap<string, PackageFile>): TestNode[] {
    const input = files.get('.in')
    const answer = files.get('.ans')
    const place = `${path}/${base}`
    if (input && answer)
      return [{ kind: 'test', name: place.slice('data/'.length), base, input, answer, files }]
    if (input) throw new PackageError(input.path, `the test case must have an answer, ${place}.ans`)
    if (answer) throw new PackageError(answer.path, `the answer must have an input, ${place}.in`)
    for (const [extension, file] of files) {
      const isInteraction = extension === '.interaction' && place.startsWith('data/sample/')
      if (isInteraction) this.interactions.push(file)
      if (!isInteraction || this.format === '2025-09')
        this.warnings.add(file.path, `the file is stored, but not used: there is no ${place}.in`)
    }
    return []
  }

  private warnOnce(file: string, message: string): void {
    if (!this.warned.has(file)) this.warnings.add(file, message)
    this.warned.add(file)
  }
}
