import { stringify } from 'yaml'
import { type GroupLayout, planGroups } from './test-group-layout.ts'
import { keepNames, makeNames, type WritableTest, type WritableTestData } from './test-names.ts'
import { wordsOf } from './validator-arguments.ts'

/**
 * Names the test cases and writes the settings of a package of 2025-09. Given names are kept if
 * they are in the folders of the groups. `names`, such as `secret/group1/01`, are in the order of
 * the test cases. A reader may get another order, and other groups.
 */
export function writeTestData(problem: WritableTestData) {
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

type PlacedArguments = ReturnType<typeof placeArguments>

/** Places arguments in `sample`, `secret` and groups whose tests all have them, else in tests. */
function placeArguments(
  tests: readonly { readonly name: string; readonly flags: string }[],
  groups: ReadonlySet<string>,
) {
  const texts = new Map<string, string>()
  const directories = new Map<string, Set<string>>()
  for (const { name, flags } of tests) {
    const text = wordsOf(flags).join(' ')
    texts.set(name, text)
    for (const path of directoriesOf(name, groups))
      directories.set(path, (directories.get(path) ?? new Set()).add(text))
  }
  const shared = new Map([...directories].flatMap(([path, found]) => share(path, [...found])))
  return {
    /** Those of a directory below `data` all of whose test cases have them. */
    ofDirectory: (path: string) => toArguments(shared.get(path)),
    /** Those of a test case that has none from a directory. */
    ofTest: (name: string) =>
      directoriesOf(name, groups).some((path) => shared.has(path)) ? undefined : toArguments(texts.get(name)),
  }
}

/** Constants are replaced in the files of directories, but not in the files of test cases. */
function share(path: string, [text = '', ...others]: readonly string[]): [path: string, text: string][] {
  return others.length > 0 || text.includes('{{') ? [] : [[path, text]]
}

/** `secret/a/b/01` is in `secret`, and in `secret/a` if that is a group. */
function directoriesOf(name: string, groups: ReadonlySet<string>): string[] {
  const [top = '', inner = ''] = name.split('/')
  const group = `${top}/${inner}`
  return groups.has(group) ? [top, group] : [top]
}

const toArguments = (text = '') => (text === '' ? undefined : text.split(' '))
