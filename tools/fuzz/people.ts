import { SignJWT } from 'jose'
import type { Caller } from './plan.ts'

export interface Secrets {
  readonly jwtSigning: string
  readonly judgePassword: string
  readonly webBridge: string
}

export interface People {
  /** The value of a caller's Authorization header; undefined for none. */
  credentialOf(caller: Caller): string | undefined
  /** Gives whoever lost the account or its role a new one. */
  recover(): Promise<void>
}

/** The e-mail of the n-th admin, for ADMIN_EMAILS. */
export const adminEmail = (number: number) => `admin-${number}@fuzz.example`

/** Makes the accounts that send requests, through the bridge, which no rate limits. */
export async function createPeople(url: string, secrets: Secrets): Promise<People> {
  const tokens = new Map<Caller, string>()
  let made = 0
  const makeAccount = async (email: (number: number) => string) => {
    made += 1
    const person = { id: `fuzz:${made}`, name: `fuzz person ${made}`, email: email(made) }
    return ask(url, 'POST', '/v1/create_or_login_user', secrets.webBridge, person)
  }
  const accounts = [
    ['admin', adminEmail],
    ['user', userEmail],
    ['other user', userEmail],
  ] as const
  const recover = async () => {
    for (const [caller, email] of accounts) {
      const token = tokens.get(caller)
      // Only an admin may list the users; everybody alive may list the events.
      const path = caller === 'admin' ? '/v1/users?limit=1' : '/v1/public/events?limit=1'
      if (token !== undefined && (await statusOf(url, path, token)) === 200) continue
      tokens.set(caller, String((await makeAccount(email)).token))
    }
  }
  await recover()
  const { token: judgeToken } = await ask(url, 'POST', '/v1/login_judge', secrets.judgePassword)
  const deleted = await makeAccount(userEmail)
  await ask(url, 'DELETE', `/v1/users/${deleted.id}`, String(deleted.token))
  const unsigned = await forge(String(deleted.id))
  const credentials: Record<Caller, () => string | undefined> = {
    admin: () => tokens.get('admin'),
    user: () => tokens.get('user'),
    'other user': () => tokens.get('other user'),
    judge: () => String(judgeToken),
    'bridge secret': () => secrets.webBridge,
    'judge password': () => secrets.judgePassword,
    'deleted user': () => String(deleted.token),
    nobody: () => undefined,
    empty: () => '',
    garbage: () => 'a.b.c\u00e9',
    unsigned: () => unsigned,
    bearer: () => `Bearer ${tokens.get('admin')}`,
  }
  return { credentialOf: (caller) => credentials[caller](), recover }
}

const userEmail = (number: number) => `person-${number}@fuzz.example`

/** An admin's token that somebody else signed. */
const forge = (id: string) =>
  new SignJWT({ id, role: 2 })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode('a secret of somebody else'))

const statusOf = async (url: string, path: string, token: string) =>
  (await fetch(url + path, { headers: { authorization: token } })).status

/** Asks for what must succeed; answers its parsed body, empty where there is none. Throws where it does not. */
export async function ask(
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
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return Object(text.startsWith('{') ? JSON.parse(text) : {})
}
