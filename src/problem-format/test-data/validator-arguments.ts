import { PackageError, type Warnings } from '../package-files.ts'
import type { PackageMetadata } from '../package-problem.ts'
import { findSetting, type Setting, type SettingsFile } from './test-settings.ts'

/** Arguments for all input validators, or by the validators' names. */
export type InputFlags = readonly string[] | Readonly<Record<string, readonly string[]>>

/** The output validator's arguments for one test case. */
export interface OutputArguments {
  /** The name of the test case. */
  readonly name: string
  readonly words: readonly string[]
  /** The file with the arguments; without one, the test case's directory. */
  readonly file: string
  readonly line?: number
}

type Chain = readonly (SettingsFile | undefined)[]

/** The output validator's arguments of a test case. Throws `PackageError` for white space. */
export function readOutputArguments(name: string, chain: Chain, metadata: PackageMetadata): OutputArguments {
  const setting = findSetting(chain, 'output_validator_args') ?? findSetting(chain, 'output_validator_flags')
  const words = [...wordsOf(metadata.validator_flags ?? ''), ...(setting ? readWords(setting) : [])]
  const line = setting?.yaml.lineOf([setting.key])
  const directory = `data/${name.slice(0, name.lastIndexOf('/'))}`
  return { name, words, file: setting?.yaml.path ?? directory, ...(line !== undefined && { line }) }
}

/** The input validators' arguments of a test case; undefined if there are none. */
export function readInputFlags(chain: Chain): InputFlags | undefined {
  const args = findSetting(chain, 'input_validator_args')?.value
  const flags = args ?? toInputArgs(findSetting(chain, 'input_validator_flags')?.value)
  return flags === undefined || Object.keys(flags).length === 0 ? undefined : flags
}

/**
 * The arguments that a problem has for all test cases: those of most secret ones, joined by spaces.
 * Adds a warning for each file or directory with other ones.
 */
export function chooseFlags(list: readonly OutputArguments[], warnings: Warnings): string {
  const secret = list.filter(({ name }) => name.startsWith('secret/'))
  const chosen = mostFrequent((secret.length > 0 ? secret : list).map(textOf))
  const others = list.filter((args) => textOf(args) !== chosen)
  for (const [key, group] of groupBy(others, (args) => `${args.file}\n${textOf(args)}`)) {
    const [first] = group
    if (first === undefined) continue
    const text = key.slice(key.indexOf('\n') + 1)
    const judged = group.length === 1 ? '1 test case is' : `${group.length} test cases are`
    const message = `${judged} judged with the output validator arguments of most test cases, ${quote(chosen)}, not with ${quote(text)}`
    warnings.add(first.file, message, first.line)
  }
  return chosen
}

const quote = (text: string) => JSON.stringify(text)
const textOf = ({ words }: OutputArguments) => words.join(' ')
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '')

function readWords(setting: Setting<'output_validator_args' | 'output_validator_flags'>): readonly string[] {
  const { key, value, yaml } = setting
  if (typeof value === 'string') return wordsOf(value)
  if (!isList(value)) return wordsOf(value.flags ?? '')
  value.forEach((word, i) => {
    if (/^\S+$/.test(word)) return
    const line = yaml.lineOf([key, i])
    throw new PackageError(yaml.path, line, `${key}.${i} must not be empty or contain white space`)
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
  const counts = [...groupBy(texts, (text) => text)].map(([text, group]) => ({ text, count: group.length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.text ?? ''
}

function groupBy<T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of list) {
    const group = groups.get(keyOf(item)) ?? []
    groups.set(keyOf(item), group)
    group.push(item)
  }
  return groups
}
