import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeLater } from './cleanup.ts'

/** Creates an empty folder that is removed after the test or the file. */
export async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'judge-test-'))
  closeLater(() => rm(folder, { recursive: true }))
  return folder
}
