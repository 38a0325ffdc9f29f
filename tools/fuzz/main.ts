import { Agent } from 'node:http'
import { openContract } from '../../test/support/verification/contract.ts'
import { readDocument, readOperations } from '../../test/support/verification/openapi-operations.ts'
import { addSeed, createCommand, readCommandLine, wholeNumber } from '../local-servers/command-line.ts'
import { ask, createDatabase, uniqueName } from '../local-servers/database.ts'
import { readResidentMebibytes } from '../local-servers/process-tree.ts'
import { deleteQueue } from '../local-servers/rabbitmq.ts'
import { type LocalService, makeSecrets, startLocalService } from '../local-servers/service.ts'
import { findSilence, runCampaign, type Tally } from './campaign.ts'
import { createOracle, openRequestCheck } from './oracles.ts'
import { runPackageCampaign } from './package-campaign.ts'
import { adminEmail, createPeople } from './people.ts'
import { createRows, usedNamesOf } from './rows.ts'
import type { ServiceWatch } from './session.ts'

interface Options {
  readonly seconds: number
  readonly seed: number
  readonly operation?: string
  readonly packages: number
}

const DESCRIPTION = `Sends random requests made from the OpenAPI document to the whole service, and prints
every wrong response. FUZZ_DATABASE_URL or TEST_DATABASE_URL must name a PostgreSQL server;
FUZZ_AMQP_URL or TEST_AMQP_URL may name RabbitMQ. Exits with 1 after a finding.`

/** Small, so that larger bodies are cheap to send. */
const LARGEST_BODY_BYTES = 2 * 1024 * 1024
const ERROR_LEVEL = 50

const { FUZZ_DATABASE_URL, TEST_DATABASE_URL, FUZZ_AMQP_URL, TEST_AMQP_URL } = process.env
const options = readCommandLine(readOptions)
const serverUrl = FUZZ_DATABASE_URL || TEST_DATABASE_URL
if (!serverUrl) {
  console.error('FUZZ_DATABASE_URL or TEST_DATABASE_URL must name a PostgreSQL server')
  process.exit(2)
}
console.log(`seed ${options.seed}`)

const secrets = makeSecrets()
const database = await createDatabase(serverUrl, 'judge_fuzz')
const amqpUrl = FUZZ_AMQP_URL || TEST_AMQP_URL
const queue = uniqueName('judge_fuzz')
const alarms: string[] = []
try {
  const onLine = (line: string) => {
    if (isAlarming(line)) alarms.push(`in the log: ${line.slice(0, 2000)}`)
  }
  const service = await startLocalService({ variables: variables(), onLine })
  process.exitCode = await fuzz(service).finally(() => service.stop())
} finally {
  if (amqpUrl) await deleteQueue(amqpUrl, queue)
  await database.drop()
}

function readOptions(args: readonly string[]): Options {
  const command = createCommand('fuzz', DESCRIPTION)
    .option('--seconds <N>', 'duration', wholeNumber(1, 2 ** 31 - 1), 60)
    .option('--operation <NAME>', 'test one operation of the document (default: all)')
    .option('--packages <N>', 'mutations of packages to send at the end', wholeNumber(0, 10_000_000), 40)
  return addSeed(command, 'decides the requests').parse(args, { from: 'user' }).opts<Options>()
}

