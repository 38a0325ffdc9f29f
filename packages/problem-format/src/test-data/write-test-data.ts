import { stringify } from 'yaml'
import { type PlacedArguments, placeArguments } from './place-arguments.ts'
import { type GroupLayout, planGroups } from './test-group-layout.ts'
import { keepNames, makeNames } from './test-names.ts'
import type { WritableTest, WritableTestData } from './writable-test-data.ts'

/** The names of test cases and the files of settings, for a package of 2025-09. */
export interface WrittenTestData {
  /** Names without extension, such as `secret/group1/01`, in the order of the test cases. */
  readonly names: readonly string[]
  readonly files: readonly { readonly path: string; readonly content: string }[]
}

/**
 * Names the test cases and writes the settings of a package of 2025-09. Given names are kept if
 * they are in the folders of the groups. A reader may get another order, and other groups.
 */
export function writeTestData(problem: WritableTestData): WrittenTestData {
  const { tests, groups, flags } = problem
  const kept = keepNames(problem)
  const keptLayout = kept && groups && planGroups(groups, tests, kept)
  const isKept = keptLayout?.keepsNames ?? true
  const layout = isKept && kept ? keptLayout : groups && planGroups(groups, tests)
  const names = (isKept && kept) || makeNames(tests, layout?.folders)
  const placed = placeArguments(
    tests.map(({ outputFlags = flags }, i) => ({ name: names[i] ?? '', flags: outputFlags })),
    new Set(layout?.groups.map(({ folder }) => `secret/${folder}`)),
  )
  const testFiles = tests.flatMap((test, i) => writeTestFile(test, names[i] ?? '', placed))
  return { names, files: [...writeGroupFiles(placed, names, layout), ...testFiles] }
}

function writeGroupFiles(placed: PlacedArguments, names: readonly string[], layout: GroupLayout | undefined) {
  const hasSamples = names.some((name) => name.startsWith('sample/'))
  const hasSecret = names.some((name) => name.startsWith('secret/'))
  const settings: [path: string, values: object][] = [
    ...(hasSamples ? [['sample', {}] satisfies [string, object]] : []),
    ...(hasSecret ? [['secret', layout?.secret ?? {}] satisfies [string, object]] : []),
    ...(layout?.groups ?? []).map(({ folder, ...values }): [string, object] => [`secret/${folder}`, values]),
  ]
  return settings.flatMap(([path, values]) =>
    writeYaml(`data/${path}/test_group.yaml`, { ...values, output_validator_args: placed.ofDirectory(path) }),
  )
}

function writeTestFile(test: WritableTest, name: string, placed: PlacedArguments) {
  const { hint, description, inputFlags: input_validator_args } = test
  const output_validator_args = placed.ofTest(name)
  return writeYaml(`data/${name}.yaml`, { hint, description, input_validator_args, output_validator_args })
}

/** No file without values. */
function writeYaml(path: string, values: object): { path: string; content: string }[] {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return given.length === 0 ? [] : [{ path, content: stringify(Object.fromEntries(given)) }]
}
