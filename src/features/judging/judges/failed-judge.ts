import { replaceHidden } from '@judge-data-layer/runtime/visible-text'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../../db/database.ts'
import { reportFailedJudge } from './sql.ts'

/** Returns a function that stores why a worker has ended (P27). If that fails, it logs a warning. */
export function createJudgeReport(database: Database, logger: FastifyBaseLogger) {
  return async (name: string, failure: string): Promise<void> => {
    // Other programs may have written part of the text. PostgreSQL stores no U+0000.
    const text = failure.replaceAll('\0', '\uFFFD').toWellFormed()
    await database
      .query(reportFailedJudge, { name: replaceHidden(name), failure: text })
      .catch((err: unknown) => logger.warn({ err }, 'the failure of the worker was not stored'))
  }
}
