/** An invalid language file; the message has the place and the correction. */
export class LanguagesError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LanguagesError'
  }
}

type Words = readonly [string, ...string[]]

/** Typed access to one TOML table. Each method throws `LanguagesError`: the field and its type. */
export interface Fields extends PresenceMethods, TextMethods, ValueMethods {}

interface PresenceMethods {
  has(key: string): boolean
  allowOnly(keys: readonly string[]): void
  /** Refuses a table that has both keys. */
  allowOneOf(key: string, other: string): void
}

interface TextMethods {
  /** A text that is not blank. */
  text(key: string): string
  texts(key: string): string[]
  /** A command as words. `more` lists placeholders that only this command may contain. */
  words(key: string, more?: readonly string[]): Words
  /** File extensions, without the dot. */
  extensions(key: string): Words
  /** The name of a file, not a path. */
  fileName(key: string): string
}

interface ValueMethods {
  /** A whole number, zero or more. */
  count(key: string): number
  /** A whole number, one or more. */
  positiveCount(key: string): number
  flag(key: string): boolean
  environment(key: string): Record<string, string>
  tables(key: string): Fields[]
}

type Table = Record<string, unknown>

/** Throws `LanguagesError`: `key` is missing, or its value is not the `wanted` one. */
type Fail = (key: string, wanted: string) => never

const PLACEHOLDERS = ['{dir}', '{source}', '{binary}', '{node}', '{memory_mib}']

/** Reads `value` as one table; `where` leads every message. */
export function readFields(value: unknown, where: string): Fields {
  const table = readTable(value, where)
  const fail: Fail = (key, wanted) => {
    throw new LanguagesError(
      `${where}: ${key} ${key in table ? `must be ${wanted}` : `is missing; it must be ${wanted}`}`,
    )
  }
  return {
    ...makePresenceMethods(table, where),
    ...makeTextMethods(table, fail),
    ...makeValueMethods(table, where, fail),
  }
}

function makePresenceMethods(table: Table, where: string): PresenceMethods {
  return {
    has: (key) => key in table,
    allowOnly(keys) {
      const unknown = Object.keys(table).find((key) => !keys.includes(key))
      if (unknown !== undefined)
        throw new LanguagesError(`${where}: ${unknown} is an unknown field; use ${keys.join(', ')}`)
    },
    allowOneOf(key, other) {
      if (key in table && other in table)
        throw new LanguagesError(`${where}: ${key} and ${other} exclude each other; remove one of them`)
    },
  }
}

function makeTextMethods(table: Table, fail: Fail): TextMethods {
  const readText = (key: string): string => {
    const text = table[key]
    return isText(text) ? text : fail(key, 'a text that is not blank')
  }
  const readTexts = (key: string, wanted: string): string[] => {
    const list = table[key]
    return Array.isArray(list) && list.every(isText) ? list : fail(key, wanted)
  }
  const readSome = (key: string, wanted: string, fits: (text: string) => boolean): Words => {
    const [first, ...rest] = readTexts(key, wanted)
    return first !== undefined && [first, ...rest].every(fits) ? [first, ...rest] : fail(key, wanted)
  }
  return {
    text: readText,
    texts: (key) => readTexts(key, 'an array of texts'),
    words(key, more = []) {
      const known = [...PLACEHOLDERS, ...more]
      return readSome(
        key,
        `a command as an array of words, with no placeholders but ${known.join(' ')}`,
        (word) => findPlaceholders(word).every((placeholder) => known.includes(placeholder)),
      )
    },
    extensions: (key) =>
      readSome(key, 'an array of at least one extension, without dots', (text) => /^[^.\s/]+$/.test(text)),
    fileName: (key) =>
      /^[\w-][\w.-]*$/.test(readText(key)) ? readText(key) : fail(key, 'a plain file name'),
  }
}

function makeValueMethods(table: Table, where: string, fail: Fail): ValueMethods {
  return {
    count(key) {
      const count = table[key]
      return isCount(count) ? count : fail(key, 'a whole number, 0 or more')
    },
    positiveCount(key) {
      const count = table[key]
      return isCount(count) && count > 0 ? count : fail(key, 'a whole number, 1 or more')
    },
    flag(key) {
      const flag = table[key]
      return typeof flag === 'boolean' ? flag : fail(key, 'true or false')
    },
    environment(key) {
      const variables = table[key]
      return isTextTable(variables) ? variables : fail(key, 'a table of texts')
    },
    tables(key) {
      const tables = table[key]
      if (!Array.isArray(tables)) return fail(key, `a list of tables, each headed [[${key}]]`)
      return tables.map((item, index) => readFields(item, `${where}: ${key}[${index}]${nameOf(item)}`))
    },
  }
}

function readTable(value: unknown, where: string): Table {
  if (!isTable(value)) throw new LanguagesError(`${where} must be a table`)
  return value
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isTextTable(value: unknown): value is Record<string, string> {
  return isTable(value) && Object.values(value).every((item) => typeof item === 'string')
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function findPlaceholders(word: string): readonly string[] {
  return word.match(/\{\w*\}/g) ?? []
}

function nameOf(value: unknown): string {
  return isTable(value) && isText(value.name) ? ` ("${value.name}")` : ''
}
