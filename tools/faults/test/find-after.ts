import { expect } from 'vitest'
import type { Database, Queryable, Transaction } from '../../../src/db/database.ts'
import type { Finding } from '../checks.ts'

/** The titles of the findings after this SQL, which is rolled back. */
export async function findAfter(
  database: Database,
  sql: string,
  check: (db: Queryable) => Promise<readonly Finding[]>,
): Promise<string[]> {
  const rollback = new Error('roll back')
  const found: string[] = []
  const work = async (tx: Transaction) => {
    await tx.execute(sql)
    const findings = await check(tx)
    found.push(...findings.filter(({ ids }) => ids.length > 0).map(({ what }) => what))
    throw rollback
  }
  await expect(database.transaction(work)).rejects.toBe(rollback)
  return found
}
