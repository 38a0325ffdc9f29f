import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Template } from '../support/database.ts'
import { CACHE, ROOT } from './places.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    template: Template
  }
}

const TEMPLATES = join(CACHE, 'databases')

/** Provides the migrated databases that test files clone. The embedded one is kept for later runs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = join(TEMPLATES, await hashTemplate())
  if (!existsSync(dataDir)) await keepPgliteTemplate(dataDir)
  const serverUrl = process.env.TEST_DATABASE_URL
  if (serverUrl) {
    const { makePostgresTemplate } = await import('./make-template.ts')
    const { name, dispose } = await makePostgresTemplate(serverUrl)
    project.provide('template', { kind: 'postgres', serverUrl, name, dataDir })
    return dispose
  }
  const folder = await mkdtemp(join(tmpdir(), 'judge-test-databases-'))
  project.provide('template', { kind: 'pglite', folder, dataDir })
  return () => rm(folder, { recursive: true, maxRetries: 5 })
}

/** A hash of the migrations and the version of the embedded database. */
async function hashTemplate(): Promise<string> {
  const folder = join(ROOT, 'migrations')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const files = [join(ROOT, 'node_modules/@electric-sql/pglite/package.json')]
  files.push(...names.map((name) => join(folder, name)))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return createHash('sha256')
    .update(JSON.stringify([names, texts]))
    .digest('hex')
    .slice(0, 16)
}

/** Runs that start together make one each, and the first is kept. Older ones are removed. */
async function keepPgliteTemplate(dataDir: string): Promise<void> {
  const { makePgliteTemplate } = await import('./make-template.ts')
  await mkdir(TEMPLATES, { recursive: true })
  const unfinished = await mkdtemp(`${dataDir}-`)
  try {
    await makePgliteTemplate(unfinished)
    await rename(unfinished, dataDir)
  } catch (err) {
    await rm(unfinished, { recursive: true })
    if (!existsSync(dataDir)) throw err
  }
  const names = await readdir(TEMPLATES)
  const old = names.filter((name) => !name.startsWith(basename(dataDir)))
  await Promise.all(old.map((name) => rm(join(TEMPLATES, name), { recursive: true, force: true })))
}
