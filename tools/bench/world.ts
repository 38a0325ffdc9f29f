import { type Database, statement } from '../../src/db/database.ts'
import { createTokens, type Tokens } from '../../src/http/routing/tokens.ts'
import type { Secrets } from '../local-servers/secrets.ts'
import { userId } from './ids.ts'
import type { Size } from './sizes.ts'

/** A filled database as a client of the service knows it. */
export interface World {
  readonly size: Size
  readonly languageId: string
  readonly judgeToken: string
  tokenOf(user: number): Promise<string>
}

/** Signs tokens as the service does, so that nobody needs to log in. */
export async function openWorld(database: Database, size: Size, secrets: Secrets): Promise<World> {
  const tokens: Tokens = await createTokens({
    secret: secrets.jwtSigning,
    userTtlSeconds: 86_400,
    judgeTtlSeconds: 86_400,
  })
  const [language] = await database.query(
    statement<{ id: string }>(
      '',
      `select languages.id::text from languages where languages.name = 'Python' limit 1`,
    ),
  )
  if (language === undefined) throw new Error('The database has no language Python')
  const known = new Map<number, Promise<string>>()
  return {
    size,
    languageId: language.id,
    judgeToken: await tokens.issueJudgeToken(),
    tokenOf(user) {
      const token =
        known.get(user) ??
        tokens.issueUserToken({ id: userId(user), isAdmin: user === size.users, sessionVersion: 1 })
      known.set(user, token)
      return token
    },
  }
}
