import { chmod, mkdir, open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { fileVariable, readSecretFiles } from '@judge-data-layer/runtime/secret-files'
import { notLoggedIn, unauthorized, usageError } from './errors.ts'
import { ignoreMissing, replaceFile } from './files.ts'
import type { Io } from './io.ts'
import { tryParse } from './text.ts'

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

/** The token. Throws if there is none. */
export function requireToken({ token, url }: Settings): string {
  if (token !== undefined) return token
  throw notLoggedIn(url)
}

/** The user's id in the token. Throws without a token; the service checks the token itself. */
export function readUserId(settings: Settings): string {
  const [, payload = ''] = requireToken(settings).split('.')
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

/** The tokens of `judge login`, by the address of the service. */
export interface Credentials {
  /** The service of the last login. */
  readonly url?: string
  readonly tokens: Readonly<Record<string, string>>
}

/** The path of the file with the tokens. */
export function credentialsFile(env: Io['env']): string {
  const { XDG_CONFIG_HOME: config = '' } = env
  const folder = isAbsolute(config) ? config : join(env.HOME ?? homedir(), '.config')
  return join(folder, 'judge-data-layer', 'credentials.json')
}

/** Reads the tokens. Throws a usage error if other users can read the file, or if it is broken. */
export async function readCredentials(file: string): Promise<Credentials> {
  const text = await readPrivateFile(file)
  if (text === undefined) return { tokens: {} }
  const { url, tokens } = Object(tryParse(JSON.parse, text))
  if (typeof tokens !== 'object' || tokens === null)
    throw usageError(`${file}: is not a file of tokens. Delete it and log in again.`)
  const known = Object.entries(tokens).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return { ...(typeof url === 'string' && { url }), tokens: Object.fromEntries(known) }
}

/** Replaces the file. Only its owner can read it; an interrupted write leaves the old file. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  await replaceFile(file, `${JSON.stringify(credentials, null, 2)}\n`, 0o600)
}

/** Undefined if there is no such file. */
async function readPrivateFile(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r').catch(ignoreMissing)
  if (handle === undefined) return undefined
  try {
    const { mode } = await handle.stat()
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      const octal = (mode & 0o777).toString(8).padStart(4, '0')
      throw usageError(
        `${file} is open to other users (mode ${octal}), so it is not used.\nCorrect it: chmod 600 ${file}`,
      )
    }
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
