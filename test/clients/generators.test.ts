import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { openBareApp } from '../support/bare-app.ts'

const run = promisify(execFile)
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const { app } = await openBareApp()
const document = (await app.inject('/openapi.json')).body

const strict = [
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--target',
  'es2022',
  '--lib',
  'es2022,dom,dom.iterable',
]
const bundled = [...strict, '--module', 'esnext', '--moduleResolution', 'bundler']

interface Generator {
  readonly name: string
  readonly script: string
  readonly options: readonly string[]
  /** The file to compile, in the folder of the document. */
  readonly output: string
}

// The newest versions that run on Node.js 20.
const generators: Generator[] = [
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

it.each(generators)(
  'the generator $name makes a client of the document that compiles with tsc --strict',
  async (generator) => {
    const { script, options, output } = generator
    const folder = await mkdtemp(join(tmpdir(), 'generated-client-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'openapi.json'), document)
    const runScript = (path: string, args: readonly string[]) =>
      run(process.execPath, [join(modules, path), ...args], { cwd: folder })
    await runScript(script, options)
    const compiled = await runScript('typescript/bin/tsc', [...bundled, output]).catch((err: unknown) =>
      Object(err),
    )
    expect(compiled.stdout).toBe('')
  },
)
