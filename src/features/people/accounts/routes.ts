import { createHash, randomBytes } from 'node:crypto'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { violatedConstraint } from '../../../http/routing/constraint-errors.ts'
import { AppError } from '../../../http/routing/errors.ts'
import type { Failures } from '../../../http/routing/failure-limits.ts'
import { created, found, notFound, ok } from '../../../http/routing/responses.ts'
import { defineRoute, type Limit } from '../../../http/routing/route.ts'
import type { Tokens } from '../../../http/routing/tokens.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { accountValues, bridgeValues } from './rules.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

type AccountDependencies = Pick<FeatureDependencies, 'config' | 'passwords' | 'tokens' | 'deliverReset'>

const byAddress: Limit = { rate: 'accounts', by: 'address' }
const wrongSecrets: Limit = { rate: 'failed secrets', by: 'address', counts: 'wrong secrets' }

/** The specification's authentication routes (D9 to D13). */
export function accountRoutes(deps: AccountDependencies) {
  return [...basicRoutes(deps), ...bridgeRoutes(deps), ...passwordResetRoutes(deps)]
}

function basicRoutes({ config, passwords, tokens }: AccountDependencies) {
  return [
    defineRoute('register', 'POST /v1/basic_register', {
      policy: 'none',
      limit: byAddress,
      body: schemas.accountBodies(config).registration,
      responses: { 201: schemas.SessionResponse },
      refusals: ['REGISTRATION_DISABLED', 'USER_EXISTS'],
      handler: async ({ db, body }) => {
        if (!config.accounts.registrationEnabled) {
          throw new AppError('REGISTRATION_DISABLED', 'Registration is not open on this service')
        }
        const password_hash = await passwords.hash(body.password)
        const values = { ...accountValues(body, config.accounts), password_hash }
        const rows = await db.query(sql.createUser, values)
        return created(JSON.stringify(await sessionOf(found(rows, 'account'), tokens)))
      },
    }),
    defineRoute('logIn', 'POST /v1/basic_login', {
      policy: 'none',
      limit: byAddress,
      body: schemas.LoginBody,
      responses: { 200: schemas.SessionResponse },
      refusals: ['INVALID_CREDENTIALS'],
      handler: async ({ db, body, request }) => {
        let failures: Failures | undefined
        const find = async () => {
          const rows = await db.query(sql.findAccount, { email: body.email.trim() })
          const { key, ...account } = found(rows, 'account')
          failures = request.server.failureLimits.ofLogin(request, key)
          failures.check()
          return account.id === null ? undefined : account
        }
        const account = await passwords.findByPassword(find, body.password)
        if (account !== undefined) return ok(JSON.stringify(await sessionOf(account, tokens)))
        failures?.count()
        throw new AppError('INVALID_CREDENTIALS', 'Invalid credentials')
      },
    }),
  ]
}

function bridgeRoutes({ config, tokens }: AccountDependencies) {
  return [
    defineRoute('createOrLogInUser', 'POST /v1/create_or_login_user', {
      policy: 'bridge secret',
      limit: wrongSecrets,
      body: schemas.accountBodies(config).bridge,
      responses: { 200: schemas.BridgeSessionResponse },
      refusals: ['USER_EXISTS'],
      handler: async ({ db, body }) => {
        const account = await followAccount(db, bridgeValues(body, config.accounts))
        const { image: _, ...session } = await sessionOf(account, tokens)
        return ok(JSON.stringify(session))
      },
    }),
    defineRoute('logInJudge', 'POST /v1/login_judge', {
      policy: 'judge password',
      limit: wrongSecrets,
      responses: { 200: schemas.JudgeSessionResponse },
      handler: async () => ok(JSON.stringify({ token: await tokens.issueJudgeToken() })),
    }),
  ]
}

function passwordResetRoutes({ config, passwords, deliverReset }: AccountDependencies) {
  return [
    defineRoute('requestPasswordReset', 'POST /v1/basic_request_password_reset', {
      policy: 'none',
      limit: byAddress,
      body: schemas.ResetRequestBody,
      responses: { 200: schemas.ResetRequestResponse },
      handler: async ({ db, body }) => {
        const token = randomBytes(32).toString('base64url')
        const [issued] = await db.query(sql.requestReset, {
          email: body.email.trim(),
          token_hash: hashToken(token),
          slot: slotOf(body.email),
        })
        if (issued !== undefined) deliverReset?.({ email: issued.email, token })
        const shown = issued !== undefined && config.accounts.passwordResetDebug
        return ok(JSON.stringify({ status: 'ok', ...(shown && { token }) }))
      },
    }),
    defineRoute('resetPassword', 'POST /v1/basic_reset_password', {
      policy: 'none',
      limit: byAddress,
      body: schemas.accountBodies(config).reset,
      responses: { 200: schemas.ResetResponse },
      refusals: ['INVALID_RESET_TOKEN'],
      handler: async ({ db, body }) => {
        const { email, token, new_password } = body
        const rows = await db.query(sql.resetPassword, {
          email: email.trim(),
          token_hash: token === undefined ? null : hashToken(token),
          password_hash: await passwords.hash(new_password),
          allow_missing_token: config.accounts.allowInsecurePasswordReset,
        })
        // An unknown e-mail gets the same response as a known one.
        if (found(rows, 'account').outcome === 'wrong_token') {
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

type ProviderAccount = NonNullable<(typeof sql.followProvider)['types']>['values']

const TRIES = 3

/** Tries again where a concurrent request created or deleted the account, or took its name. */
async function followAccount(db: ActorDatabase, values: ProviderAccount): Promise<sql.Account> {
  for (let tries = 1; ; tries += 1) {
    try {
      const [account] = await db.query(sql.followProvider, values)
      if (account !== undefined) return account
      if (tries === TRIES) throw notFound('account')
    } catch (err) {
      if (tries === TRIES || violatedConstraint(err) === undefined) throw err
    }
  }
}

async function sessionOf({ id, name, email, image, is_admin, session_version }: sql.Account, tokens: Tokens) {
  const token = await tokens.issueUserToken({ id, isAdmin: is_admin, sessionVersion: session_version })
  return { token, id, name, email, image }
}

/** One of the 1024 rows that stand for unknown e-mails. */
const slotOf = (email: string) => createHash('sha256').update(email).digest().readUInt16BE() % 1024

// A token is 256 random bits: one fast hash is enough.
const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
