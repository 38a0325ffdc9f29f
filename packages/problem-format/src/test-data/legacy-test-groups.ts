import type { TestGroup } from '../package/judging-options.ts'
import { Warnings } from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import { checkGroups, fault, minGroups, type Place, placeOf, sumGroups, toPoints } from './group-points.ts'
import { parseGraderFlags } from './legacy-test-settings.ts'
import { type Chain, findSetting, type Setting, settingError } from './test-settings.ts'
import { type DirectoryNode, directoriesIn, type TestNode, testsIn } from './test-tree.ts'

/**
 * The groups of a scoring problem with `testdata.yaml`: one for each directory with test cases.
 * N test cases have `accept_score` (1) points each under `sum`, and together under `min` and `avg`.
 * The end of `range` counts instead where there is no `accept_score`, or a validator gives points.
 * Under `avg` each of n inner directories has an n-th of its points. The directories of `data` and
 * `data/secret` are no groups where their points are added up. Samples are in no group if they give
 * no points. Throws `PackageError` for points that the service cannot give.
 */
export function readLegacyGroups(
  root: DirectoryNode,
  numbers: ReadonlyMap<string, number>,
  metadata: PackageMetadata,
  warnings: Warnings,
): readonly TestGroup[] {
  warnings.add(
    root.own?.yaml.path ?? 'data',
    'a submission has the points of the test cases that it passes, and the status of its first failed one',
  )
  const reader = new GroupReader(numbers, metadata.has_custom_validator === true, warnings)
  return checkGroups(reader.readRoot(root))
}

/** A directory with the settings of those around it. */
interface Node {
  readonly directory: DirectoryNode
  readonly chain: Chain
  /** The share of its points that the problem has. */
  readonly factor: number
  /** The range of exactly this directory's points. */
  readonly range: Setting<'range'> | undefined
}

/** No directory has this name. */
const TESTS_GROUP = 'test cases'

class GroupReader {
  private readonly numbers: ReadonlyMap<string, number>
  private readonly hasCustomValidator: boolean
  private readonly warnings: Warnings

  constructor(numbers: ReadonlyMap<string, number>, hasCustomValidator: boolean, warnings: Warnings) {
    this.numbers = numbers
    this.hasCustomValidator = hasCustomValidator
    this.warnings = warnings
  }

  readRoot(root: DirectoryNode): readonly TestGroup[] {
    const node = nodeOf(root, undefined)
    const flags = flagsOf(node)
    const counted = directoriesIn(root).filter(
      (directory) =>
        directory.base === 'secret' || !(flags.ignoreSample || this.isWorthless(directory, node)),
    )
    const group = this.readGroup({ ...node, directory: { ...root, children: counted } })
    const [only] = group.groups ?? []
    return group.groups?.length === 1 && only ? unwrap(only) : unwrap(group)
  }

  /** Samples without points are judged in no group. */
  private isWorthless(sample: DirectoryNode, root: Node): boolean {
    if (testsIn(sample).length === 0) return true
    const reader = new GroupReader(this.numbers, this.hasCustomValidator, new Warnings())
    return reader.readGroup(nodeOf(sample, { ...root, range: undefined })).points === 0
  }

  private readGroup(node: Node): TestGroup {
    const { directory } = node
    const flags = flagsOf(node)
    const setting = findSetting(node.chain, 'grader_flags')
    const tests = directory.children.filter((child) => child.kind === 'test')
    const directories = directoriesIn(directory).filter((inner) => testsIn(inner).length > 0)
    const count = tests.length + directories.length
    if (flags.score === 'max' && count > 1 && setting)
      throw settingError(setting, 'must not have max: groups have the sum or the minimum of their points')
    if (directories.length === 0) return this.readTests(node, directory.base, tests)
    const factor = flags.score === 'avg' ? node.factor / count : node.factor
    const passesRange = count === 1 || flags.score === 'min'
    const inner = directories.map((child) =>
      this.readGroup(nodeOf(child, { ...node, factor, range: passesRange ? node.range : undefined })),
    )
    const own =
      tests.length === 0 ? [] : [this.readTests({ ...node, range: undefined }, TESTS_GROUP, tests, count)]
    const groups = [...own, ...inner]
    const place = placeOf(setting, directory.path)
    if (flags.score === 'min') return minGroups(directory.base, groups, place)
    const group = sumGroups(directory.base, groups, place)
    this.checkRange(node.range, group.points, node.factor)
    return group
  }

  /** The group of a directory's own test cases, which are among `count` parts of it. */
  private readTests(node: Node, name: string, tests: readonly TestNode[], count = tests.length): TestGroup {
    const { score } = flagsOf(node)
    const accept = findSetting(node.chain, 'accept_score')
    const share = score === 'avg' ? tests.length / count : score === 'sum' ? tests.length : 1
    const range = this.isRangeUsed(node, accept) ? node.range : undefined
    const most = range && endOf(range)
    const total = most ?? (accept?.value ?? 1) * share
    const place: Place = placeOf(
      range ?? accept ?? findSetting(node.chain, 'grader_flags'),
      node.directory.path,
    )
    const points = toPoints(total * node.factor, place)
    this.checkRange(node.range, points, node.factor)
    const cases = tests.flatMap((test) => this.numbers.get(test.name) ?? [])
    return { name, points, aggregation: score === 'min' ? 'min' : 'sum', cases }
  }

  private isRangeUsed({ chain, range }: Node, accept: Setting<'accept_score'> | undefined): boolean {
    if (range === undefined || endOf(range) === Number.POSITIVE_INFINITY) return false
    if (accept === undefined) return true
    const distanceOf = ({ yaml }: Setting<'range' | 'accept_score'>) =>
      chain.findIndex((file) => file?.yaml === yaml)
    return this.hasCustomValidator && distanceOf(range) <= distanceOf(accept)
  }

  private checkRange(range: Setting<'range'> | undefined, points: number, factor: number): void {
    const most = range && endOf(range) * factor
    if (range === undefined || most === undefined || points <= most + 1e-9) return
    const { file, line } = placeOf(range, '')
    this.warnings.add(file, `range ends at ${endOf(range)}, but the group has ${points} points`, line)
  }
}

function nodeOf(directory: DirectoryNode, parent: Node | undefined): Node {
  const range = findSetting([directory.own], 'range') ?? parent?.range
  const chain = [directory.own, ...(parent?.chain ?? [])]
  return { directory, chain, factor: parent?.factor ?? 1, range }
}

const flagsOf = ({ chain }: Node) => parseGraderFlags(findSetting(chain, 'grader_flags')?.value ?? '')

/** The groups whose points are added up, instead of the group around them. */
function unwrap(group: TestGroup): readonly TestGroup[] {
  return group.aggregation === 'sum' && group.groups ? group.groups : [group]
}

/** The greater end of a range. Throws `PackageError`. */
function endOf(range: Setting<'range'>): number {
  const words = range.value.trim().split(/\s+/)
  const [start, end] = words.map(toNumber)
  if (words.length !== 2 || start === undefined || end === undefined || start > end)
    throw fault(placeOf(range, ''), 'range must be two numbers, the smaller one first, such as 0 100')
  return end
}

function toNumber(word: string): number | undefined {
  const [, sign, infinite] = /^([+-]?)(inf)$/.exec(word) ?? []
  if (infinite) return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return /^[+-]?(\d+\.?\d*|\.\d+)([Ee][+-]?\d+)?$/.test(word) ? Number(word) : undefined
}
