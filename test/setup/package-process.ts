import { stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { PACKAGE_SCRIPTS } from '../support/package-processes.ts'
import { findNewest } from './build.ts'
import { ROOT } from './places.ts'

const SOURCES = ['src', 'packages', 'package-lock.json', 'test/support/hostile-reader.ts']

/** Bundles the processes that read packages, if a source is newer: sources take 5 s to start. */
export default async function bundle(): Promise<void> {
  const scripts = Object.values(PACKAGE_SCRIPTS).map((script) => fileURLToPath(script))
  const newest = Math.max(...(await Promise.all(SOURCES.map((name) => findNewest(join(ROOT, name))))))
  const made = await Promise.all(
    scripts.map((script) =>
      stat(script).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  if (newest <= Math.min(...made)) return
  const sources = Object.keys(PACKAGE_SCRIPTS)
  await build({
    ...{ configFile: false, root: ROOT, logLevel: 'warn' },
    ssr: { noExternal: true, resolve: { conditions: ['source', 'node'] } },
    build: {
      ...{ ssr: true, outDir: dirname(scripts[0] ?? ''), target: 'node20' },
      rolldownOptions: { input: sources, output: { entryFileNames: '[name].js' } },
    },
  })
  for (const script of scripts) await utimes(script, new Date(), new Date(newest))
}
