/** A language file that cannot be used; the message says what is wrong and where. */
export class LanguagesError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LanguagesError'
  }
}

type Words = readonly [string, ...string[]]

/** Typed access to one TOML table; every method throws `LanguagesError` naming the field and what it wants. */
export interface Fields {
  has(key: string): boolean
  allowOnly(keys: readonly string[]): void
  /** A text that is not blank. */
  text(key: string): string
  texts(key: string): string[]
  /** A command, word by word, whose placeholders are known. */
  words(key: string): Words
  /** File extensions, without the dot. */
  extensions(key: string): Words
  /** The name of a file, not a path. */
  fileName(key: string): string
  /** A whole number, zero or more. */
  count(key: string): number
  environment(key: string): Record<string, string>
  tables(key: string): Fields[]
}

const PLACEHOLDERS = ['{dir}', '{source}', '{binary}', '{node}', '{memory_mib}']

/** Reads `value` as one table; `where` leads every message. */
export function readFields(value: unknown, where: string): Fields {
  const table = readTable(value, where)
  const fail = (key: string, wanted: string): never => {
    throw new LanguagesError(
      `${where}: ${key} ${key in table ? `must be ${wanted}` : `is missing; it must be ${wanted}`}`,
    )
  }
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
    has: (key) => key in table,
    allowOnly(keys) {
      const unknown = Object.keys(table).find((key) => !keys.includes(key))
      if (unknown !== undefined)
        throw new LanguagesError(`${where}: ${unknown} is not known; known are ${keys.join(', ')}`)
    },
    text: readText,
    texts: (key) => readTexts(key, 'an array of texts'),
    words: (key) =>
      readSome(
        key,
        `a command as an array of words, with no placeholders but ${PLACEHOLDERS.join(' ')}`,
        hasKnownPlaceholders,
      ),
    extensions: (key) =>
      readSome(key, 'an array of at least one extension, without dots', (text) => /^[^.\s/]+$/.test(text)),
    fileName: (key) =>
      /^[\w-][\w.-]*$/.test(readText(key)) ? readText(key) : fail(key, 'a plain file name'),
    count(key) {
      const count = table[key]
      return typeof count === 'number' && Number.isInteger(count) && count >= 0
        ? count
        : fail(key, 'a whole number, 0 or more')
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

function readTable(value: unknown, where: string): Record<string, unknown> {
  if (!isTable(value)) throw new LanguagesError(`${where} must be a table`)
  return value
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isTextTable(value: unknown): value is Record<string, string> {
  return isTable(value) && Object.values(value).every((item) => typeof item === 'string')
}

function hasKnownPlaceholders(word: string): boolean {
  return (word.match(/\{\w*\}/g) ?? []).every((placeholder) => PLACEHOLDERS.includes(placeholder))
}

function nameOf(value: unknown): string {
  return isTable(value) && isText(value.name) ? ` ("${value.name}")` : ''
}
