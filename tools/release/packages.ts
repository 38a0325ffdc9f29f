import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/** The folders of all packages; the first one is the service. */
export const PACKAGE_FOLDERS = [
  '.',
  ...['worker', 'client', 'cli', 'languages', 'pages', 'problem-format', 'runtime'].map(
    (name) => `packages/${name}`,
  ),
]

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly dependencies?: Readonly<Record<string, string>>
}

export type Tarball = Awaited<ReturnType<typeof packAll>>[number]

interface Packed {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(PROJECT, folder, 'package.json'), 'utf8'))
}

/** Packs all packages of a built project into a folder. */
export async function packAll(destination: string) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', destination]
  const folders = PACKAGE_FOLDERS.map((folder) => join(PROJECT, folder))
  const { stdout } = await run('npm', [...args, ...folders], { maxBuffer: 2 ** 26 })
  // Since npm 12 the answer is an object by name.
  const packed = Object.values<Packed>(JSON.parse(stdout))
  return PACKAGE_FOLDERS.map((folder) => {
    const manifest = readManifest(folder)
    const { filename = '', files = [] } = packed.find(({ name }) => name === manifest.name) ?? {}
    return { ...manifest, folder, path: join(destination, filename), files: files.map(({ path }) => path) }
  })
}

/** A package's own tarball, and those of our packages that it depends on. */
export function withDependencies(name: string, all: readonly Tarball[]): Tarball[] {
  const found = all.find((tarball) => tarball.name === name)
  if (found === undefined) return []
  const needed = Object.keys(found.dependencies ?? {}).flatMap((one) => withDependencies(one, all))
  return [...new Set([found, ...needed])]
}
