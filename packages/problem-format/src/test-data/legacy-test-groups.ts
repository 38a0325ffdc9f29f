import type { TestGroup } from '../package/judging-options.ts'
import { Warnings } from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import { faultOfPart } from '../package/yaml-part.ts'
import { checkGroups, fault, minGroups, type Place, placeOf, sumGroups, toPoints } from './group-points.ts'
import { parseGraderFlags } from './legacy-test-settings.ts'
import { type Chain, findSetting, type Setting } from './test-settings.ts'
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
  const hasCustomValidator = metadata.has_custom_validator === true
  return checkGroups(readRoot(root, { numbers, hasCustomValidator, warnings }))
}

interface Context {
  readonly numbers: ReadonlyMap<string, number>
  readonly hasCustomValidator: boolean
  readonly warnings: Warnings
}

/** A directory with the settings of those around it. */
interface Node {
  readonly context: Context
  readonly directory: DirectoryNode
  readonly chain: Chain
  /** The share of its points that the problem has. */
  readonly factor: number
  /** The range of exactly this directory's points. */
  readonly range: Setting<'range'> | undefined
}

/** No directory has this name. */
const TESTS_GROUP = 'test cases'

function readRoot(root: DirectoryNode, context: Context): readonly TestGroup[] {
  const node = nodeOf(root, context, undefined)
  const flags = flagsOf(node)
  const counted = directoriesIn(root).filter(
    (directory) => directory.base === 'secret' || !(flags.ignoreSample || isWorthless(directory, node)),
  )
  const group = readGroup({ ...node, directory: { ...root, children: counted } })
  const [only] = group.groups ?? []
  return group.groups?.length === 1 && only ? unwrap(only) : unwrap(group)
}

/** Samples without points are judged in no group. */
function isWorthless(sample: DirectoryNode, root: Node): boolean {
  if (testsIn(sample).length === 0) return true
  const context = { ...root.context, warnings: new Warnings() }
  return readGroup(nodeOf(sample, context, { ...root, range: undefined })).points === 0
}

function readGroup(node: Node): TestGroup {
  const { directory } = node
  const flags = flagsOf(node)
  const setting = findSetting(node.chain, 'grader_flags')
  const tests = directory.children.filter((child) => child.kind === 'test')
  const directories = directoriesIn(directory).filter((inner) => testsIn(inner).length > 0)
  const count = tests.length + directories.length
  if (flags.score === 'max' && count > 1 && setting)
    throw faultOfPart(setting, 'must not have max: groups have the sum or the minimum of their points')
  if (directories.length === 0) return readTests(node, directory.base, tests)
  const factor = flags.score === 'avg' ? node.factor / count : node.factor
  const passesRange = count === 1 || flags.score === 'min'
  const inner = directories.map((child) =>
    readGroup(nodeOf(child, node.context, { ...node, factor, range: passesRange ? node.range : undefined })),
  )
  const own = tests.length === 0 ? [] : [readTests({ ...node, range: undefined }, TESTS_GROUP, tests, count)]
  const groups = [...own, ...inner]
  const place = placeOf(setting, directory.path)
  if (flags.score === 'min') return minGroups(directory.base, groups, place)
  const group = sumGroups(directory.base, groups, place)
  checkRange(node, group.points)
  return group
}

/** The group of a directory's own test cases, which are among `count` parts of it. */
function readTests(node: Node, name: string, tests: readonly TestNode[], count = tests.length): TestGroup {
  const { score } = flagsOf(node)
  const accept = findSetting(node.chain, 'accept_score')
  const share = score === 'avg' ? tests.length / count : score === 'sum' ? tests.length : 1
  const range = isRangeUsed(node, accept) ? node.range : undefined
  const most = range && endOf(range)
  const total = most ?? (accept?.value ?? 1) * share
  const place: Place = placeOf(
    range ?? accept ?? findSetting(node.chain, 'grader_flags'),
    node.directory.path,
  )
  const points = toPoints(total * node.factor, place)
  checkRange(node, points)
  const cases = tests.flatMap((test) => node.context.numbers.get(test.name) ?? [])
  return { name, points, aggregation: score === 'min' ? 'min' : 'sum', cases }
}

function isRangeUsed({ context, chain, range }: Node, accept: Setting<'accept_score'> | undefined): boolean {
  if (range === undefined || endOf(range) === Number.POSITIVE_INFINITY) return false
  if (accept === undefined) return true
  const distanceOf = (setting: Setting<'range' | 'accept_score'>) =>
    chain.findIndex((one) => one?.yaml === setting.file)
  return context.hasCustomValidator && distanceOf(range) <= distanceOf(accept)
}

function checkRange({ context, range, factor }: Node, points: number): void {
  const most = range && endOf(range) * factor
  if (range === undefined || most === undefined || points <= most + 1e-9) return
  const { file, line } = placeOf(range, '')
  context.warnings.add(file, `range ends at ${endOf(range)}, but the group has ${points} points`, line)
}

function nodeOf(directory: DirectoryNode, context: Context, parent: Node | undefined): Node {
  const range = findSetting([directory.own], 'range') ?? parent?.range
  const chain = [directory.own, ...(parent?.chain ?? [])]
  return { context, directory, chain, factor: parent?.factor ?? 1, range }
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
