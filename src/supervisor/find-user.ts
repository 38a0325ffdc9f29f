import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { StartError } from '../config/start-error.ts'

export interface UserIds {
  readonly uid: number
  readonly gid: number
}

/** Looks up a user by name or number with `id`. Throws `StartError` if there is none. */
export async function findUser(name: string): Promise<UserIds> {
  const readId = async (option: '-u' | '-g') =>
    Number((await promisify(execFile)('id', [option, '--', name])).stdout)
  try {
    return { uid: await readId('-u'), gid: await readId('-g') }
  } catch (err) {
    throw new StartError('SERVICE_USER', `the user ${JSON.stringify(name)} does not exist`, err)
  }
}
