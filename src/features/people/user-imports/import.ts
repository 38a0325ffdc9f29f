import { generatePassword } from '@judge-data-layer/runtime/generated-password'
import { tidyText } from '@judge-data-layer/runtime/visible-text'
import type { Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../../config/config.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import type { Passwords } from '../../../http/routing/passwords.ts'
import { found } from '../../../http/routing/responses.ts'
import { accountValues } from '../accounts/rules.ts'
import type { ImportBody, ImportQuery, ImportResponse, importedUser } from './schemas.ts'
import * as sql from './sql.ts'

type SentUser = Static<typeof ImportBody>['users'][number]
type CheckedUser = Static<ReturnType<typeof importedUser>>
type Query = Static<typeof ImportQuery>
type ImportedUser = Static<typeof ImportResponse>['users'][number]

/** A user that keeps the rules for accounts. */
interface Candidate extends ReturnType<typeof accountValues> {
  readonly number: number
  readonly team: string | null
  readonly new_team_id: string | null
  readonly password: string
  readonly isGenerated: boolean
  /** Computed only for a new account. */
  password_hash: string | null
}

export interface ImportContext {
  readonly db: ActorDatabase
  readonly accounts: Config['accounts']
  readonly passwords: Passwords
  /** Applies the rules for one user; returns the tidied texts, or the error. */
  readonly check: (user: object) => { readonly value: CheckedUser } | { readonly error: AppError }
  /** False when the client has gone or has got its 503. */
  readonly isWaiting: () => boolean
}

const TRIES = 4

/** A concurrent change interfered: nothing was stored. */
class ImportConflict extends Error {}

/**
 * Imports users (P19). Hashes are computed before the transaction, and only for new accounts.
 * Throws VALIDATION for a refused user unless the import is partial, and NOT_FOUND for an unknown
 * event.
 */
export async function importUsers(
  ctx: ImportContext,
  users: readonly SentUser[],
  query: Query,
): Promise<ImportedUser[]> {
  const checked = users.map((user, i) => checkUser(ctx, user, i + 1))
  const candidates = checked.filter((user) => 'number' in user)
  const finish = (results: readonly sql.ClassifiedUser[]) => {
    const byNumber = new Map(results.map((result) => [result.number, result]))
    const imported = checked.map((user) =>
      'number' in user ? describe(user, byNumber.get(user.number)) : user,
    )
    if (!query.partial) requireAccepted(imported)
    return imported
  }
  for (let tries = 1; ; tries += 1) {
    const rows = await ctx.db.query(sql.classifyUsers, valuesOf(candidates, query))
    const classified = found(rows, 'event').users
    finish(classified)
    await hashPasswords(ctx, candidates, classified)
    try {
      return await ctx.db.transaction(async (tx) => finish(await storeUsers(tx, candidates, query)))
    } catch (err) {
      if (!(err instanceof ImportConflict)) throw err
      if (tries === TRIES)
        throw new AppError('UNAVAILABLE', 'Other requests changed the same users; send the import again')
    }
  }
}

/** The candidate, or the user as refused if it breaks a rule. */
function checkUser(
  { check, accounts }: ImportContext,
  { password, team, ...rest }: SentUser,
  number: number,
): Candidate | ImportedUser {
  const checked = check({ ...rest, ...(password != null && { password }), ...(team != null && { team }) })
  if ('error' in checked) return refuse(rest.email, checked.error.message)
  const { value } = checked
  return {
    ...accountValues(value, accounts),
    number,
    team: value.team ?? null,
    new_team_id: value.team === undefined ? null : uuidv7(),
    password: value.password ?? generatePassword(accounts.passwordMinLength),
    isGenerated: value.password === undefined,
    password_hash: null,
  }
}

const refuse = (email: string, error: string) => ({
  email: tidyText(email),
  outcome: 'refused' as const,
  error,
})

const valuesOf = (candidates: readonly Candidate[], { event_id }: Query) => ({
  event_id,
  users: JSON.stringify(candidates.map(({ password: _, isGenerated: __, ...user }) => user)),
})

async function storeUsers(tx: ActorDatabase, candidates: readonly Candidate[], query: Query) {
  const { users } = found(await tx.query(sql.storeUsers, valuesOf(candidates, query)), 'event')
  if (users.some(({ outcome }) => outcome === 'conflict')) throw new ImportConflict()
  return users
}

async function hashPasswords(
  { passwords, isWaiting }: ImportContext,
  candidates: readonly Candidate[],
  classified: readonly sql.ClassifiedUser[],
): Promise<void> {
  const created = classified.filter(({ outcome }) => outcome === 'created')
  const numbers = new Set(created.map(({ number }) => number))
  const missing = candidates.filter((user) => numbers.has(user.number) && user.password_hash === null)
  const hashing = missing.map(async (candidate) => {
    candidate.password_hash = await passwords.hashAmongMany(candidate.password, isWaiting)
  })
  await Promise.all(hashing)
}

/** The password of an account is returned only if this import stored its hash. */
function describe(
  { email, isGenerated, password }: Candidate,
  result: sql.ClassifiedUser | undefined,
): ImportedUser {
  if (result === undefined) throw new Error('each candidate must be classified')
  const { outcome, id } = result
  const error = REFUSALS[outcome]
  if (error !== undefined) return refuse(email, error.replace('{user_id}', `${id}`))
  const isCreated = outcome === 'created'
  return {
    email,
    ...(id !== null && { id }),
    outcome: isCreated ? 'created' : 'exists',
    ...(isCreated && isGenerated && { password }),
  }
}

const REFUSALS: Readonly<Partial<Record<sql.Outcome, string>>> = {
  same_email: 'this address occurs earlier in the request: send each user once',
  same_name: 'this name occurs earlier in the request: choose another name',
  name_taken: 'another account has this name: choose another name',
  no_teams: 'the event has no teams: leave out team',
  other_team: 'the user is already on another team of this event: leave out team',
  removed: 'staff has removed the user from the event: add them with PUT …/participants/{user_id}',
}

/** The message of a 400 names so many users. */
const MOST_NAMED = 5
const MOST_EMAIL_CHARACTERS = 100

function requireAccepted(users: readonly ImportedUser[]): void {
  const faults = users.flatMap(({ email, error }, i) =>
    error === undefined
      ? []
      : [`user ${i + 1} (${email.slice(0, MOST_EMAIL_CHARACTERS).toWellFormed()}): ${error}`],
  )
  if (faults.length === 0) return
  const more = faults.length > MOST_NAMED ? `; and ${faults.length - MOST_NAMED} more` : ''
  const named = faults.slice(0, MOST_NAMED).join('; ')
  throw new AppError('VALIDATION', `No user was imported: ${named}${more}`)
}
