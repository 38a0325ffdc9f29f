import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { openContract } from '../../verification/contract.ts'
import { readDocument, readOperations } from '../../verification/openapi-operations.ts'
import { readCommandLine } from '../local-servers/command-line.ts'
import { findSilence, runCampaign, type Tally } from './campaign.ts'
import { openDatabase } from './database.ts'
import { usedNamesOf } from './names.ts'
import { fuzzCommand, readOptions } from './options.ts'
import { openRequestCheck } from './oracle-document.ts'
import { createOracle } from './oracles.ts'
import { adminEmail, createPeople } from './people.ts'
import { openQueue } from './queue.ts'
import { createRows } from './rows.ts'
import { startServiceUnderTest } from './service-under-test.ts'

/** Small enough that bodies just beyond it cost little. */
const LARGEST_BODY_BYTES = 2 * 1024 * 1024

const { FUZZ_DATABASE_URL, TEST_DATABASE_URL, FUZZ_AMQP_URL, TEST_AMQP_URL } = process.env
const options = readCommandLine(fuzzCommand, readOptions)
const serverUrl = FUZZ_DATABASE_URL || TEST_DATABASE_URL
if (!serverUrl) {
  console.error('FUZZ_DATABASE_URL or TEST_DATABASE_URL must name a PostgreSQL server')
  process.exit(2)
}
console.log(`seed ${options.seed}`)

const secret = () => randomBytes(24).toString('base64url')
const secrets = { jwtSigning: secret(), judgePassword: secret(), webBridge: secret() }
const database = await openDatabase(serverUrl)
const queue = await openQueue(FUZZ_AMQP_URL || TEST_AMQP_URL)
try {
  process.exitCode = await fuzz()
} finally {
  await queue.remove()
  await database.remove()
}

async function fuzz(): Promise<number> {
  const service = await startServiceUnderTest(variables(), Object.values(secrets))
  try {
    const { url } = service
    const document = await readDocument(url)
    const operations = readOperations(document)
    const asked = operations.filter(({ id }) => options.operation === undefined || id === options.operation)
    if (asked.length === 0) {
      console.error(`--operation: the document has no '${options.operation}' (see --help)`)
      return 2
    }
    const oracle = createOracle({
      contract: openContract(document),
      checkRequest: openRequestCheck(),
      secrets: Object.values(secrets),
      internals: await database.readConstraintNames(),
    })
    const usedNames = usedNamesOf(operations)
    const session = {
      ...{ url, service, operations, usedNames, oracle },
      people: await createPeople(url, secrets),
      rows: createRows(usedNames),
      agent: new Agent({ keepAlive: true }),
    }
    const startedAtMs = performance.now()
    const tally = await runCampaign(session, asked, {
      ...options,
      largestBodyBytes: LARGEST_BODY_BYTES,
      report: (finding) => console.log(`\nFOUND ${finding}\n`),
    })
    session.agent.destroy()
    const memory = await service.readResidentMebibytes()
    const silent = asked.map(({ id }) => id).filter((id) => !tally.succeeded.has(id))
    if (silent.length > 0) console.log(`without a success: ${silent.join(', ')}`)
    const silence = options.operation === undefined ? findSilence(silent.length, asked.length) : undefined
    if (silence !== undefined) {
      tally.findings += 1
      console.log(`\nFOUND ${silence}\n`)
    }
    console.log(summarise(tally, asked.length, (performance.now() - startedAtMs) / 1000, memory))
    return tally.findings === 0 ? 0 : 1
  } finally {
    await service.stop()
  }
}

/** Rates that let most through and refuse some. */
function variables(): Record<string, string> {
  return {
    DATABASE_URL: database.url,
    ...queue.variables,
    JWT_SIGNING_SECRET: secrets.jwtSigning,
    JUDGE_PASSWORD: secrets.judgePassword,
    WEB_BRIDGE_SECRET: secrets.webBridge,
    ADMIN_EMAILS: Array.from({ length: 3000 }, (_, number) => adminEmail(number)).join(','),
    BASIC_REGISTRATION_ENABLED: 'true',
    PASSWORD_RESET_DEBUG: 'true',
    SEARCH_BACKEND: 'postgres',
    RATE_LIMIT_ACCOUNTS: '600/20',
    RATE_LIMIT_SUBMISSIONS: '1200/40',
    RATE_LIMIT_RUNS: '1200/40',
    RATE_LIMIT_PUBLIC_RUNS: '600/20',
    PROBLEM_BODY_LIMIT_BYTES: String(LARGEST_BODY_BYTES),
    VERDICT_BODY_LIMIT_BYTES: String(LARGEST_BODY_BYTES),
  }
}

function summarise(tally: Tally, operations: number, seconds: number, memory: number | undefined): string {
  const answers = [...tally.answers].sort().map(([kind, count]) => `${count} ${kind}`)
  return [
    `${tally.requests} requests in ${Math.round(seconds)} s (seed ${options.seed})`,
    `operations covered ${tally.asked.size}/${operations}, with success ${tally.succeeded.size}/${operations}`,
    `answers ${answers.join(', ')}`,
    ...(memory === undefined ? [] : [`${Math.round(memory)} MiB`]),
    `${tally.findings} findings`,
  ].join('; ')
}
