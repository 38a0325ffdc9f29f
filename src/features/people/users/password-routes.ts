import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import type { Passwords } from '../../../http/routing/passwords.ts'
import { found, noContent } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import * as sql from './password-sql.ts'
import * as schemas from './schemas.ts'

type PasswordDependencies = Pick<FeatureDependencies, 'config' | 'passwords'>

/** Sets passwords: users set their own, admins the passwords of users (P19). */
export function passwordRoutes({ config, passwords }: PasswordDependencies) {
  return [
    defineRoute('setPassword', 'PUT /v1/users/:user_id/password', {
      policy: 'self or admin',
      limit: { rate: 'accounts', by: 'user', counts: 'requests for oneself' },
      body: schemas.passwordChange(config),
      responses: { 204: undefined },
      refusals: ['INVALID_CREDENTIALS'],
      handler: async ({ db, actor, params, body }) => {
        if (actor.role === 1) throw new AppError('FORBIDDEN', 'Judges have no password')
        if (params.user_id !== actor.id) return setPassword(db, params.user_id, body.password, passwords)
        return changeOwn(db, passwords, body)
      },
    }),
  ]
}

/** Hashes the new password first: a wrong current password costs as many hashes as a right one. */
async function changeOwn(
  db: ActorDatabase,
  passwords: Passwords,
  { password, current_password }: { readonly password: string; readonly current_password?: string },
) {
  if (current_password === undefined) {
    throw new AppError('VALIDATION', 'current_password is required for your own password')
  }
  const password_hash = await passwords.hash(password)
  const findOwn = async () => {
    const own = found(await db.query(sql.readOwnPassword), 'user')
    if (own.password_hash === null) {
      throw new AppError(
        'FORBIDDEN',
        'Your account has no password yet: ask for a password reset, or ask an admin to set one',
      )
    }
    return own
  }
  const own = await passwords.findByPassword(findOwn, current_password)
  if (own?.password_hash == null) throw wrongPassword()
  const values = { compared_hash: own.password_hash, password_hash }
  if ((await db.query(sql.changeOwnPassword, values)).length === 0) throw wrongPassword()
  return noContent
}

const wrongPassword = () => new AppError('INVALID_CREDENTIALS', 'Invalid credentials')

async function setPassword(db: ActorDatabase, user_id: string, password: string, passwords: Passwords) {
  const rows = await db.query(sql.setPassword, { user_id, password_hash: await passwords.hash(password) })
  if (found(rows, 'user').outcome === 'is_admin') {
    throw new AppError('FORBIDDEN', 'Only admins themselves may change the password of an admin')
  }
  return noContent
}
