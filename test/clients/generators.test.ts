import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openBareApp } from '../support/bare-app.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const { app } = await openBareApp()
const document = (await app.inject('/openapi.json')).body

const strict =
  '--noEmit --strict --skipLibCheck --target es2022 --lib es2022,dom,dom.iterable --module esnext --moduleResolution bundler'

// The newest versions that run on Node.js 20. `output` is the file to compile.
const generators = [
  {
    name: 'orval',
    script: 'orval/dist/bin/orval.js',
    options: ['--input', 'openapi.json', '--output', 'client.ts', '--client', 'fetch'],
    output: 'client.ts',
  },
  {
    name: '@hey-api/openapi-ts',
    script: '@hey-api/openapi-ts/bin/run.js',
    options: ['--input', 'openapi.json', '--output', 'client', '--no-log-file'],
    output: 'client/index.ts',
  },
]

it.each(generators)('$name makes a client that passes tsc --strict', async ({ script, options, output }) => {
  const folder = await makeTemporaryFolder()
  await writeFile(join(folder, 'openapi.json'), document)
  const runScript = (path: string, args: readonly string[]) =>
    run(process.execPath, [join(modules, path), ...args], { cwd: folder })
  await runScript(script, options)
  const compiled = await runScript('typescript/bin/tsc', [...strict.split(' '), output]).catch(
    (err: unknown) => Object(err),
  )
  expect(compiled.stdout).toBe('')
})
