import type { JudgeClient, Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { fold } from '@judge-data-layer/runtime/visible-text'
import { notFound } from '../shared/errors.ts'
import { readPages } from './problems-and-contests.ts'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Finds a user by the id, the e-mail address or the name, for admins. */
export async function findUser(client: JudgeClient, name: string): Promise<Schemas['User']> {
  if (ID.test(name))
    return orThrow(client.GET('/v1/users/{user_id}', { params: { path: { user_id: name } } }))
  const users = await readPages((query) => client.GET('/v1/users', { params: { query } }))
  const wanted = fold(name)
  const found =
    users.find(({ email }) => fold(email) === wanted) ?? users.find((user) => fold(user.name) === wanted)
  if (found === undefined) throw notFound(`No user has the e-mail address or the name ${name}.`)
  return found
}
