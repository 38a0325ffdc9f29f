import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import type { Passwords } from '../../../http/routing/passwords.ts'
import { created, found, noContent, notFound, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { UserResponse } from '../../shared/records/users.ts'
import { accountValues } from '../accounts/rules.ts'
import { createUser } from '../accounts/sql.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

type UserDependencies = Pick<FeatureDependencies, 'config' | 'passwords'>

/** The specification's Users table (D16). Here a duplicate is a 400, elsewhere a 409. */
export function userRoutes(deps: UserDependencies) {
  return [...readingRoutes(), ...writingRoutes(deps), passwordRoute(deps)]
}

function readingRoutes() {
  return [
    defineListRoute('listUsers', '/v1/users', {
      policy: 'admin',
      list: sql.listUsers,
      item: UserResponse,
      query: schemas.UserListQuery,
      values: ({ query }) => ({ username: query.username }),
    }),
    defineRoute('readUser', 'GET /v1/users/:user_id', {
      policy: 'user',
      responses: { 200: UserResponse },
      handler: async ({ db, params }) => ok(found(await db.query(sql.readUser, params), 'user').body),
    }),
  ]
}

function writingRoutes({ config, passwords }: UserDependencies) {
  return [
    defineRoute('createUser', 'POST /v1/users', {
      policy: 'admin',
      body: schemas.userCreation(config),
      responses: { 201: UserResponse },
      refusals: ['DUPLICATE_USER'],
      handler: async ({ db, body }) => {
        const values = accountValues(body, config.accounts)
        const rows = await db.query(createUser, {
          ...values,
          is_admin: values.is_admin || body.is_admin === true,
          password_hash: body.password && (await passwords.hash(body.password)),
        })
        return created(found(rows, 'user').body)
      },
    }),
    defineRoute('updateUser', 'PUT /v1/users/:user_id', {
      policy: 'admin',
      body: schemas.userUpdate(config),
      responses: { 204: undefined },
      refusals: ['DUPLICATE_USER', 'LAST_ADMIN'],
      handler: async ({ db, params, body }) =>
        changeResponse(await db.query(sql.updateUser, { ...body, ...params })),
    }),
    defineRoute('deleteUser', 'DELETE /v1/users/:user_id', {
      policy: 'self or admin',
      responses: { 204: undefined },
      refusals: ['LAST_ADMIN'],
      handler: async ({ db, params }) => changeResponse(await db.query(sql.deleteUser, params)),
    }),
  ]
}

function changeResponse(rows: { outcome: 'changed' | 'last_admin' | 'no_user' }[]) {
  const { outcome } = found(rows, 'user')
  if (outcome === 'no_user') throw notFound('user')
  if (outcome === 'last_admin') {
    throw new AppError(
      'LAST_ADMIN',
      'The last admin cannot be deleted or demoted: make another user an admin first',
    )
  }
  return noContent
}

/** Sets passwords: users set their own, admins the passwords of users (P19). */
function passwordRoute({ config, passwords }: UserDependencies) {
  return defineRoute('setPassword', 'PUT /v1/users/:user_id/password', {
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
  })
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
