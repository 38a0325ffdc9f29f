import { wordsOf } from './validator-arguments.ts'

/** The output validator's arguments as an export has them; undefined where there are none. */
export interface PlacedArguments {
  /** Those of a directory below `data` all of whose test cases have them. */
  ofDirectory(path: string): readonly string[] | undefined
  /** Those of a test case that has none from a directory. */
  ofTest(name: string): readonly string[] | undefined
}

/** Places arguments in `sample`, `secret` and groups whose tests all have them, else in tests. */
export function placeArguments(
  tests: readonly { readonly name: string; readonly flags: string }[],
  groups: ReadonlySet<string>,
): PlacedArguments {
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
    ofDirectory: (path) => toArguments(shared.get(path)),
    ofTest: (name) =>
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
