import type { Database, Queryable, Transactable } from '../../src/db/database.ts'
import type { ColumnType, Row, RowShape } from '../../src/db/statement.ts'

/** Adds to `violations` each row that has none of the shapes that its statement declares. */
export function checkRows(database: Database, violations: Set<string>): Database {
  const checked =
    (ask: Queryable['query']): Queryable['query'] =>
    async (statement, ...values) => {
      const rows = await ask(statement, ...values)
      const { name, columns } = statement
      if (columns !== undefined)
        for (const row of rows)
          if (!hasShape(row, columns)) violations.add(`${name}: ${JSON.stringify(row).slice(0, 500)}`)
      return rows
    }
  const over = (own: Transactable): Transactable => ({
    query: checked(own.query),
    transaction: (work) => own.transaction((tx) => work({ ...tx, query: checked(tx.query) })),
  })
  return { ...database, ...over(database), forRequest: (one) => over(database.forRequest(one)) }
}

/** Whether a row has one of the shapes; its columns have their types. */
export const hasShape = (row: Row, shapes: readonly RowShape[]) =>
  shapes.some((shape) => {
    for (const name in shape) if (!allows(shape[name], row[name])) return false
    return true
  })

function allows(column: ColumnType | undefined, value: unknown): boolean {
  if (typeof column === 'object' && column.values !== undefined) return column.values.includes(value)
  const type = typeof column === 'object' ? column.type : (column ?? 'null')
  return value === null ? type.endsWith('null') : type !== 'null'
}
