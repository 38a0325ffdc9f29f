import { rmSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that goes with this process. */
export interface ServerFolder {
  readonly path: string
  remove(): Promise<void>
}

/** A user of this machine. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Makes a folder for a server's data, of the user it runs as. It goes at the latest when this process ends. */
export async function makeServerFolder(name: string, owner?: Owner): Promise<ServerFolder> {
  const path = await mkdtemp(join(tmpdir(), `judge-${name}-`))
  if (owner !== undefined) await chown(path, owner.uid, owner.gid)
  const removeNow = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', removeNow)
  return {
    path,
    remove: async () => {
      process.removeListener('exit', removeNow)
      await rm(path, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
