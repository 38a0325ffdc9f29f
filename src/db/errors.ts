import { DatabaseError } from './database.ts'

const VIOLATIONS = new Set(['23503', '23505'])

/** Whether a statement was refused by one of these constraints (unique or foreign key), by name. */
export function isViolation(err: unknown, ...constraints: string[]): err is DatabaseError {
  return (
    err instanceof DatabaseError && VIOLATIONS.has(err.sqlState) && constraints.includes(err.constraint ?? '')
  )
}
