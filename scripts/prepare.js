import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * Runs after `npm ci`: builds the project. Without the development dependencies (`--omit=dev`) it
 * only checks that the project was built before.
 */
const compiler = findCompiler()
if (compiler !== undefined)
  process.exitCode = spawnSync(process.execPath, [compiler, '-b'], { stdio: 'inherit' }).status ?? 1
else if (!existsSync(new URL('../dist/src/main.js', import.meta.url))) {
  console.error('The project is not built. Run npm ci without --omit=dev first, or copy a build.')
  process.exitCode = 1
}

function findCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc')
  } catch {
    return undefined
  }
}
