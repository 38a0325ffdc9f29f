import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { startWorker } from '@judge-data-layer/worker'
import { loadConfig } from '../src/config/config.ts'
import { openLog } from '../src/log.ts'
import { startService } from '../src/service.ts'
import { register } from './account.ts'
import {
  createProblems,
  describeVerdicts,
  expectedStatus,
  findLanguages,
  submitSolutions,
  waitForVerdicts,
} from './attempts.ts'
import { holdContest } from './contest.ts'
import { loadProblems } from './load-problems.ts'

const VERDICTS_TIMEOUT_MS = 300_000

/** `--once` ends after the table, with 1 where a verdict is not the expected one. */
const once = process.argv.includes('--once')
let isStopping = false
const dataDir = await mkdtemp(join(tmpdir(), 'judge-demo-'))
const config = loadConfig(environmentOfDemo())
const logger = openLog(config.logLevel)

console.log('Starting the service with an embedded database, its own queue and a judge worker …')
const service = await startService(config, logger).catch(async (err: Error) => {
  console.error(`The demo did not start: ${err.message} (PORT chooses another port)`)
  await rm(dataDir, { recursive: true, force: true })
  process.exit(1)
})
const source = service.localQueue
if (source === undefined) throw new Error('The demo runs without RabbitMQ')
const worker = await startWorker({
  apiUrl: service.url,
  judgePassword: config.secrets.judgePassword,
  source,
  languages: await readLanguages(defaultLanguagesFile),
  concurrency: 1,
  sandbox: 'bubblewrap-if-installed',
  allowWeakIsolation: true,
  logger,
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(0))

const password = randomBytes(9).toString('base64url')
const admin = await register(service.url, 'Ada Admin', 'admin@example.org', password)
const user = await register(service.url, 'Ulla User', 'user@example.org', password)
const second = await register(service.url, 'Viktor Visitor', 'visitor@example.org', password)
console.log(`Isolation: ${worker.isolation}`)
console.log('Loading three problems and submitting a right, a wrong and a too slow solution for each …')
const problems = loadProblems(fileURLToPath(new URL('../../demo/problems', import.meta.url)))
const created = await createProblems(admin.client, problems)
const languages = await findLanguages(user.client, worker.installedLanguages)
const attempts = await submitSolutions(user, created, languages)
const verdicts = await waitForVerdicts(user.client, attempts, {
  timeoutMs: VERDICTS_TIMEOUT_MS,
  onVerdict: ({ problem, language, kind, status }, done) =>
    console.log(`  ${done}/${attempts.length}  ${problem}, ${kind} in ${language}: ${status}`),
})
console.log(`\n${describeVerdicts(verdicts)}\n`)

console.log('Holding a small contest: two people, one team …')
const standings = await holdContest({
  admin,
  people: [user, second],
  problems: created,
  languageId: languages.get('js')?.id ?? '',
  timeoutMs: VERDICTS_TIMEOUT_MS,
  onVerdict: ({ problem, language, status }) => console.log(`  ${problem}, ${language}: ${status}`),
})
console.log(`\n${standings}\n`)

if (once) {
  await stop(verdicts.every(({ kind, status }) => status === expectedStatus[kind]) ? 0 : 1)
} else {
  console.log(`Serving on ${service.url} until Ctrl-C. Accounts, for POST /v1/basic_login:`)
  for (const { email, name } of [admin, user, second])
    console.log(`  ${email}  password ${password}  (${name})`)
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  // What is under way fails once the service is gone, and that is as it should be.
  process.on('uncaughtException', () => {})
  console.log('Stopping …')
  await worker.stop()
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
  process.exit(exitCode)
}

/** Secrets of this run only, an embedded database that goes with it, and rates that let a demo be quick. */
function environmentOfDemo(): Record<string, string> {
  const secret = () => randomBytes(24).toString('base64url')
  return {
    JWT_SIGNING_SECRET: secret(),
    JUDGE_PASSWORD: secret(),
    WEB_BRIDGE_SECRET: secret(),
    HOST: '127.0.0.1',
    PORT: process.env.PORT ?? '5000',
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    CORS_ORIGINS: '*',
    BASIC_REGISTRATION_ENABLED: 'true',
    ADMIN_EMAILS: 'admin@example.org',
    RATE_LIMIT_SUBMISSIONS: '6000/1000',
  }
}
