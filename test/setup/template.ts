import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Template } from '../support/database.ts'
import type { Emptying } from '../support/empty-database.ts'
import { CACHE, ROOT } from './places.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    template: Template
  }
}

const TEMPLATES = join(CACHE, 'databases')
/** What a kept template has: its database, and how its clones are emptied. */
const [DATA, EMPTYING] = ['data', 'emptying.json']

/** Provides the migrated databases that test files clone. The embedded one is kept on disk. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kept = join(TEMPLATES, await hashTemplate())
  if (!existsSync(kept)) await keepPgliteTemplate(kept)
  const dataDir = join(kept, DATA)
  const serverUrl = process.env.TEST_DATABASE_URL
  if (serverUrl) {
    const { makePostgresTemplate } = await import('./make-template.ts')
    const { dispose, ...made } = await makePostgresTemplate(serverUrl)
    project.provide('template', { kind: 'postgres', serverUrl, dataDir, ...made })
    return dispose
  }
  const folder = await mkdtemp(join(tmpdir(), 'judge-test-databases-'))
  const emptying: Emptying = JSON.parse(await readFile(join(kept, EMPTYING), 'utf8'))
  project.provide('template', { kind: 'pglite', folder, dataDir, emptying })
  return () => rm(folder, { recursive: true, maxRetries: 5 })
}

/** A hash of the migrations, the version of the embedded database and the way to empty it. */
async function hashTemplate(): Promise<string> {
  const folder = join(ROOT, 'migrations')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const others = ['node_modules/@electric-sql/pglite/package.json', 'test/support/empty-database.ts']
  const files = others.map((file) => join(ROOT, file))
  files.push(...names.map((name) => join(folder, name)))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return createHash('sha256')
    .update(JSON.stringify([names, texts]))
    .digest('hex')
    .slice(0, 16)
}

/** Runs that start together make one each, and the first is kept. Older ones are removed. */
async function keepPgliteTemplate(kept: string): Promise<void> {
  const { makePgliteTemplate } = await import('./make-template.ts')
  await mkdir(TEMPLATES, { recursive: true })
  const unfinished = await mkdtemp(`${kept}-`)
  try {
    const emptying = await makePgliteTemplate(join(unfinished, DATA))
    await writeFile(join(unfinished, EMPTYING), JSON.stringify(emptying))
    await rename(unfinished, kept)
  } catch (err) {
    await rm(unfinished, { recursive: true })
    if (!existsSync(kept)) throw err
  }
  const names = await readdir(TEMPLATES)
  const old = names.filter((name) => !name.startsWith(basename(kept)))
  await Promise.all(old.map((name) => rm(join(TEMPLATES, name), { recursive: true, force: true })))
}
