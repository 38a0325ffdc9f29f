import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** A fault that the tests must find. */
export interface Mutant {
  /** Its area, and the name of its file. */
  readonly name: string
  /** What is wrong with it, as a sentence. */
  readonly fault: string
  /** The filters of Vitest for the tests of its area. */
  readonly tests: readonly string[]
  /** The file of the patch. */
  readonly path: string
}

const EXTENSION = '.patch'

/** Reads the patches of a folder: a sentence, the line `tests: …`, and the difference. */
export async function readMutants(folder: string): Promise<readonly Mutant[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(EXTENSION)).sort()
  return Promise.all(names.map((name) => readMutant(join(folder, name))))
}

async function readMutant(path: string): Promise<Mutant> {
  const name = basename(path, EXTENSION)
  const [, fault, tests] = /^(\S[^\n]*)\n\ntests: (\S[^\n]*)\n/.exec(await readFile(path, 'utf8')) ?? []
  if (fault === undefined || tests === undefined)
    throw new Error(`${path} must begin with the fault, an empty line and "tests: …"`)
  return { name, fault, tests: tests.split(' '), path }
}

/** Applies a patch to the project in a folder, or takes it back. Throws if it does not apply. */
export function applyMutant({ path }: Mutant, folder: string, direction: 'forward' | 'back'): void {
  const reverse = direction === 'back' ? ['--reverse'] : []
  execFileSync('git', ['apply', ...reverse, path], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    // The copy is no repository, also if a folder above it is one.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: join(folder, '..') },
  })
}
