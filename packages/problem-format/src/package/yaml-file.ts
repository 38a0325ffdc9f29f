import type { Static, TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, visit, type YAMLMap } from 'yaml'
import { type Constants, expandConstants } from './constants.ts'
import { PackageError, type PackageFile, readText, type Warnings } from './package-files.ts'
import { describeError, parseYaml } from './yaml-document.ts'

/** A YAML file that was read: its value, and the lines of its parts. */
export interface YamlFile {
  readonly path: string
  /** Takes the warnings about the file. */
  readonly warnings: Warnings
  /** Plain values: null for an empty file. */
  readonly value: unknown
  /** The line (from 1) of the key or item at a place, such as `['limits', 'memory']`. */
  lineOf(place: YamlPlace): number | undefined
  /** The text of the number or the string at a place, as the file has it, without quotes. */
  sourceOf(place: YamlPlace): string | undefined
}

/** Keys of maps and indexes of lists, from the top. */
export type YamlPlace = readonly (string | number)[]

/** Files of settings are short; a longer one could make the parser slow. */
const MOST_YAML_BYTES = 256 * 1024

/**
 * Reads a YAML file with the values of constants. Throws `PackageError` for a file that is no YAML,
 * has a key twice, or whose aliases or constants expand to very much.
 */
export async function readYaml(
  file: PackageFile,
  warnings: Warnings,
  constants: Constants = {},
): Promise<YamlFile> {
  const { path } = file
  checkSize(path, file.bytes)
  const text = expandConstants(path, await readText(file), constants)
  checkSize(path, Buffer.byteLength(text))
  warnings.budget.addBytes(path, Buffer.byteLength(text))
  const counter = new LineCounter()
  const document = parseYaml(path, text, counter)
  const lineOf = (node: unknown) =>
    isNode(node) && node.range ? counter.linePos(node.range[0]).line : undefined
  warnings.budget.addNodes(path, checkNodes(path, document, lineOf))
  const indexes: MapIndexes = new WeakMap()
  return {
    path,
    warnings,
    value: toPlain(path, () => document.toJS({ maxAliasCount: 100 })),
    lineOf: (place) => {
      const { key, value } = findNode(document, indexes, place)
      return lineOf(key ?? value)
    },
    sourceOf: (place) => {
      const { value } = findNode(document, indexes, place)
      return isScalar(value) ? value.source : undefined
    },
  }
}

/** The value of a file as a schema has it. Throws `PackageError` with the line of the fault. */
export function checkYaml<T extends TSchema>(schema: T, file: YamlFile): Static<T> {
  const { path, value } = file
  if (Check(schema, value)) return value
  const [error] = Errors(schema, value)
  const names = (error?.instancePath ?? '').split('/').slice(1)
  const message = `${names.join('.')} ${error?.message ?? 'is invalid'}`.trim()
  const place = names.map((name) => (/^\d+$/.test(name) ? Number(name) : name))
  throw new PackageError(path, message, nearestLine(file, place))
}

/** The line (from 1) of a place, or of the nearest one around it. */
export function nearestLine(file: YamlFile, place: YamlPlace): number | undefined {
  return file.lineOf(place) ?? (place.length === 0 ? undefined : nearestLine(file, place.slice(0, -1)))
}

function checkSize(path: string, bytes: number): void {
  if (bytes > MOST_YAML_BYTES)
    throw new PackageError(path, `the file must have at most ${MOST_YAML_BYTES} bytes`)
}

/**
 * Keys are texts, once each: the parser's own check takes time that grows with their square.
 * Escapes such as `\0` can make texts that the database does not store. Returns the number of
 * nodes.
 */
function checkNodes(
  path: string,
  document: Document.Parsed,
  lineOf: (node: unknown) => number | undefined,
): number {
  let nodes = 0
  visit(document, {
    Node: () => {
      nodes += 1
    },
  })
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<string>()
      for (const { key } of map.items) {
        if (!isScalar(key)) throw new PackageError(path, 'Map keys must be plain texts', lineOf(key))
        if (seen.has(String(key.value))) throw new PackageError(path, 'Map keys must be unique', lineOf(key))
        seen.add(String(key.value))
      }
    },
    Scalar: (_, node) => {
      const { value } = node
      if (typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))) return
      throw new PackageError(path, 'texts must be well-formed Unicode without U+0000', lineOf(node))
    },
  })
  return nodes
}

/** The value at a place, and its key if a map has it. */
function findNode(
  document: Document.Parsed,
  indexes: MapIndexes,
  place: YamlPlace,
): { key?: unknown; value?: unknown } {
  const last = place.at(-1)
  if (last === undefined) return { value: document.contents }
  const { value: parent } = findNode(document, indexes, place.slice(0, -1))
  if (isSeq(parent)) return { value: parent.items[Number(last)] }
  if (!isMap(parent)) return {}
  return indexOf(parent, indexes).get(String(last)) ?? {}
}

type Pair = YAMLMap['items'][number]

/** The pairs of maps by key. Each map is indexed once: a search for each key would be quadratic. */
type MapIndexes = WeakMap<YAMLMap, ReadonlyMap<string, Pair>>

function indexOf(map: YAMLMap, indexes: MapIndexes): ReadonlyMap<string, Pair> {
  const known = indexes.get(map)
  if (known) return known
  const index = new Map(
    map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [])),
  )
  indexes.set(map, index)
  return index
}

function toPlain(path: string, convert: () => unknown): unknown {
  try {
    return convert()
  } catch (err) {
    throw new PackageError(path, describeError(err instanceof Error ? err : new Error(String(err))))
  }
}
