import { gunzipSync } from 'node:zlib'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { readPages } from '@judge-data-layer/pages'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { SignJWT } from 'jose'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { type AppDependencies, buildApp } from '../../src/app.ts'
import { ChangeLog } from '../../src/changes/change-log.ts'
import { type Config, loadConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate, searchMigrations } from '../../src/db/migrate.ts'
import { onePool, type Pools } from '../../src/db/pools.ts'
import { fillLanguages } from '../../src/features/judging/languages/seed.ts'
import { createUser } from '../../src/features/people/accounts/sql.ts'
import { createPasswords } from '../../src/http/routing/passwords.ts'
import type { Route } from '../../src/http/routing/route.ts'
import { createTokens, type Tokens } from '../../src/http/routing/tokens.ts'
import { ListCache } from '../../src/lists/cache.ts'
import { KeptTexts } from '../../src/lists/kept-texts.ts'
import { describeApi } from '../../src/openapi/document.ts'
import { allRoutes } from '../../src/routes.ts'
import { type Caller, callerOf, type TestRequest, type TestResponse } from './caller.ts'
import { closeLater, once } from './cleanup.ts'
import { openTestDatabase } from './database.ts'
import { packageProcessesOf } from './package-processes.ts'
import { type Contract, openContract } from './verification/contract.ts'

export type { TestRequest, TestResponse } from './caller.ts'

export const JUDGE_PASSWORD = 'judge-password-of-the-tests'
export const WEB_BRIDGE_SECRET = 'bridge-secret-of-the-tests'
export const JWT_SIGNING_SECRET = 'signing-secret-of-the-tests'
export const SECRETS = { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET }

/** A token of a user; without `ver`, no change of the password ends it (D9). */
export function signToken(id: string, claims: { readonly ver?: number } = {}): Promise<string> {
  const token = new SignJWT({ id, role: 0, ...claims }).setProtectedHeader({ alg: 'HS256' })
  return token.sign(new TextEncoder().encode(JWT_SIGNING_SECRET))
}

/** Rates above those of the tests; tests of the limits set their own. */
const RATES = [
  'ACCOUNTS',
  'SUBMISSIONS',
  'RUNS',
  'PUBLIC_RUNS',
  'WRITES',
  'FEEDS',
  'FAILED_LOGINS',
  'FAILED_SECRETS',
]
export const UNLIMITED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(RATES.map((name) => [`RATE_LIMIT_${name}`, '1000000/1000000'])),
  LISTS_PER_ACCOUNT: '1000',
}

const settings = {
  ...SECRETS,
  BASIC_REGISTRATION_ENABLED: 'true',
  ADMIN_EMAILS: 'root@example.org, Second.Root@example.org',
  ...UNLIMITED,
  ...{ RUNS_UNFINISHED_PER_ADDRESS: '1000', RUNS_UNFINISHED_PER_USER: '1000' },
}

const languages = await readLanguages(defaultLanguagesFile)

/** Time limits for a loaded machine; tests of the limits start the service as in production. */
export const PATIENT = { quick: 60_000, lists: 60_000, bulk: 60_000, background: 60_000 }

export interface Person extends Caller {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly token: string
}

export type TestApp = Awaited<ReturnType<typeof openTestApp>>

type BesideOption = 'liveTimes' | 'listCache' | 'packageProcesses'

/** Opens the whole application over an empty database; it closes with the test or the file. */
export async function openTestApp(
  variables: Record<string, string> = {},
  timeoutMs: Pools['timeoutMs'] = PATIENT,
) {
  const { database, url, close } = await openTestDatabase()
  const config = loadConfig({ ...settings, ...variables })
  if (config.searchBackend === 'postgres') await migrate(database, searchMigrations)
  await fillLanguages(database, languages)
  let wakes = 0
  let routes: readonly Route[] | undefined
  const others: FastifyInstance[] = []
  const wakeRelay = () => {
    wakes += 1
  }
  const own = await makeDependencies(config, onePool(database, timeoutMs))
  const { log, tokens } = own
  const deps = { ...own, languages, wakeRelay }
  const logs = [deps.changes]
  const app = await buildApp(deps)
  const violations = observeResponses(app, deps)
  const closeOnce = once(async () => {
    await Promise.all([app, ...others].map((one) => one.close()))
    await Promise.all(logs.map((log) => log.stop()))
    await close()
    expect(violations).toEqual([])
  })
  closeLater(closeOnce)
  const judgeToken = await tokens.issueJudgeToken()
  const service = {
    /** Sends a request. Every response is checked against the OpenAPI document. */
    send: async (request: TestRequest) => {
      const response = await send(app, request)
      expect(violations).toEqual([])
      return response
    },
  }
  return {
    ...{ ...service, app, config, database, databaseUrl: url, tokens, log, judgeToken },
    get routes(): readonly Route[] {
      routes ??= Object.values(allRoutes(deps)).flat()
      return routes
    },
    judge: callerOf(service, judgeToken),
    anonymous: callerOf(service, undefined),
    as: (token: string) => callerOf(service, token),
    createPerson: async (options?: { admin?: boolean }): Promise<Person> => {
      const account = await createAccount(database, tokens, options?.admin ?? false)
      return { ...account, ...callerOf(service, account.token) }
    },
    /** Opens another instance on the same database, by default without a list cache. */
    openBeside: async (options?: Partial<Pick<AppDependencies, BesideOption>>) => {
      const changes = new ChangeLog({ database: deps.pools.quick, config, logger: deps.logger })
      logs.push(changes)
      const caches = { listCache: new ListCache(1), keptTexts: new KeptTexts(1) }
      const other = await buildApp({ ...deps, changes, ...caches, ...options })
      others.push(other)
      return { app: other, send: (request: TestRequest) => send(other, request) }
    },
    /** How often a handler has woken the relay. */
    wakes: () => wakes,
    close: closeOnce,
  }
}

