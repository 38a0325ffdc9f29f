import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The project's folder. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/** The folders of all packages; the first one is the service. */
export const PACKAGE_FOLDERS = [
  '.',
  ...['worker', 'client', 'cli', 'languages', 'pages', 'process'].map((name) => `packages/${name}`),
]

/** What package.json says of a package. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** A packed package. */
export interface Tarball extends Manifest {
  readonly folder: string
  /** Its absolute path. */
  readonly path: string
  /** The paths of its files. */
  readonly files: readonly string[]
}

/** Reads package.json of a folder of the project. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(PROJECT, folder, 'package.json'), 'utf8'))
}

/** Packs all packages of a built project into a folder. */
export async function packAll(destination: string): Promise<Tarball[]> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', destination]
  const tarballs: Tarball[] = []
  for (const folder of PACKAGE_FOLDERS) {
    const { stdout } = await run('npm', args, { cwd: join(PROJECT, folder), maxBuffer: 2 ** 26 })
    // Since npm 12 the answer is an object by name.
    const [packed] = Object.values(JSON.parse(stdout) as Record<string, unknown>)
    const { filename, files }: { filename: string; files: { path: string }[] } = Object(packed)
    const paths = files.map(({ path }) => path)
    tarballs.push({ ...readManifest(folder), folder, path: join(destination, filename), files: paths })
  }
  return tarballs
}

/** A package's own tarball, and those of our packages that it depends on. */
export function withDependencies(name: string, all: readonly Tarball[]): Tarball[] {
  const found = all.find((tarball) => tarball.name === name)
  if (found === undefined) return []
  const needed = Object.keys(found.dependencies ?? {}).flatMap((one) => withDependencies(one, all))
  return [...new Set([found, ...needed])]
}
