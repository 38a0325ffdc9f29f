import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { openLog } from '@judge-data-layer/runtime/log'
import { onStopSignal } from '@judge-data-layer/runtime/stop-signals'
import { startWorker } from '@judge-data-layer/worker'
import { loadConfig } from '../src/config/config.ts'
import { startService } from '../src/service.ts'
import { register } from './account.ts'
import {
  describeVerdict,
  describeVerdicts,
  findLanguages,
  isExpected,
  submitPrograms,
  type Verdict,
  waitForVerdicts,
} from './attempts.ts'
import { holdContest } from './contest.ts'
import { importProblems } from './import-problems.ts'
import { loadProblems } from './load-problems.ts'

/** `--once` stops after the standings, with exit code 1 if a verdict is unexpected. */
const once = process.argv.includes('--once')
let isStopping = false
const dataDir = await mkdtemp(join(tmpdir(), 'judge-demo-'))
const config = loadConfig(makeEnvironment())
const logger = openLog(config.logLevel)

console.log('Starting the service with an embedded database, its own queue and a judge worker …')
const service = await startService(config, logger).catch(async (err: Error) => {
  console.error(`The demo did not start: ${err.message} (set PORT to use another port)`)
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
  concurrency: availableParallelism(),
  sandbox: 'bubblewrap-if-installed',
  allowWeakIsolation: true,
  logger,
})
onStopSignal(() => void stop(0))

const password = randomBytes(9).toString('base64url')
const admin = await register(service.url, 'Ada Admin', 'admin@example.org', password)
const user = await register(service.url, 'Ulla User', 'user@example.org', password)
const second = await register(service.url, 'Viktor Visitor', 'visitor@example.org', password)
console.log(`Isolation: ${worker.isolation}`)
const problems = loadProblems(fileURLToPath(new URL('../../demo/problems', import.meta.url)))
console.log(`Importing ${problems.length} problem packages …`)
const imported = await importProblems(service.url, admin, problems)
const languages = await findLanguages(user.client, worker.installedLanguages)
console.log('Submitting right, wrong, crashing and slow programs …')
const attempts = await submitPrograms(user, imported, languages)
const verdicts = await waitForVerdicts(admin.client, attempts, printVerdict)
console.log(`\n${describeVerdicts(verdicts)}\n`)

console.log('Holding a small contest: two people, one team …')
const { report, contestPath, scoreboardPath } = await holdContest({
  admin,
  people: [user, second],
  problems: imported,
  languageId: languages.get('js')?.id ?? '',
  onVerdict: printVerdict,
})
console.log(`\n${report}\n`)

if (once) {
  await stop(verdicts.every(isExpected) ? 0 : 1)
} else {
  console.log(`Serving on ${service.url} until Ctrl-C. Open in a browser:`)
  console.log(`  ${service.url}${contestPath}  (the page of a participant: log in)`)
  console.log(`  ${service.url}${scoreboardPath}  (the standings on a projector)`)
  console.log('Accounts:')
  for (const { email, name } of [admin, user, second])
    console.log(`  ${email}  password ${password}  (${name})`)
}

function printVerdict(verdict: Verdict, done: number, total: number): void {
  const { problem, language, kind } = verdict
  const secondsSinceStart = (performance.now() / 1000).toFixed(1).padStart(6)
  console.log(
    `${secondsSinceStart} s  ${done}/${total}  ${problem}, ${kind} in ${language}: ${describeVerdict(verdict)}`,
  )
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  // Pending requests fail once the service has stopped.
  process.on('uncaughtException', () => {})
  console.log('Stopping …')
  await worker.stop()
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
  process.exit(exitCode)
}

/** New secrets, a temporary database, and a rate limit that admits all submissions at once. */
function makeEnvironment(): Record<string, string> {
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
