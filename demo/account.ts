import { createJudgeClient, type JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'

/** A new account and its logged-in client. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly token: string
  readonly client: JudgeClient
}

/** Registers an account and logs in. Throws `JudgeApiError`. */
export async function register(
  baseUrl: string,
  name: string,
  email: string,
  password: string,
): Promise<Account> {
  const client = createJudgeClient({ baseUrl })
  const { id, token } = await orThrow(client.POST('/v1/basic_register', { body: { name, email, password } }))
  client.setToken(token)
  return { id, name, email, token, client }
}
