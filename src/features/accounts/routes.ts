import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../config/config.ts'
import type { Value } from '../../db/database.ts'
import { isViolation } from '../../db/errors.ts'
import type { ActorDatabase } from '../../http/routing/actor.ts'
import { AppError } from '../../http/routing/errors.ts'
import { created, found, ok } from '../../http/routing/responses.ts'
import { defineRoute, type Limit, type Route } from '../../http/routing/route.ts'
import { NoFields } from '../../http/routing/schema.ts'
import type { Tokens } from '../../http/routing/tokens.ts'
import { accountDocs } from '../../openapi/operations/accounts.ts'
import type { Passwords } from './passwords.ts'
import { isAdminEmail } from './rules.ts'
import {
  accountBodies,
  BridgeSessionResponse,
  JudgeSessionResponse,
  LoginBody,
  ResetRequestBody,
  ResetRequestResponse,
  ResetResponse,
  SessionResponse,
} from './schemas.ts'
import { findAccount, followProvider, register, requestReset, resetPassword } from './sql.ts'

interface AccountDependencies {
  readonly config: Pick<Config, 'sizes' | 'accounts'>
  readonly passwords: Passwords
  readonly tokens: Tokens
}

const byAddress: Limit = { rate: 'accounts', by: 'address' }

/** The specification's authentication routes (D9 to D13). */
export function accountRoutes(deps: AccountDependencies): Route[] {
  return [...basicRoutes(deps), ...bridgeRoutes(deps), ...passwordResetRoutes(deps)]
}

function basicRoutes({ config, passwords, tokens }: AccountDependencies): Route[] {
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/basic_register',
      name: 'register',
      summary: 'Register with e-mail and password',
      docs: accountDocs.register,
      policy: 'none',
      limit: byAddress,
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: accountBodies(config).registration,
        answers: { 201: SessionResponse },
        refusals: ['REGISTRATION_DISABLED', 'USER_EXISTS'],
      },
      handler: async ({ db, body }) => {
        if (!config.accounts.registrationEnabled) {
          throw new AppError('REGISTRATION_DISABLED', 'Registration is not open on this service')
        }
        const { name, email, password, image } = body
        const passwordHash = await passwords.hash(password)
        const isAdmin = isAdminEmail(email, config.accounts)
        const rows = await db
          .query(register, [uuidv7(), name.trim(), email.trim(), image ?? '', isAdmin, passwordHash])
          .catch(refuseDuplicate)
        return created(await openSession(found(rows, 'account'), tokens))
      },
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/basic_login',
      name: 'logIn',
      summary: 'Log in with e-mail and password',
      docs: accountDocs.logIn,
      policy: 'none',
      limit: byAddress,
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: LoginBody,
        answers: { 200: SessionResponse },
        refusals: ['INVALID_CREDENTIALS'],
      },
      handler: async ({ db, body }) => {
        const find = async () => (await db.query(findAccount, [body.email.trim()]))[0]
        const account = await passwords.findByPassword(find, body.password)
        if (account === undefined) throw new AppError('INVALID_CREDENTIALS', 'Invalid credentials')
        return ok(await openSession(account, tokens))
      },
    }),
  ]
}

function bridgeRoutes({ config, tokens }: AccountDependencies): Route[] {
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/create_or_login_user',
      name: 'createOrLogInUser',
      summary: 'Exchange a login at an OAuth provider for a token (the web server only)',
      docs: accountDocs.createOrLogInUser,
      policy: 'bridge secret',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: accountBodies(config).bridge,
        answers: { 200: BridgeSessionResponse },
        refusals: ['USER_EXISTS'],
      },
      handler: async ({ db, body }) => {
        const { id, name, email, image = null } = body
        const isAdmin = isAdminEmail(email, config.accounts)
        const values = [id, name.trim(), email.trim(), image, uuidv7(), isAdmin]
        const { image: _, ...session } = await sessionOf(await followAccount(db, values), tokens)
        return ok(JSON.stringify(session))
      },
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/login_judge',
      name: 'logInJudge',
      summary: 'Log a judge worker in',
      docs: accountDocs.logInJudge,
      policy: 'judge password',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: undefined,
        answers: { 200: JudgeSessionResponse },
        refusals: [],
      },
      handler: async () => ok(JSON.stringify({ token: await tokens.issueJudgeToken() })),
    }),
  ]
}

function passwordResetRoutes({ config, passwords }: AccountDependencies): Route[] {
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/basic_request_password_reset',
      name: 'requestPasswordReset',
      summary: 'Ask for a password-reset token; always answers ok',
      docs: accountDocs.requestPasswordReset,
      policy: 'none',
      limit: byAddress,
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: ResetRequestBody,
        answers: { 200: ResetRequestResponse },
        refusals: [],
      },
      handler: async ({ db, body }) => {
        const token = randomBytes(32).toString('base64url')
        const [issued] = await db.query(requestReset, [body.email.trim(), hashToken(token)])
        const shown = issued !== undefined && config.accounts.passwordResetDebug
        return ok(JSON.stringify({ status: 'ok', ...(shown && { token }) }))
      },
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/basic_reset_password',
      name: 'resetPassword',
      summary: 'Set a new password with a reset token',
      docs: accountDocs.resetPassword,
      policy: 'none',
      limit: byAddress,
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: accountBodies(config).reset,
        answers: { 200: ResetResponse },
        refusals: ['INVALID_RESET_TOKEN'],
      },
      handler: async ({ db, body }) => {
        const { email, token, new_password } = body
        const tokenHash = token === undefined ? null : hashToken(token)
        const passwordHash = await passwords.hash(new_password)
        const rows = await db.query(resetPassword, [
          email.trim(),
          tokenHash,
          passwordHash,
          config.accounts.allowInsecurePasswordReset,
        ])
        const { known, done } = found(rows, 'account')
        if (known && !done) {
          throw new AppError(
            'INVALID_RESET_TOKEN',
            'The reset token is missing, used, wrong or expired; ask for a new one',
          )
        }
        return ok(JSON.stringify({ status: 'ok' }))
      },
    }),
  ]
}

/** An account that is made or deleted, or a name that is taken, at this instant: the next look finds what has become of it. */
async function followAccount(db: ActorDatabase, values: readonly Value[]): Promise<Account> {
  for (let misses = 0; misses < 2; misses += 1) {
    const rows = await db.query(followProvider, values).catch((err) => {
      if (isDuplicate(err)) return []
      throw err
    })
    if (rows[0] !== undefined) return rows[0]
  }
  return found(await db.query(followProvider, values).catch(refuseDuplicate), 'account')
}

type Account = NonNullable<(typeof register)['row']>

async function sessionOf({ id, name, email, image, is_admin, session_version }: Account, tokens: Tokens) {
  const token = await tokens.issueUserToken({ id, isAdmin: is_admin, sessionVersion: session_version })
  return { token, id, name, email, image }
}

async function openSession(account: Account, tokens: Tokens): Promise<string> {
  return JSON.stringify(await sessionOf(account, tokens))
}

// A token is 256 random bits, so one fast hash is enough: there is nothing to guess.
const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

const isDuplicate = (err: unknown) =>
  isViolation(err, 'users_name_key', 'users_email_key', 'users_provider_id_key')

function refuseDuplicate(err: unknown): never {
  if (isDuplicate(err)) throw new AppError('USER_EXISTS', 'Another account has this name or e-mail')
  throw err
}
