import { fileVariable, readSecretFiles } from '@judge-data-layer/runtime/secret-files'
import { credentialsFile, readCredentials } from './credentials.ts'
import { unauthorized, usageError } from './errors.ts'
import type { Io } from './io.ts'

const DEFAULT_URL = 'http://127.0.0.1:5000'
const TOKEN = 'JUDGE_USER_TOKEN'

/** The service that a command talks to. */
export interface Settings {
  /** Without a slash at the end. */
  readonly url: string
  /** Undefined before the login. */
  readonly token: string | undefined
}

/** Reads the settings: options first, then the environment, then the file of `judge login`. */
export async function readSettings(url: string | undefined, env: Io['env']): Promise<Settings> {
  const chosen = url ?? (env.JUDGE_URL || undefined)
  const token = readToken(env)
  if (chosen !== undefined && token !== undefined) return { url: readUrl(chosen), token }
  const stored = await readCredentials(credentialsFile(env))
  const address = readUrl(chosen ?? stored.url ?? DEFAULT_URL)
  return { url: address, token: token ?? stored.tokens[address] }
}

/** The variable that sets the token; undefined if none does. */
export function tokenVariable(env: Io['env']): string | undefined {
  return [TOKEN, fileVariable(TOKEN)].find((name) => env[name])
}

function readToken(env: Io['env']): string | undefined {
  const { variables, problems } = readSecretFiles(env, [TOKEN])
  for (const { message } of problems) throw usageError(`${message}.`)
  return variables[TOKEN] || undefined
}

/** The id in a token. The service checks the token itself. */
export function readUserId(token: string): string {
  const [, payload = ''] = token.split('.')
  try {
    const { id } = Object(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    if (typeof id === 'string') return id
  } catch {}
  throw unauthorized('The token is not one of the service. Log in with: judge login')
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw usageError(`${text}: is not an address such as ${DEFAULT_URL}. Set it with --url or JUDGE_URL.`)
  return url.origin + url.pathname.replace(/\/+$/, '')
}
