import { rmSync } from 'node:fs'
import { chown, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A user of this machine. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Makes a folder for a server's data. It is removed at the latest when this process ends. */
export async function makeServerFolder(name: string, owner?: Owner) {
  const path = await mkdtemp(join(tmpdir(), `judge-${name}-`))
  if (owner !== undefined) await chown(path, owner.uid, owner.gid)
  const remove = () => {
    process.removeListener('exit', remove)
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', remove)
  return { path, remove }
}
