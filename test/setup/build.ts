import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CACHE, ROOT } from './places.ts'

const SOURCES = [
  ...['src', 'demo', 'packages', 'package-lock.json', 'tsconfig.json', 'tsconfig.base.json'],
  ...['docs/openapi.json', 'scripts/complete-packages.js'],
]
const NO_SOURCES = ['node_modules', 'dist', 'site', 'test']
const OUTPUTS = ['dist/src/main.js', 'packages/worker/dist/main.js', 'packages/pages/site/scoreboard.html']
/** Its time is that of the newest source of the last build. */
const STAMP = join(CACHE, 'built')

/** Builds the project if a source is newer: the build starts in half the time of the source. */
export default async function build(): Promise<void> {
  const times = await Promise.all(SOURCES.map((name) => findNewest(join(ROOT, name))))
  const newest = Math.max(...times)
  if (newest <= (await readStamp())) return
  await mkdir(CACHE, { recursive: true })
  const release = await waitForLock()
  try {
    if (newest > (await readStamp())) await buildAll(newest)
  } finally {
    await release()
  }
}

/** Of runs that start together one builds. */
async function waitForLock(): Promise<() => Promise<void>> {
  const { lockDirectory } = await import('../../src/db/directory-lock.ts')
  for (;;) {
    try {
      return await lockDirectory(CACHE)
    } catch (err) {
      if (!String(err).includes('is in use by process')) throw err
    }
  }
}

async function buildAll(newest: number): Promise<void> {
  try {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, encoding: 'utf8' })
  } catch (err) {
    // Vitest does not always show what a set-up throws.
    console.error(Object(err).stdout)
    throw new Error('The build failed.', { cause: err })
  }
  await writeFile(STAMP, '')
  await utimes(STAMP, new Date(), new Date(newest))
}

/** The time of the newest file in a folder, or of this file. */
export async function findNewest(path: string): Promise<number> {
  const found = await stat(path)
  if (!found.isDirectory()) return Math.ceil(found.mtimeMs)
  const names = (await readdir(path)).filter((name) => !NO_SOURCES.includes(name))
  const times = await Promise.all(names.map((name) => findNewest(join(path, name))))
  return Math.max(0, ...times)
}

/** 0 without a whole build. */
async function readStamp(): Promise<number> {
  if (!OUTPUTS.every((file) => existsSync(join(ROOT, file)))) return 0
  return stat(STAMP).then(
    ({ mtimeMs }) => Math.ceil(mtimeMs),
    () => 0,
  )
}
