import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

/**
 * Runs after `npm ci`: builds the project, and then its pages. Without the development dependencies
 * (`--omit=dev`) it only checks that the project was built before.
 */
const tools = [findProgram('typescript', 'bin/tsc'), findProgram('vite', 'bin/vite.js')]
const built = ['dist/src/main.js', 'packages/pages/site/scoreboard.html']
if (tools.every((tool) => tool !== undefined)) build(...tools)
else if (!built.every((file) => existsSync(new URL(`../${file}`, import.meta.url)))) {
  console.error('The project is not built. Run npm ci without --omit=dev first, or copy a build.')
  process.exitCode = 1
}

function build(compiler, bundler) {
  const pages = fileURLToPath(new URL('../packages/pages', import.meta.url))
  for (const args of [
    [fileURLToPath(new URL('complete-packages.js', import.meta.url))],
    [compiler, '-b'],
    [bundler, 'build', pages, '--logLevel', 'warn'],
  ]) {
    process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
    if (process.exitCode !== 0) return
  }
}

function findProgram(name, file) {
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), file)
  } catch {
    return undefined
  }
}