async function fuzz({ url, pid, ended }: LocalService): Promise<number> {
  const document = await readDocument(url)
  const operations = readOperations(document)
  const chosen = operations.filter(({ id }) => options.operation === undefined || id === options.operation)
  if (chosen.length === 0) {
    console.error(`--operation: the document has no '${options.operation}' (see --help)`)
    return 2
  }
  const oracle = createOracle({
    contract: openContract(document),
    checkRequest: openRequestCheck(),
    secrets: Object.values(secrets),
    internals: await readConstraintNames(),
  })
  const ending: string[] = []
  void ended.then((code) => ending.push(`the service ended with ${code ?? 'a signal'}`))
  const watch: ServiceWatch = {
    takeAlarms: () => [...alarms.splice(0), ...ending],
    readResidentMebibytes: () => readResidentMebibytes(pid),
  }
  const usedNames = usedNamesOf(operations)
  const people = await createPeople(url, secrets)
  const agent = new Agent({ keepAlive: true })
  const session = { url, watch, operations, usedNames, oracle, people, rows: createRows(usedNames), agent }
  const report = (finding: string) => console.log(`\nFOUND ${finding}\n`)
  const limits = { ...options, largestBodyBytes: LARGEST_BODY_BYTES }
  const tally = await runCampaign(session, chosen, { ...limits, report })
  agent.destroy()
  const { seed, packages } = options
  const reportPackage = (finding: string) => {
    tally.findings += 1
    report(finding)
  }
  await people.recover()
  const sent = { url, people, watch, seed, packages: options.operation ? 0 : packages, report: reportPackage }
  for (const [kind, count] of await runPackageCampaign(sent)) console.log(`packages ${kind}: ${count}`)
  const silent = chosen.map(({ id }) => id).filter((id) => !tally.succeeded.has(id))
  if (silent.length > 0) console.log(`without a success: ${silent.join(', ')}`)
  const silence = options.operation ? undefined : findSilence(tally.succeeded.size, chosen.length)
  if (silence !== undefined) {
    tally.findings += 1
    report(silence)
  }
  console.log(summarise(tally, chosen.length, watch.readResidentMebibytes()))
  return tally.findings === 0 ? 0 : 1
}

/** Output that is not JSON comes from a crash or from Node.js. */
function isAlarming(line: string): boolean {
  if (Object.values(secrets).some((secret) => line.includes(secret))) return true
  return line.startsWith('{') ? Number(Object(JSON.parse(line)).level) >= ERROR_LEVEL : line.trim() !== ''
}

/** Rate limits that reject some requests. */
function variables(): Record<string, string> {
  return {
    ...secrets,
    DATABASE_URL: database.url,
    ...(amqpUrl && { AMQP_URL: amqpUrl, AMQP_QUEUE: queue }),
    ADMIN_EMAILS: Array.from({ length: 3000 }, (_, number) => adminEmail(number)).join(','),
    ...{ BASIC_REGISTRATION_ENABLED: 'true', PASSWORD_RESET_DEBUG: 'true', SEARCH_BACKEND: 'postgres' },
    ...{ RATE_LIMIT_ACCOUNTS: '600/20', RATE_LIMIT_PUBLIC_RUNS: '600/20' },
    ...{ RATE_LIMIT_FAILED_LOGINS: '600/20', RATE_LIMIT_FAILED_SECRETS: '600/20' },
    LISTS_PER_ACCOUNT: '1000',
    ...{ RATE_LIMIT_SUBMISSIONS: '1200/40', RATE_LIMIT_RUNS: '1200/40' },
    RATE_LIMIT_WRITES: '6000/200',
    ...{ RUNS_UNFINISHED_PER_ADDRESS: '1000', RUNS_UNFINISHED_PER_USER: '1000' },
    PROBLEM_BODY_LIMIT_BYTES: String(LARGEST_BODY_BYTES),
    VERDICT_BODY_LIMIT_BYTES: String(LARGEST_BODY_BYTES),
  }
}

async function readConstraintNames(): Promise<string[]> {
  const rows = await ask<{ name: string }>(
    database.database,
    `select constraints.conname::text as name from pg_constraint as constraints
     where constraints.connamespace = 'public'::regnamespace`,
  )
  return rows.map(({ name }) => name)
}

function summarise(tally: Tally, operations: number, memory: number): string {
  const responses = [...tally.responses].sort().map(([kind, count]) => `${count} ${kind}`)
  return [
    `${tally.requests} requests in ${options.seconds} s (seed ${options.seed})`,
    `operations ${tally.requested.size}/${operations}, with success ${tally.succeeded.size}/${operations}`,
    `responses ${responses.join(', ')}`,
    `${Math.round(memory)} MiB`,
    `${tally.findings} findings`,
  ].join('; ')
}
