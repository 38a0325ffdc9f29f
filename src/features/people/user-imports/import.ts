import { generatePassword } from '@judge-data-layer/runtime/generated-password'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../../config/config.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import type { Passwords } from '../../../http/routing/passwords.ts'
import { found } from '../../../http/routing/responses.ts'
import { tidyText } from '../../../http/routing/visible-text.ts'
import { accountValues } from '../accounts/rules.ts'
import * as sql from './sql.ts'

/** A user as the client sent it. */
interface SentUser {
  readonly name: string
  readonly email: string
  readonly password?: string | null
  readonly team?: string | null
}

type CheckedUser = Omit<SentUser, 'password' | 'team'> & {
  readonly password?: string
  readonly team?: string
}

/** A user that keeps the rules for accounts. */
interface Candidate {
  readonly number: number
  readonly account: ReturnType<typeof accountValues>
  readonly team: string | null
  readonly teamId: string | null
  readonly password: string
  readonly isGenerated: boolean
  /** Computed only for a new account. */
  passwordHash: string | null
}

/** A user in the response. */
export interface ImportedUser {
  readonly email: string
  readonly id?: string
  readonly outcome: 'created' | 'exists' | 'refused'
  readonly password?: string
  readonly error?: string
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

export interface ImportOptions {
  readonly eventId: number | undefined
  /** Whether users are imported although others are refused. */
  readonly isPartial: boolean
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
  options: ImportOptions,
): Promise<ImportedUser[]> {
  const faults = new Map<number, string>()
  const candidates = users.flatMap((user, i) => checkUser(ctx, user, i + 1, faults))
  const finish = (results: readonly sql.ClassifiedUser[]) => {
    const byNumber = new Map(results.map((result) => [result.number, result]))
    const refused = new Map([...faults, ...findRefused(results)])
    if (!options.isPartial) refuseAll(users, refused)
    const own = new Map(candidates.map((candidate) => [candidate.number, candidate]))
    return users.map((user, i) => {
      const [candidate, result, error] = [own.get(i + 1), byNumber.get(i + 1), refused.get(i + 1)]
      if (candidate === undefined || result === undefined || error !== undefined)
        return { email: tidyText(user.email), outcome: 'refused' as const, error: error ?? '' }
      return describeAccepted(candidate, result)
    })
  }
  for (let tries = 1; ; tries += 1) {
    const classified = await classifyUsers(ctx.db, candidates, options)
    finish(classified)
    await hashPasswords(ctx, candidates, classified)
    try {
      return await ctx.db.transaction(async (tx) => finish(await storeUsers(tx, candidates, options)))
    } catch (err) {
      if (!(err instanceof ImportConflict)) throw err
      if (tries === TRIES)
        throw new AppError('UNAVAILABLE', 'Other requests changed the same users; send the import again')
    }
  }
}

/** The candidate; nothing if the user breaks a rule, which becomes one of the faults. */
function checkUser(
  { check, accounts }: ImportContext,
  { password, team, ...rest }: SentUser,
  number: number,
  faults: Map<number, string>,
): Candidate[] {
  const checked = check({ ...rest, ...(password != null && { password }), ...(team != null && { team }) })
  if ('error' in checked) {
    faults.set(number, checked.error.message)
    return []
  }
  const { value } = checked
  return [
    {
      number,
      account: accountValues(value, accounts),
      team: value.team?.trim() ?? null,
      teamId: value.team === undefined ? null : uuidv7(),
      password: value.password ?? generatePassword(accounts.passwordMinLength),
      isGenerated: value.password === undefined,
      passwordHash: null,
    },
  ]
}

const valuesOf = (candidates: readonly Candidate[], { eventId }: ImportOptions) => ({
  event_id: eventId,
  numbers: candidates.map(({ number }) => number),
  names: candidates.map(({ account }) => account.name),
  emails: candidates.map(({ account }) => account.email),
  teams: candidates.map(({ team }) => team),
})

async function classifyUsers(db: ActorDatabase, candidates: readonly Candidate[], options: ImportOptions) {
  return found(await db.query(sql.classifyUsers, valuesOf(candidates, options)), 'event').users
}

async function storeUsers(tx: ActorDatabase, candidates: readonly Candidate[], options: ImportOptions) {
  const rows = await tx.query(sql.storeUsers, {
    ...valuesOf(candidates, options),
    ids: candidates.map(({ account }) => account.id),
    admins: candidates.map(({ account }) => account.is_admin),
    password_hashes: candidates.map(({ passwordHash }) => passwordHash),
    team_ids: candidates.map(({ teamId }) => teamId),
  })
  const { users } = found(rows, 'event')
  if (users.some(({ outcome }) => outcome === 'conflict')) throw new ImportConflict()
  return users
}

async function hashPasswords(
  { passwords, isWaiting }: ImportContext,
  candidates: readonly Candidate[],
  classified: readonly sql.ClassifiedUser[],
): Promise<void> {
  const created = new Set(
    classified.filter(({ outcome }) => outcome === 'created').map(({ number }) => number),
  )
  const missing = candidates.filter(
    ({ number, passwordHash }) => created.has(number) && passwordHash === null,
  )
  const hashing = missing.map(async (candidate) => {
    candidate.passwordHash = await passwords.hashAmongMany(candidate.password, isWaiting)
  })
  await Promise.all(hashing)
}

/** The password of an account is returned only if this import stored its hash. */
function describeAccepted(
  { account, isGenerated, password }: Candidate,
  { outcome, id }: sql.ClassifiedUser,
): ImportedUser {
  const isCreated = outcome === 'created'
  return {
    email: account.email,
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

const findRefused = (results: readonly sql.ClassifiedUser[]) =>
  results.flatMap(({ number, outcome, id }): [number, string][] => {
    const error = REFUSALS[outcome]
    return error === undefined ? [] : [[number, error.replace('{user_id}', `${id}`)]]
  })

/** The message of a 400 names so many users. */
const MOST_NAMED = 5
const MOST_EMAIL_CHARACTERS = 100

function refuseAll(users: readonly SentUser[], refused: ReadonlyMap<number, string>): void {
  if (refused.size === 0) return
  const named = [...refused].sort(([a], [b]) => a - b).slice(0, MOST_NAMED)
  const faults = named.map(([number, error]) => {
    const email = tidyText(users[number - 1]?.email ?? '').slice(0, MOST_EMAIL_CHARACTERS)
    return `user ${number} (${email.toWellFormed()}): ${error}`
  })
  const more = refused.size > MOST_NAMED ? `; and ${refused.size - MOST_NAMED} more` : ''
  throw new AppError('VALIDATION', `No user was imported: ${faults.join('; ')}${more}`)
}
