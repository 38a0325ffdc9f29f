import Type from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../config/config.ts'
import { isViolation } from '../../db/errors.ts'
import { AppError } from '../../http/routing/errors.ts'
import { answerList, created, found, noContent, ok } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { NoFields, UserPath } from '../../http/routing/schema.ts'
import { userDocs } from '../../openapi/operations/users.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { isAdminEmail } from '../accounts/rules.ts'
import { UserListQuery, UserResponse, userCreation, userUpdate } from './schemas.ts'
import { createUser, deleteUser, listUsers, readUser, updateUser } from './sql.ts'

interface UserDependencies {
  readonly config: Pick<Config, 'sizes' | 'accounts'>
  readonly passwords: Passwords
}

/** The specification's Users table (D16). */
export function userRoutes({ config, passwords }: UserDependencies): Route[] {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/users',
      name: 'listUsers',
      summary: 'List the users, or those whose name contains a text',
      docs: userDocs.listUsers,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: UserListQuery,
        body: undefined,
        answers: { 200: Type.Array(UserResponse) },
        refusals: [],
      },
      handler: (ctx) => answerList(ctx, listUsers, [ctx.query.username ?? null], 'list'),
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/users/:user_id',
      name: 'readUser',
      summary: 'Read a user',
      docs: userDocs.readUser,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: UserPath,
        query: NoFields,
        body: undefined,
        answers: { 200: UserResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params }) => ok(found(await db.ask(readUser, [params.user_id]), 'user').body),
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/users',
      name: 'createUser',
      summary: 'Create a user',
      docs: userDocs.createUser,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: userCreation(config),
        answers: { 201: UserResponse },
        refusals: ['DUPLICATE_USER'],
      },
      handler: async ({ db, body }) => {
        const { name, email, image, is_admin = false, password } = body
        await db.confirm()
        const passwordHash = password === undefined ? null : await passwords.hash(password)
        const isAdmin = is_admin || isAdminEmail(email, config.accounts)
        const rows = await db
          .query(createUser, [uuidv7(), name.trim(), email.trim(), image ?? '', isAdmin, passwordHash, null])
          .catch(refuseDuplicate)
        return created(found(rows, 'user').body)
      },
    }),
    defineRoute({
      method: 'PUT',
      url: '/v1/users/:user_id',
      name: 'updateUser',
      summary: 'Change a user’s name, image or admin flag',
      docs: userDocs.updateUser,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: UserPath,
        query: NoFields,
        body: userUpdate(config),
        answers: { 204: undefined },
        refusals: ['NOT_FOUND', 'DUPLICATE_USER', 'LAST_ADMIN'],
      },
      handler: async ({ db, params, body }) => {
        const { name, image = null, is_admin = null } = body
        const rows = await db
          .query(updateUser, [params.user_id, name?.trim() ?? null, image, is_admin])
          .catch(refuseDuplicate)
        return keepLastAdmin(rows)
      },
    }),
    defineRoute({
      method: 'DELETE',
      url: '/v1/users/:user_id',
      name: 'deleteUser',
      summary: 'Delete a user; their tokens stop working at once',
      docs: userDocs.deleteUser,
      policy: 'self or admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: UserPath,
        query: NoFields,
        body: undefined,
        answers: { 204: undefined },
        refusals: ['NOT_FOUND', 'LAST_ADMIN'],
      },
      handler: async ({ db, params }) => keepLastAdmin(await db.query(deleteUser, [params.user_id])),
    }),
  ]
}

function refuseDuplicate(err: unknown): never {
  // On these two routes a duplicate is a 400 (specification, Users), elsewhere a 409.
  if (isViolation(err, 'users_name_key', 'users_email_key')) {
    throw new AppError('DUPLICATE_USER', 'Another user has this name or e-mail')
  }
  throw err
}

function keepLastAdmin(rows: { known: boolean; done: boolean }[]) {
  const { known, done } = found(rows, 'user')
  if (!known) throw new AppError('NOT_FOUND', 'There is no such user')
  if (!done) throw new AppError('LAST_ADMIN', 'The last admin stays: make another user an admin first')
  return noContent
}
