import { writeTable } from '../local-servers/report.ts'

type Cell = string | number | undefined

/** Writes a table from its columns. */
export const writeColumns = <Row>(
  rows: readonly Row[],
  columns: Record<string, (row: Row) => Cell>,
): string =>
  writeTable(
    Object.keys(columns),
    rows.map((row) => Object.values(columns).map((write) => write(row))),
  )
