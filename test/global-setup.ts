import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import type { Database } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { openPglite } from '../src/db/pglite.ts'
import { unprepared } from '../src/db/statement.ts'
import { findChromium } from './clients/find-chromium.ts'
import { databaseUrl, openAdmin, type Template } from './support/database.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

declare module 'vitest' {
  export interface ProvidedContext {
    template: Template
  }
}

/**
 * Builds the project, creates the migrated database that test files clone, and prints which servers
 * the suite uses.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  build()
  const { TEST_DATABASE_URL: serverUrl, TEST_AMQP_URL: amqpUrl } = process.env
  const onDatabase = serverUrl ? 'PostgreSQL (TEST_DATABASE_URL)' : 'PGlite (TEST_DATABASE_URL is not set)'
  const onQueue = amqpUrl ? 'run (TEST_AMQP_URL)' : 'are NOT run (TEST_AMQP_URL is not set)'
  const inBrowser = findChromium() ? 'run (Chromium)' : 'are NOT run (no Chromium; CHROMIUM_PATH says where)'
  if (process.env.TEST_REQUIRE_ALL) requireAll()
  console.log(`Tests run on ${onDatabase}; the RabbitMQ tests ${onQueue}; the browser tests ${inBrowser}.`)
  const { template, dispose } = serverUrl ? await makePostgresTemplate(serverUrl) : await makePgliteTemplate()
  project.provide('template', template)
  return dispose
}

/** Tests that start processes use the build: it starts in half the time of the source. */
function build(): void {
  try {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, encoding: 'utf8' })
  } catch (err) {
    console.warn(
      `The build failed, and tests that start processes use what there is.\n${Object(err).stdout ?? err}`,
    )
  }
}

/** Throws if anything is missing that some tests need. */
function requireAll(): void {
  const missing = ['TEST_DATABASE_URL', 'TEST_AMQP_URL'].filter((name) => !process.env[name])
  if (missing.length > 0) throw new Error(`${missing.join(' and ')} must be set`)
  execFileSync('bwrap', ['--version'], { stdio: 'ignore' })
  execFileSync(findChromium() ?? 'chromium', ['--version'], { stdio: 'ignore' })
}

interface MadeTemplate {
  readonly template: Template
  dispose(): Promise<void>
}

async function makePgliteTemplate(): Promise<MadeTemplate> {
  const folder = await mkdtemp(join(tmpdir(), 'judge-test-databases-'))
  const dataDir = join(folder, 'template')
  const database = await openPglite({ dataDir })
  await migrate(database).finally(() => database.close())
  const dispose = () => rm(folder, { recursive: true, maxRetries: 5 })
  return { template: { kind: 'pglite', folder, dataDir }, dispose }
}

async function makePostgresTemplate(serverUrl: string): Promise<MadeTemplate> {
  const name = `judge_test_${process.pid}_${randomUUID().slice(0, 8)}`
  const admin = openAdmin(serverUrl)
  const dispose = async (): Promise<void> => {
    await dropDatabases(admin, name)
    await admin.close()
  }
  try {
    await admin.query(unprepared(`create database ${name}`))
    const database = openAdmin(databaseUrl(serverUrl, name))
    await migrate(database).finally(() => database.close())
  } catch (err) {
    await dispose()
    throw err
  }
  return { template: { kind: 'postgres', serverUrl, name }, dispose }
}

/** Drops the template and its clones, whose names begin with its name. */
async function dropDatabases(admin: Database, prefix: string): Promise<void> {
  const found = await admin.query(
    unprepared<{ name: string }>(
      'select database.datname as name from pg_database as database where starts_with(database.datname, $1)',
    ),
    [prefix],
  )
  for (const { name } of found) await admin.query(unprepared(`drop database if exists ${name} with (force)`))
}
