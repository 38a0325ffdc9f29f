import { AppError } from '../../../http/routing/errors.ts'
import { created, found, noContent, notFound, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { UserResponse } from '../../shared/records/users.ts'
import { accountValues } from '../accounts/rules.ts'
import { createUser } from '../accounts/sql.ts'
import { passwordRoutes } from './password-routes.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

type UserDependencies = Pick<FeatureDependencies, 'config' | 'passwords'>

/** The specification's Users table (D16). Here a duplicate is a 400, elsewhere a 409. */
export function userRoutes(deps: UserDependencies) {
  return [...readingRoutes(), ...writingRoutes(deps), ...passwordRoutes(deps)]
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
