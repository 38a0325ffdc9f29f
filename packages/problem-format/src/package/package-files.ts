import { isUtf8 } from 'node:buffer'
import { findHidden, replaceHidden } from '@judge-data-layer/runtime/visible-text'

/** A file of a problem package. `path` is relative to the package's folder, with `/`. */
export interface PackageFile {
  readonly path: string
  /** The size of the content. */
  readonly bytes: number
  /** The content; it is read again each time. Throws `PackageError` for a damaged file. */
  read(): Promise<Buffer>
}

/** The files of a package by path, sorted by path. Folders are only the beginnings of paths. */
export type PackageFiles = ReadonlyMap<string, PackageFile>

/** The file of an export with the fields that the format has no place for. Others ignore it. */
export const OWN_SETTINGS = '.judge-data-layer.json'

/** The folders of output validators; the second is an older name of the first. */
export const OUTPUT_VALIDATOR_FOLDERS = ['output_validator', 'output_validators'] as const

/** Nesting of YAML, JSON, LaTeX and folders is bounded: many readers call themselves for each level. */
export const MOST_LEVELS = 64

/** A fault of a package; the message names the file, and the line (from 1) where one is known. */
export class PackageError extends Error {
  override readonly name = 'PackageError'

  constructor(file: string, message: string, line?: number) {
    super(`${file}${line === undefined ? '' : `, line ${line}`}: ${cut(message)}`)
  }
}

const MOST_MESSAGE_CHARACTERS = 1000

/** Messages may contain texts of the package. */
const cut = (message: string) =>
  message.length > MOST_MESSAGE_CHARACTERS ? `${message.slice(0, MOST_MESSAGE_CHARACTERS)}…` : message

const MEBIBYTE = 1024 * 1024
/** Of a whole package, also the texts of test cases. */
const MOST_YAML_BYTES = 16 * MEBIBYTE
const MOST_YAML_NODES = 200_000

/** Bounds the YAML of a package: thousands of test cases may each have a file. */
class YamlBudget {
  #bytes = 0
  #nodes = 0

  /** Throws `PackageError` with the file at which the bound is reached. */
  addBytes(file: string, bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > MOST_YAML_BYTES)
      throw new PackageError(
        file,
        `all YAML files must have at most ${MOST_YAML_BYTES / MEBIBYTE} MiB together`,
      )
  }

  /** Throws like `addBytes`. */
  addNodes(file: string, nodes: number): void {
    this.#nodes += nodes
    if (this.#nodes > MOST_YAML_NODES)
      throw new PackageError(file, `all YAML files must have at most ${MOST_YAML_NODES} values together`)
  }
}

/** Something of a package that was not imported, or is not used. */
export interface Warning {
  readonly file: string
  /** From 1. */
  readonly line?: number
  readonly message: string
}

/** A hostile package could have very many. */
const MOST_WARNINGS = 1000
const MOST_WARNING_CHARACTERS = 128 * 1024

/**
 * Collects the warnings of an import: the first 1,000, and the number of others in a last one.
 * Knows how much YAML was read.
 */
export class Warnings {
  readonly list: Warning[] = []
  readonly budget = new YamlBudget()
  #characters = 0
  #others = 0

  add(file: string, text: string, line?: number): void {
    const message = cut(text)
    this.#characters += file.length + message.length
    if (this.list.length < MOST_WARNINGS && this.#characters <= MOST_WARNING_CHARACTERS) {
      this.list.push({ file, ...(line !== undefined && { line }), message })
      return
    }
    if (this.#others > 0) this.list.pop()
    this.#others += 1
    const others = `… and ${this.#others} more warning${this.#others === 1 ? '' : 's'}`
    this.list.push({ file: 'the package', message: others })
  }
}

/**
 * A name that many people see, with U+FFFD in place of hidden characters, and spaces in place of
 * line breaks (D11). `warn` gets a message if it has some.
 */
export function readShownName(text: string, warn: (message: string) => void): string {
  const hidden = findHidden(text)
  if (hidden !== undefined)
    warn(`${hidden} is replaced: names have no invisible, control and direction characters`)
  return replaceHidden(text)
}

/** The files below a folder, such as `data/secret`. */
export function filesIn(files: PackageFiles, folder: string): PackageFile[] {
  return [...files.values()].filter(({ path }) => path.startsWith(`${folder}/`))
}

/** True for files that the format ignores: a part of the path begins with `.` or `-`. */
export const isHidden = (path: string) => path.split('/').some((part) => /^[.-]/.test(part))

/** Reads a text. Throws `PackageError` unless it is UTF-8 without NUL; drops a byte-order mark. */
export async function readText(file: PackageFile): Promise<string> {
  return decodeText(file.path, await file.read()).replace(/^\uFEFF/, '')
}

/** The text of bytes, with a byte-order mark. Throws like `readText`. */
export function decodeText(path: string, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new PackageError(path, 'the file must be UTF-8')
  const text = bytes.toString('utf8')
  const nul = text.indexOf('\0')
  if (nul >= 0) throw new PackageError(path, 'the file must not contain a NUL character', lineAt(text, nul))
  return text
}

/** A file of a package with a text as its content. */
export function makeTextFile(path: string, text: string): PackageFile {
  const content = Buffer.from(text)
  return { path, bytes: content.length, read: async () => content }
}

/** The content of a file that `readText` reads as this text: reading drops one byte-order mark. */
export const keepMark = (text: string) => (text.startsWith('\uFEFF') ? `\uFEFF${text}` : text)

/** The line (from 1) of a place in a text. */
export const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length
