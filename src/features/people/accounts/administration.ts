import { generatePassword } from '@judge-data-layer/runtime/generated-password'
import { tidyText } from '@judge-data-layer/runtime/visible-text'
import Type, { type TProperties } from 'typebox'
import type { Config } from '../../../config/config.ts'
import type { Queryable } from '../../../db/database.ts'
import { violatedConstraint } from '../../../http/routing/constraint-errors.ts'
import type { Passwords } from '../../../http/routing/passwords.ts'
import { createValidatorCompiler } from '../../../http/routing/validation.ts'
import { accountValues } from './rules.ts'
import { accountFields, newPassword } from './schemas.ts'
import * as sql from './sql.ts'

/** What the commands need of the service. */
export interface Administration {
  readonly database: Queryable
  readonly passwords: Passwords
  readonly accounts: Pick<Config['accounts'], 'adminEmails' | 'passwordMinLength'>
  readonly sizes: Pick<Config['sizes'], 'nameCharacters'>
}

/** An error for the person at the command line. */
export class AdministrationError extends Error {}

/** Creates an account by the rules for all accounts (D11, D12). Throws `AdministrationError`. */
export async function createAccount(
  { database, passwords, ...rules }: Administration,
  sent: { readonly name: string; readonly email: string },
  options: { readonly isAdmin: boolean; readonly password: string | undefined },
) {
  const { name, email } = accountFields(rules.sizes)
  const values = accountValues(check({ name, email }, sent), rules.accounts)
  const password = choosePassword(options.password, rules.accounts)
  const is_admin = options.isAdmin || values.is_admin
  const account = { ...values, is_admin, password_hash: await passwords.hash(password) }
  await database.query(sql.createUser, { ...account, ...nobody }).catch((err: unknown) => {
    if (violatedConstraint(err) === undefined) throw err
    throw new AdministrationError('Another account has this name or e-mail address.')
  })
  return { id: account.id, email: account.email, isAdmin: is_admin, password }
}

/** Sets the password of any account, and ends its sessions (D9). Throws `AdministrationError`. */
export async function replacePassword(
  { database, passwords, accounts }: Administration,
  email: string,
  given: string | undefined,
): Promise<string> {
  const password = choosePassword(given, accounts)
  const [result] = await database.query(sql.resetPassword, {
    email: tidyText(email),
    token_hash: null,
    password_hash: await passwords.hash(password),
    allow_missing_token: true,
  })
  if (result?.outcome !== 'reset') throw unknownEmail()
  return password
}

/** Makes a user an admin. Throws `AdministrationError`. */
export async function promote({ database }: Administration, email: string): Promise<void> {
  const rows = await database.query(sql.promoteUser, { email: tidyText(email) })
  if (rows.length === 0) throw unknownEmail()
}

const unknownEmail = () => new AdministrationError('No account has this e-mail address.')

/** No request, and so no actor. */
const nobody = { actor: null, actor_role: 0, actor_session: null }

function choosePassword(given: string | undefined, accounts: Administration['accounts']): string {
  if (given === undefined) return generatePassword(accounts.passwordMinLength)
  return check({ password: newPassword(accounts) }, { password: given }).password
}

/** The tidied values; the validator writes them to its copy. */
function check<V extends object>(fields: TProperties, sent: V): V {
  const values = { ...sent }
  const result = createValidatorCompiler()(Type.Object(fields), 'body')(values)
  if ('error' in result) throw new AdministrationError(`${result.error.message}.`)
  return values
}
