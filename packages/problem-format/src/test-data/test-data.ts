import type { TestGroup } from '../package/judging-options.ts'
import {
  PackageError,
  type PackageFile,
  type PackageFiles,
  readText,
  type Warnings,
} from '../package/package-files.ts'
import type { PackageMetadata, PackageTest } from '../package/package-problem.ts'
import { readLegacyGroups } from './legacy-test-groups.ts'
import { checkLegacySettings, readRun, readValidatorNames } from './legacy-test-settings.ts'
import { readDisplay } from './sample-display.ts'
import { checkGroupSettings, readTestGroups } from './test-groups.ts'
import {
  type Chain,
  findSetting,
  readSettingsFile,
  type SettingsFile,
  warnOfSetting,
} from './test-settings.ts'
import { type DirectoryNode, readTestTree, type TestNode, testsIn, withInner } from './test-tree.ts'
import {
  chooseFlags,
  type InputFlags,
  type OutputArguments,
  type OutputFlags,
  readInputFlags,
  readOutputArguments,
} from './validator-arguments.ts'

/** The test cases of a package, and how they are judged. */
export interface TestData {
  /** In judging order: samples, then secret ones, each level in the format's order. */
  readonly tests: readonly PackageTest[]
  /** Only of scoring problems. */
  readonly groups?: readonly TestGroup[]
  /** Arguments of the output validator. */
  readonly flags: OutputFlags
  /** `all`: judge the test cases after a failed one too. Only of pass-fail problems. */
  readonly run?: 'all'
  /** Arguments of input validators by test case name; absent where there are none. */
  readonly inputFlags: Readonly<Record<string, InputFlags>>
  /** Files below `data` that were imported as test cases or settings; the others are stored. */
  readonly used: ReadonlySet<string>
  /** Files that show samples to solvers in another form. */
  readonly shown: readonly PackageFile[]
}

/**
 * Reads the folder `data`. Settings are inherited from the nearest directory that has them, except
 * the points of 2025-09. Throws `PackageError`, also for points that the service cannot give.
 */
export async function readTestData(
  files: PackageFiles,
  metadata: PackageMetadata,
  warnings: Warnings,
): Promise<TestData> {
  const { root, interactions } = readTestTree(files, metadata.format, warnings)
  for (const directory of withInner(root))
    if (directory.settingsFile)
      directory.own = await readSettingsFile(directory.settingsFile, warnings, metadata)
  const isLatest = metadata.format === '2025-09'
  if (isLatest) checkGroupSettings(root, metadata)
  else {
    checkLegacySettings(root, metadata)
    readValidatorNames(root, files)
  }
  const reader = new TestReader(metadata, warnings)
  await reader.readDirectory(root, [])
  const { tests, inputFlags, used, shown } = reader
  if (tests.every(({ name }) => name.startsWith('sample/'))) noteMissingSecret(metadata, warnings)
  const numbers = new Map(tests.map(({ name }, i) => [name, i + 1]))
  const readGroups = isLatest ? readTestGroups : readLegacyGroups
  const groups = metadata.type.includes('scoring') && readGroups(root, numbers, metadata, warnings)
  const run = isLatest ? undefined : readRun(root, metadata)
  return {
    tests,
    ...(groups && { groups }),
    flags: chooseFlags(reader.outputArguments),
    ...(run && { run }),
    inputFlags,
    used,
    shown: [...shown, ...interactions],
  }
}

function noteMissingSecret(metadata: PackageMetadata, warnings: Warnings): void {
  if (metadata.type.includes('scoring'))
    throw new PackageError('data/secret', 'a scoring problem must have secret test cases')
  warnings.add('data/secret', 'the package has no secret test cases')
}

const TEXTS_IN_YAML = 'the file is stored, but not used: this version has hints and descriptions in .yaml'

/** They are stored for each test case, even if a directory has them. */
const MOST_INPUT_FLAGS = 4 * 1024 * 1024

const ILLUSTRATIONS = ['.png', '.jpg', '.jpeg', '.svg']

class TestReader {
  readonly tests: PackageTest[] = []
  readonly outputArguments: OutputArguments[] = []
  readonly inputFlags: Record<string, InputFlags> = {}
  readonly used = new Set<string>()
  readonly shown: PackageFile[] = []
  private inputFlagsCharacters = 0
  private readonly metadata: PackageMetadata
  private readonly warnings: Warnings

  constructor(metadata: PackageMetadata, warnings: Warnings) {
    this.metadata = metadata
    this.warnings = warnings
  }