/** A logger, and its lines of JSON. */
export function logInMemory(level = 'info') {
  const lines: string[] = []
  return { lines, logger: pino({ level, base: null }, { write: (line) => void lines.push(line) }) }
}

/** Returns what an application needs, with a log in memory, but without languages and a relay. */
export async function makeDependencies(config: Config, pools: Pools) {
  const { lines: log, logger } = logInMemory(config.logLevel)
  return {
    ...{ config, pools, log, logger, languages: [], metrics: undefined },
    pages: await readPages(),
    packageProcesses: packageProcessesOf(config.packages),
    changes: new ChangeLog({ database: pools.quick, config, logger }),
    passwords: createPasswords({ waitMs: PATIENT.quick }),
    tokens: await createTokens({
      secret: config.secrets.jwtSigning,
      judgePassword: config.secrets.judgePassword,
      ...config.tokens,
    }),
    wakeRelay: () => {},
    wakeWebhooks: () => {},
  }
}

/** The page at /docs is not part of the API; its refusals are checked all the same. */
const isDocsPage = (url: string) => /^\/docs(?=[/?]|$)/.test(url)

/** Checks every response against the OpenAPI document; returns the violations. */
export function observeResponses(app: FastifyInstance, deps: AppDependencies): string[] {
  const contract = contractOf(deps)
  const violations: string[] = []
  app.addHook('onSend', async ({ method, url }, reply, payload) => {
    if (method === 'OPTIONS' || (isDocsPage(url) && reply.statusCode < 400)) return
    const found = contract({
      method,
      url,
      status: reply.statusCode,
      mediaType: reply.getHeader('content-type')?.toString().split(';', 1)[0],
      headers: new Set(Object.keys(reply.getHeaders())),
      text: method === 'HEAD' ? undefined : readPayload(payload, reply.getHeader('content-encoding')),
    })
    violations.push(...found.map((violation) => `${method} ${url} ${reply.statusCode}: ${violation}`))
  })
  return violations
}

const contracts = new Map<string, Contract>()

/** The contract of all routes. Equal configurations share one, whose schemas are compiled once. */
function contractOf(deps: AppDependencies): Contract {
  const key = JSON.stringify(deps.config)
  const contract = contracts.get(key) ?? openContract(describeApi(allRoutes(deps), deps.config))
  contracts.set(key, contract)
  return contract
}

function readPayload(payload: unknown, encoding: unknown): string {
  return encoding === 'gzip' && Buffer.isBuffer(payload)
    ? gunzipSync(payload).toString()
    : String(payload ?? '')
}

async function send(app: FastifyInstance, request: TestRequest): Promise<TestResponse> {
  const { method, url, token, body, raw } = request
  const response = await app.inject({
    ...{ method, url, payloadAsStream: true },
    headers: {
      ...(token !== undefined && { authorization: token }),
      ...((body !== undefined || raw !== undefined) && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(raw !== undefined ? { payload: raw } : body !== undefined && { payload: JSON.stringify(body) }),
  })
  const bytes = await readBody(response)
  const text = bytes.toString()
  const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
  return {
    ...{ status: response.statusCode, text, bytes, body: isJson ? JSON.parse(text) : text },
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]),
    ),
  }
}

/** What clients of responses without an end wait for: the first event, or the whole state. */
const FIRST_PARTS = new Map([
  ['text/event-stream', /\n\n/],
  ['application/x-ndjson', /"token":"[^"]*"}\n/],
])

/** Reads a body; the client of one without an end leaves after its first part. */
async function readBody({ headers, raw, stream }: LightMyRequestResponse): Promise<Buffer> {
  const firstPart = FIRST_PARTS.get(String(headers['content-type']))
  const pieces: Buffer[] = []
  for await (const piece of stream()) {
    pieces.push(piece)
    if (firstPart?.test(Buffer.concat(pieces).toString())) break
  }
  if (firstPart !== undefined) raw.res.destroy()
  return Buffer.concat(pieces)
}

async function createAccount(database: Database, tokens: Tokens, admin: boolean) {
  const id = uuidv7()
  const name = `person-${id}`
  const email = `${id}@example.org`
  const account = { id, name, email, image: '', is_admin: admin, password_hash: null }
  expect(await database.query(createUser, account)).toHaveLength(1)
  const token = await tokens.issueUserToken({ id, isAdmin: admin, sessionVersion: 1 })
  return { id, name, email, token }
}
