import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { missing } from '../../../packages/worker/test/support/requirements.ts'
import { makeServerFolder } from '../../../tools/local-servers/server-process.ts'

export const run = promisify(execFile)
const FILES = new URL('../../cluster/files/', import.meta.url)
/** The folder of the scripts. */
export const SCRIPTS = new URL('../../cluster/', import.meta.url).pathname

/** The path of a file of the cluster. */
export const pathOf = (name: string): string => new URL(name, FILES).pathname

/** The text of a file of the cluster. */
export const readText = (name: string): string => readFileSync(pathOf(name), 'utf8')

/** The permissions of a file or folder, as `chmod` takes them. */
export const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8)

/** Why a test with mounts of its own cannot run. */
export const noMounts = process.env.TEST_REQUIRE_ALL
  ? undefined
  : missing('unshare', [...ownNamespaces(), 'true'])

/** Options of `unshare`: a user without privileges gets them in a namespace of its own. */
export function ownNamespaces(): string[] {
  const options = ['--mount', '--net']
  return process.getuid?.() === 0 ? options : [...options, '--map-root-user']
}

/** A folder that is removed after the test. */
export async function makeFolder(): Promise<string> {
  const { path, remove } = await makeServerFolder('cluster')
  onTestFinished(remove)
  return path
}

/** Makes the secrets of a cluster. Returns their folder. */
export async function makeSecrets(parent: string): Promise<string> {
  const folder = join(parent, 'secrets')
  await run(join(SCRIPTS, 'make-secrets.sh'), [folder])
  return folder
}
