import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const CLAIM = /^\.lock-(\d+)-[0-9a-f]+$/
const ATTEMPTS = 5

/**
 * Locks `directory` for this process and returns the release. Throws, with the process id, if
 * another process has it. The lock ends with its process, also when that is killed.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  for (let attempt = 1; ; attempt += 1) {
    const claim = await openClaim(directory)
    const rivalPid = await findRival(claim)
    if (rivalPid === undefined) return claim.release
    await claim.release()
    if (attempt === ATTEMPTS) {
      throw new Error(
        `The directory ${resolve(directory)} is in use by process ${rivalPid}: stop it, or choose another directory.`,
      )
    }
    // Processes that start together all give way; a random delay lets one go first.
    await wait(20 + Math.random() * 100)
  }
}

interface Claim {
  /** The locked directory, as a path short enough for a socket. */
  readonly folder: string
  readonly name: string
  release(): Promise<void>
}

/**
 * A claim is a listening Unix socket in the directory. Connecting shows whether its process is
 * alive, even if stopped or in another container, where a file's age or a pid would be wrong.
 */
async function openClaim(directory: string): Promise<Claim> {
  const name = `.lock-${process.pid}-${randomBytes(6).toString('hex')}`
  const descriptor = openSync(directory, 'r')
  // A socket's path is limited to about 100 bytes.
  const shortcut = `/proc/self/fd/${descriptor}`
  const folder = existsSync(shortcut) ? shortcut : directory
  const server = createServer((socket) => socket.destroy()).unref()
  try {
    server.listen(join(folder, name))
    await once(server, 'listening')
  } catch (err) {
    closeSync(descriptor)
    throw new Error(`The directory ${resolve(directory)} cannot be locked: ${String(err)}`, { cause: err })
  }
  const release = async (): Promise<void> => {
    await new Promise((done) => server.close(done)) // Removes the socket.
    closeSync(descriptor)
  }
  return { folder, name, release }
}

/**
 * Returns the pid of another living claim. Processes claim before they look, so at least one of two
 * concurrent processes sees the other.
 */
async function findRival(claim: Claim): Promise<string | undefined> {
  const names = await readdir(claim.folder)
  // Another process removed this claim, because it looked before the socket listened.
  if (!names.includes(claim.name)) return 'unknown'
  for (const name of names) {
    const pid = CLAIM.exec(name)?.[1]
    if (pid === undefined || name === claim.name) continue
    const path = join(claim.folder, name)
    if (await isAlive(path)) return pid
    await rm(path, { force: true })
  }
  return undefined
}

async function isAlive(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch (err) {
    // Other errors, such as a full backlog, do not show that the process is dead.
    return !(err instanceof Error && 'code' in err && (err.code === 'ECONNREFUSED' || err.code === 'ENOENT'))
  } finally {
    socket.destroy()
  }
}
