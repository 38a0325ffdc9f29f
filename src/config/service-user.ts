import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { StartError } from './start-error.ts'

export interface UserIds {
  readonly uid: number
  readonly gid: number
}

/** Whether this process is root's. */
export const isRoot = () => process.getuid?.() === 0

/** Looks up `SERVICE_USER`; undefined if it is not set. Throws `StartError` if it does not exist. */
export async function findServiceUser(variables: NodeJS.ProcessEnv): Promise<UserIds | undefined> {
  const name = variables.SERVICE_USER?.trim()
  return name ? findUser(name) : undefined
}

/**
 * Gives up root and goes on as `SERVICE_USER`, if this is set: the files of an embedded database
 * must stay the service's. Throws `StartError`.
 */
export async function becomeServiceUser(variables: NodeJS.ProcessEnv): Promise<void> {
  if (!isRoot()) return
  const user = await findServiceUser(variables)
  if (user === undefined) return
  process.setgroups?.([])
  process.setgid?.(user.gid)
  process.setuid?.(user.uid)
}

/** Looks up a user by name or number with `id`. */
async function findUser(name: string): Promise<UserIds> {
  const readId = async (option: '-u' | '-g') =>
    Number((await promisify(execFile)('id', [option, '--', name])).stdout)
  try {
    return { uid: await readId('-u'), gid: await readId('-g') }
  } catch (err) {
    throw new StartError('SERVICE_USER', `the user ${JSON.stringify(name)} does not exist`, err)
  }
}
