import { PackageError, readShownName } from './package-files.ts'
import { nearestLine, type YamlFile, type YamlPlace } from './yaml-file.ts'

/** A value inside a YAML file. */
export interface YamlPart {
  readonly file: YamlFile
  readonly place: YamlPlace
  readonly value: unknown
}

/** The parts of a map by key. */
export type YamlMap = ReadonlyMap<string, YamlPart>

type Read<T> = (part: YamlPart) => T

/** The error of a part: its name and the message, such as `must be a string`. */
export function faultOfPart({ file, place }: YamlPart, message: string): PackageError {
  return new PackageError(file.path, `${nameOf(place)} ${message}`, nearestLine(file, place))
}

/** Warns about a part, if there is one: its name and the message. */
export function warnOfPart(part: YamlPart | undefined, message: string): void {
  if (part === undefined) return
  const { file, place } = part
  file.warnings.add(file.path, `${nameOf(place)}: ${message}`, nearestLine(file, place))
}

/** The parts of a map. Throws `PackageError` for another value. */
export function readMap(part: YamlPart): YamlMap {
  const parts = partsOf(part)
  if (parts === undefined) throw faultOfPart(part, 'must be a map')
  return parts
}

/** The parts of a map; undefined for another value. */
export function partsOf(part: YamlPart): YamlMap | undefined {
  if (!isMap(part)) return undefined
  const entries: [string, unknown][] = Object.entries(part.value)
  return new Map(entries.map(([key, value]) => [key, partAt(part, key, value)]))
}

/** True for a map. */
export function isMap(part: YamlPart): part is YamlPart & { readonly value: object } {
  const { value } = part
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** The items of a list. A single value counts as a list of one. */
export function readOneOrMore<T>(part: YamlPart, read: Read<T>): T[] {
  const { value } = part
  if (!Array.isArray(value)) return [read(part)]
  return value.map((item: unknown, index) => read(partAt(part, index, item)))
}

/** A string without spaces around it. Throws `PackageError` for an empty one and other values. */
export function readString(part: YamlPart): string {
  const { value } = part
  if (typeof value === 'number' || typeof value === 'boolean')
    throw faultOfPart(part, 'must be a string: put it in quotes')
  if (typeof value !== 'string') throw faultOfPart(part, 'must be a string')
  const text = value.trim()
  if (text === '') throw faultOfPart(part, 'must not be empty')
  return text
}

/** The same for a name that many people see: hidden characters are replaced, with a warning. */
export function readTitle(part: YamlPart): string {
  return readShownName(readString(part), (message) => warnOfPart(part, message))
}

/** True or false. Throws `PackageError` for other values. */
export function readBoolean(part: YamlPart): boolean {
  if (typeof part.value !== 'boolean') throw faultOfPart(part, 'must be true or false')
  return part.value
}

/** The value of a key, if the map has one: null and an empty text count as none. */
export function readOptional<T>(map: YamlMap, key: string, read: Read<T>): T | undefined {
  const part = map.get(key)
  return part === undefined || isEmpty(part.value) ? undefined : read(part)
}

/** Warns about keys that the format does not have. `hints` has other messages for some of them. */
export function warnOfUnknownKeys(
  map: YamlMap,
  known: readonly string[],
  hints?: ReadonlyMap<string, string>,
): void {
  for (const [key, part] of map) {
    if (!known.includes(key)) warnOfPart(part, hints?.get(key) ?? 'unknown key: not imported')
  }
}

/** An object without the keys whose value is undefined. */
export function withoutUndefined<T extends object>(object: T): Defined<T>
export function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
}

const partAt = ({ file, place }: YamlPart, key: string | number, value: unknown): YamlPart => ({
  file,
  place: [...place, key],
  value,
})

const nameOf = (place: YamlPlace) => (place.length === 0 ? 'the file' : place.join('.'))

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
