import { AppError } from '../../../http/routing/errors.ts'
import { isAwaited, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { createValidatorCompiler } from '../../../http/routing/validation.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { readUsersCsv } from './csv.ts'
import { type ImportContext, importUsers } from './import.ts'
import * as schemas from './schemas.ts'

type ImportDependencies = Pick<FeatureDependencies, 'config' | 'passwords'>

/** Hashes of logins go first: the largest import takes half a minute, and longer under load. */
const IMPORT_TIMEOUT_MS = 300_000

/** Creates many accounts in one request (P19). */
export function userImportRoutes({ config, passwords }: ImportDependencies) {
  const validate = createValidatorCompiler()(schemas.importedUser(config), 'body')
  // The schema guarantees the type.
  const check = validate as ImportContext['check']
  return [
    defineRoute('importUsers', 'POST /v1/users/import', {
      policy: 'admin',
      pool: 'bulk',
      timeoutMs: IMPORT_TIMEOUT_MS,
      largeBodyAdvice: 'send fewer users at a time',
      query: schemas.ImportQuery,
      body: schemas.ImportBody,
      readCsv: readUsersCsv,
      responses: { 200: schemas.ImportResponse },
      refusals: ['NOT_FOUND'],
      handler: async ({ db, query, body, request: { response, bodyWarnings: warnings = [] } }) => {
        if (query.event_id === undefined && body.users.some(({ team }) => team != null)) {
          throw new AppError('VALIDATION', 'event_id is required in the query: a user has a team')
        }
        const isWaiting = () => isAwaited(response)
        const ctx = { db, accounts: config.accounts, passwords, check, isWaiting }
        const users = await importUsers(ctx, body.users, query)
        const imported = { users, ...(warnings.length > 0 && { warnings }) }
        return { ...ok(JSON.stringify(imported)), headers: { 'cache-control': 'no-store' } }
      },
    }),
  ]
}
