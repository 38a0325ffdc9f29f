import type { Database } from '../../src/db/database.ts'
import { createTokens } from '../../src/http/routing/tokens.ts'
import { ask } from '../local-servers/database.ts'
import type { Secrets } from '../local-servers/secrets.ts'
import { userId } from './ids.ts'
import type { Size } from './sizes.ts'

/** The ids and tokens of a filled database. */
export interface World {
  readonly size: Size
  readonly languageId: string
  readonly judgeToken: string
  tokenOf(user: number): Promise<string>
}

/** Signs tokens as the service does, so that no user has to log in. */
export async function createWorld(database: Database, size: Size, secrets: Secrets): Promise<World> {
  const tokens = await createTokens({
    secret: secrets.JWT_SIGNING_SECRET,
    userTtlSeconds: 86_400,
    judgeTtlSeconds: 86_400,
  })
  const sql = `select languages.id::text from languages where languages.name = 'Python' limit 1`
  const [language] = await ask<{ id: string }>(database, sql)
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
