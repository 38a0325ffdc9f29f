import type { Transform } from 'node:stream'
import { type Options, stringify } from 'csv-stringify'
import { stringify as stringifyAll } from 'csv-stringify/sync'

/** A cell; undefined is an empty one. */
export type CsvCell = string | number | undefined

/**
 * A cell that begins with = + - @, a tab or a carriage return gets an apostrophe in front, so that
 * no spreadsheet takes it for a formula. Numbers are never changed. Excel needs the byte order mark
 * to recognise UTF-8.
 */
const OPTIONS = { bom: true, escape_formulas: true, record_delimiter: 'windows' } satisfies Options

/** The text of a CSV file (RFC 4180, UTF-8) for spreadsheets; `bom: false`: without the mark. */
export function formatCsv(
  header: readonly string[],
  rows: readonly (readonly CsvCell[])[],
  options: { readonly bom?: false } = {},
): string {
  return stringifyAll([header, ...rows], { ...OPTIONS, ...options })
}

/** The same as a stream: write the rows to it, as arrays of cells. */
export function createCsvStream(header: readonly string[]): Transform {
  const stream = stringify(OPTIONS)
  stream.write(header)
  return stream
}

/** True if a CSV file shows this text with an apostrophe in front. */
export function isMadeSafe(text: string): boolean {
  return !formatCsv([text], [])
    .replace(/^\ufeff"?/, '')
    .startsWith(text.charAt(0))
}
