import { randomBytes } from 'node:crypto'

/** The secrets of a service and its workers, as environment variables. */
export type Secrets = Readonly<Record<'JWT_SIGNING_SECRET' | 'JUDGE_PASSWORD' | 'WEB_BRIDGE_SECRET', string>>

/** Makes new secrets for one run. */
export function makeSecrets(): Secrets {
  const secret = () => randomBytes(24).toString('base64url')
  return { JWT_SIGNING_SECRET: secret(), JUDGE_PASSWORD: secret(), WEB_BRIDGE_SECRET: secret() }
}
