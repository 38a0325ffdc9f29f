import { groupBy } from '../package/collections.ts'
import { type CaseFlags, MAX_CASE_FLAGS, MAX_FLAGS_LENGTH } from '../package/judging-options.ts'
import { PackageError } from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import { faultOfPart } from '../package/yaml-part.ts'
import { type Chain, findSetting, type Setting } from './test-settings.ts'

/** Arguments for all input validators, or by the validators' names. */
export type InputFlags = readonly string[] | Readonly<Record<string, readonly string[]>>

/** The output validator's arguments for one test case. */
export interface OutputArguments {
  /** The name of the test case. */
  readonly name: string
  /** Joined by spaces. */
  readonly text: string
  readonly place: ArgumentsPlace
}

/** The file with the arguments; without any, the test case's directory. */
interface ArgumentsPlace {
  readonly file: string
  readonly line?: number
  /** The key of the arguments in the file. */
  readonly key?: string
}

/** The output validator's arguments of several test cases, with the first one's place. */
interface SharedArguments extends Omit<OutputArguments, 'name'> {
  readonly names: readonly string[]
}

/** The output validator's arguments of a problem. */
export interface OutputFlags extends Omit<OutputArguments, 'name'> {
  /** The arguments of test cases that have other ones. */
  readonly others: readonly SharedArguments[]
}

/** The output validator's arguments of a test case. Throws `PackageError` for faulty ones. */
export function readOutputArguments(name: string, chain: Chain, metadata: PackageMetadata): OutputArguments {
  const setting = findSetting(chain, 'output_validator_args') ?? findSetting(chain, 'output_validator_flags')
  const words = [...wordsOf(metadata.validator_flags ?? ''), ...(setting ? readWords(setting) : [])]
  const args = { name, text: words.join(' '), place: findPlace(name, setting, metadata) }
  if (args.text.length > MAX_FLAGS_LENGTH && [...args.text].length > MAX_FLAGS_LENGTH)
    throw argumentsError(args, `must have at most ${MAX_FLAGS_LENGTH} characters together`)
  return args
}

/** The fault of arguments, with their place. */
export function argumentsError({ place }: Pick<OutputArguments, 'place'>, message: string): PackageError {
  return new PackageError(place.file, `${place.key ?? 'arguments'} ${message}`, place.line)
}

function findPlace(
  name: string,
  setting: Setting<'output_validator_args' | 'output_validator_flags'> | undefined,
  { validator_flags }: PackageMetadata,
): ArgumentsPlace {
  if (setting) {
    const { key, file, place } = setting
    const line = file.lineOf(place)
    return { file: file.path, key, ...(line !== undefined && { line }) }
  }
  if (validator_flags !== undefined) return { file: 'problem.yaml', key: 'validator_flags' }
  return { file: `data/${name.slice(0, name.lastIndexOf('/'))}` }
}

/** The input validators' arguments of a test case; undefined if there are none. */
export function readInputFlags(chain: Chain): InputFlags | undefined {
  const args = findSetting(chain, 'input_validator_args')?.value
  const flags = args ?? toInputArgs(findSetting(chain, 'input_validator_flags')?.value)
  return flags === undefined || Object.keys(flags).length === 0 ? undefined : flags
}

/**
 * The arguments of most secret test cases, and those of the others. `list` is in the order of the
 * test cases. Throws `PackageError` if the test cases have too many different ones.
 */
export function chooseFlags(list: readonly OutputArguments[]): OutputFlags {
  const shared = [...groupBy(list, ({ text }) => text).values()].flatMap(shareArguments)
  const secret = list.filter(({ name }) => name.startsWith('secret/'))
  const chosen = mostFrequent((secret.length > 0 ? secret : list).map(({ text }) => text))
  const others = shared.filter(({ text }) => text !== chosen)
  const [extra] = others.slice(MAX_CASE_FLAGS)
  if (extra)
    throw argumentsError(extra, `must not differ so often: test cases have ${shared.length} different ones`)
  const { place = { file: 'data' } } = shared.find(({ text }) => text === chosen) ?? {}
  return { text: chosen, place, others }
}

/** The arguments of single test cases by the numbers of these, for test cases in this order. */
export function numberFlags(
  { others }: OutputFlags,
  tests: readonly { readonly name: string }[],
): readonly CaseFlags[] | undefined {
  if (others.length === 0) return undefined
  const texts = new Map(others.flatMap(({ names, text }) => names.map((name) => [name, text] as const)))
  const numbered = tests.flatMap(({ name }, i) => {
    const flags = texts.get(name)
    return flags === undefined ? [] : [{ flags, number: i + 1 }]
  })
  const groups = groupBy(numbered, ({ flags }) => flags)
  return [...groups].map(([flags, group]) => ({ cases: group.map(({ number }) => number), flags }))
}

function shareArguments(group: readonly OutputArguments[]): SharedArguments[] {
  const names = group.map(({ name }) => name)
  return group.slice(0, 1).map(({ text, place }) => ({ text, place, names }))
}

/** The words of a text between white space. */
export const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '')

function readWords(setting: Setting<'output_validator_args' | 'output_validator_flags'>): readonly string[] {
  const { key, value, file } = setting
  if (typeof value === 'string') return wordsOf(value)
  if (!isList(value)) return wordsOf(value.flags ?? '')
  value.forEach((word, i) => {
    if (/^\S+$/.test(word)) return
    const part = { file, place: [key, i], value: word }
    throw faultOfPart(part, 'must not be empty or contain white space')
  })
  return value
}

function toInputArgs(flags: string | { name?: string; flags?: string } | undefined): InputFlags | undefined {
  if (flags === undefined) return undefined
  if (typeof flags === 'string') return wordsOf(flags)
  const words = wordsOf(flags.flags ?? '')
  return flags.name === undefined ? words : { [flags.name]: words }
}

const isList = (value: object): value is readonly string[] => Array.isArray(value)

/** The most frequent text; the first one of several. */
function mostFrequent(texts: readonly string[]): string {
  const groups = [...groupBy(texts, (text) => text).values()]
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? ''
}
