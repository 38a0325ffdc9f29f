import { execFileSync } from 'node:child_process'
import { findChromium } from '../clients/find-chromium.ts'

/** Prints which servers the tests use. Throws if `TEST_REQUIRE_ALL` is set and one is missing. */
export default function announce(): void {
  const { TEST_DATABASE_URL: databaseUrl, TEST_AMQP_URL: amqpUrl } = process.env
  const onDatabase = databaseUrl ? 'PostgreSQL (TEST_DATABASE_URL)' : 'PGlite (TEST_DATABASE_URL is not set)'
  const onQueue = amqpUrl ? 'run (TEST_AMQP_URL)' : 'are NOT run (TEST_AMQP_URL is not set)'
  const inBrowser = findChromium() ? 'run (Chromium)' : 'are NOT run (no Chromium; CHROMIUM_PATH says where)'
  if (process.env.TEST_REQUIRE_ALL) requireAll()
  console.log(`Tests run on ${onDatabase}; the RabbitMQ tests ${onQueue}; the browser tests ${inBrowser}.`)
}

function requireAll(): void {
  const missing = ['TEST_DATABASE_URL', 'TEST_AMQP_URL'].filter((name) => !process.env[name])
  if (missing.length > 0) throw new Error(`${missing.join(' and ')} must be set`)
  execFileSync('bwrap', ['--version'], { stdio: 'ignore' })
  if (findChromium() === undefined) throw new Error('Chromium must be installed (CHROMIUM_PATH)')
}
