import { SignJWT } from 'jose'
import type { Secrets } from '../local-servers/secrets.ts'
import type { Caller } from './plan.ts'

export interface People {
  /** The Authorization header of a caller; undefined for none. */
  credentialOf(caller: Caller): string | undefined
  /** Replaces accounts that were deleted or lost their role. */
  recover(): Promise<void>
}

/** The e-mail address of the n-th admin, for ADMIN_EMAILS. */
export const adminEmail = (number: number) => `admin-${number}@fuzz.example`
const userEmail = (number: number) => `person-${number}@fuzz.example`

/** Creates the accounts through the bridge, which has no rate limit. */
export async function createPeople(url: string, secrets: Secrets): Promise<People> {
  const tokens = new Map<Caller, string>()
  let created = 0
  const createAccount = (email: (number: number) => string) => {
    created += 1
    const person = { id: `fuzz:${created}`, name: `fuzz person ${created}`, email: email(created) }
    return send(url, 'POST', '/v1/create_or_login_user', secrets.WEB_BRIDGE_SECRET, person)
  }
  const accounts = [
    ['admin', adminEmail],
    ['user', userEmail],
    ['other user', userEmail],
  ] as const
  const recover = async () => {
    for (const [caller, email] of accounts) {
      const token = tokens.get(caller)
      // Only admins may list users; every account may list events.
      const path = caller === 'admin' ? '/v1/users?limit=1' : '/v1/public/events?limit=1'
      if (token !== undefined && (await statusOf(url, path, token)) === 200) continue
      tokens.set(caller, String((await createAccount(email)).token))
    }
  }
  await recover()
  const { token: judgeToken } = await send(url, 'POST', '/v1/login_judge', secrets.JUDGE_PASSWORD)
  const deleted = await createAccount(userEmail)
  await send(url, 'DELETE', `/v1/users/${deleted.id}`, String(deleted.token))
  const unsigned = await forge(String(deleted.id))
  const credentials: Record<Caller, () => string | undefined> = {
    admin: () => tokens.get('admin'),
    user: () => tokens.get('user'),
    'other user': () => tokens.get('other user'),
    judge: () => String(judgeToken),
    'bridge secret': () => secrets.WEB_BRIDGE_SECRET,
    'judge password': () => secrets.JUDGE_PASSWORD,
    'deleted user': () => String(deleted.token),
    nobody: () => undefined,
    empty: () => '',
    garbage: () => 'a.b.c\u00e9',
    unsigned: () => unsigned,
    bearer: () => `Bearer ${tokens.get('admin')}`,
  }
  return { credentialOf: (caller) => credentials[caller](), recover }
}

/** An admin's token with a wrong signature. */
const forge = (id: string) =>
  new SignJWT({ id, role: 2 })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode('the secret of another service'))

const statusOf = async (url: string, path: string, token: string) =>
  (await fetch(url + path, { headers: { authorization: token } })).status

/** Sends a request that must succeed. Returns the parsed body, or an empty object. */
export async function send(
  url: string,
  method: string,
  path: string,
  credential: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: credential, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return Object(text.startsWith('{') ? JSON.parse(text) : {})
}