  /** `above`: the settings of the directories around it, the nearest first. */
  async readDirectory(directory: DirectoryNode, above: Chain): Promise<void> {
    const chain = [directory.own, ...above]
    if (directory.own) this.warnOfInherited(directory.own, above)
    if (directory.own && testsIn(directory).length > 0) this.warnOfUnused(directory.own, directory.path)
    if (directory.settingsFile) this.used.add(directory.settingsFile.path)
    for (const child of directory.children) {
      if (child.kind === 'directory') await this.readDirectory(child, chain)
      else await this.readTest(child, chain)
    }
  }

  /** By the text of 2025-09, arguments in a group's own file are empty by default. */
  private warnOfInherited(file: SettingsFile, above: Chain): void {
    if (this.metadata.format !== '2025-09') return
    for (const key of ['input_validator_args', 'output_validator_args'] as const) {
      const inherited = file.values[key] === undefined ? findSetting(above, key) : undefined
      if (inherited === undefined || inherited.value.length === 0) continue
      const message = `${key} of ${inherited.file.path} is used: write it into this file too`
      this.warnings.add(file.yaml.path, message)
    }
  }

  private async readTest(node: TestNode, above: Chain): Promise<void> {
    const { name, input, answer } = node
    const own = await this.readOwn(node)
    if (own) this.warnOfUnused(own, `data/${name}`)
    const chain = [own, ...above]
    const display = readDisplay(node, this.metadata, this.warnings)
    this.shown.push(...display.shown)
    this.used.add(input.path).add(answer.path)
    const { hint, description } = await this.readTexts(node, own)
    const texts = { ...(hint && { hint }), ...(description && { description }) }
    this.tests.push({ name, hidden: display.hidden, input, answer, ...texts })
    this.outputArguments.push(readOutputArguments(name, chain, this.metadata))
    const inputFlags = readInputFlags(chain)
    if (inputFlags) this.addInputFlags(node, inputFlags)
    this.warnOfImages(ILLUSTRATIONS.flatMap((extension) => node.files.get(extension) ?? []))
  }

  private addInputFlags({ name, input }: TestNode, inputFlags: InputFlags): void {
    this.inputFlags[name] = inputFlags
    this.inputFlagsCharacters += JSON.stringify(inputFlags).length
    const all = "the input validators' arguments of all test cases"
    if (this.inputFlagsCharacters > MOST_INPUT_FLAGS)
      throw new PackageError(input.path, `${all} must have at most ${MOST_INPUT_FLAGS} characters as JSON`)
  }

  /** The test case's `.yaml`. */
  private async readOwn({ files }: TestNode): Promise<SettingsFile | undefined> {
    const file = files.get('.yaml')
    if (file === undefined) return undefined
    this.used.add(file.path)
    return readSettingsFile(file, this.warnings)
  }

  private async readTexts({ files }: TestNode, own: SettingsFile | undefined) {
    const readFile = async (extension: string) => {
      const file = files.get(extension)
      if (file === undefined) return undefined
      if (this.metadata.format === '2025-09') {
        this.warnings.add(file.path, TEXTS_IN_YAML)
        return undefined
      }
      this.used.add(file.path)
      this.warnings.budget.addBytes(file.path, file.bytes)
      return (await readText(file)).trimEnd()
    }
    const hint = await readFile('.hint')
    const description = await readFile('.desc')
    return { hint: own?.values.hint ?? hint, description: own?.values.description ?? description }
  }

  private warnOfImages(images: readonly PackageFile[]): void {
    for (const { path } of images) this.warnings.add(path, 'illustrations are stored, not shown')
    for (const { path } of images.slice(1))
      this.warnings.add(path, 'the test case has another illustration: the format allows one')
  }

  /** Warns of a file's settings without effect. `place`: the directory or test case. */
  private warnOfUnused(file: SettingsFile, place: string): void {
    const { values } = file
    const warn = (key: keyof typeof values, message: string) =>
      warnOfSetting(findSetting([file], key), message)
    if ((values.args ?? []).length > 0) warn('args', 'is ignored: programs get no arguments')
    for (const key of ['input_visualizer_args', 'output_visualizer_args'] as const)
      if ((values[key] ?? []).length > 0) warn(key, 'is ignored: visualizers are not run')
    if ((values.static_validator_args ?? []).length > 0)
      warn('static_validator_args', 'is ignored: static validators are not run')
    const isSample = place === 'data/sample' || place.startsWith('data/sample/')
    if (values.full_feedback && !isSample)
      warn('full_feedback', 'is ignored: solvers do not see secret test cases')
    if (values.full_feedback === false && isSample) warn('full_feedback', 'is ignored: solvers see samples')
  }
}
