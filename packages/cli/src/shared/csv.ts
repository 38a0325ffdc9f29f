import type { Transform } from 'node:stream'
import { replaceControls } from '@judge-data-layer/runtime/visible-text'
import { type CastingContext, type Options, stringify } from 'csv-stringify'
import { stringify as stringifyAll } from 'csv-stringify/sync'

/** A cell; undefined is an empty one. */
export type CsvCell = string | number | undefined

/** Passwords are the only cells that are read again, and must stay as they are. */
const PASSWORD = 'password'

/**
 * A cell that begins with = + - @, a tab or a carriage return gets an apostrophe in front, so that
 * no spreadsheet takes it for a formula. Control, format and direction characters become U+FFFD.
 * Numbers are never changed. Excel needs the byte order mark to recognise UTF-8.
 */
const optionsFor = (header: readonly string[]) =>
  ({
    ...{ bom: true, escape_formulas: true, record_delimiter: 'windows' },
    cast: {
      string: (cell: string, { index }: CastingContext) =>
        header[index] === PASSWORD ? cell : replaceControls(cell),
    },
  }) satisfies Options

/** The text of a CSV file (RFC 4180, UTF-8) for spreadsheets; `bom: false`: without the mark. */
export function formatCsv(
  header: readonly string[],
  rows: readonly (readonly CsvCell[])[],
  options: { readonly bom?: false } = {},
): string {
  return stringifyAll([header, ...rows], { ...optionsFor(header), ...options })
}

/** The same as a stream: write the rows to it, as arrays of cells. */
export function createCsvStream(header: readonly string[]): Transform {
  const stream = stringify(optionsFor(header))
  stream.write(header)
  return stream
}

/** True if a CSV file shows this password with an apostrophe in front. */
export function isMadeSafe(password: string): boolean {
  const [, cell = ''] = formatCsv([PASSWORD], [[password]]).split('\r\n')
  return !cell.replace(/^"/, '').startsWith(password.charAt(0))
}
