import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { PACKAGE_SCRIPT } from '../support/package-processes.ts'
import { findNewest } from './build.ts'
import { ROOT } from './places.ts'

/** Bundles the process that reads packages, if a source is newer: the source takes 5 s to start. */
export default async function bundle(): Promise<void> {
  const script = fileURLToPath(PACKAGE_SCRIPT)
  const times = ['src', 'packages', 'package-lock.json'].map((name) => findNewest(join(ROOT, name)))
  const newest = Math.max(...(await Promise.all(times)))
  if (newest <= (await stat(script).catch(() => ({ mtimeMs: 0 }))).mtimeMs) return
  const conditions = ['source', 'node']
  await build({
    ...{ configFile: false, root: ROOT, logLevel: 'warn' },
    ssr: { noExternal: true, resolve: { conditions } },
    build: { ssr: 'src/package-process.ts', outDir: join(script, '..'), target: 'node20' },
  })
  await utimes(script, new Date(), new Date(newest))
}
