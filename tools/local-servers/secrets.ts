import { randomBytes } from 'node:crypto'

/** What services and their workers must share. */
export interface Secrets {
  readonly jwtSigning: string
  readonly judgePassword: string
  readonly webBridge: string
}

/** Makes new ones, for one run. */
export function makeSecrets(): Secrets {
  const secret = () => randomBytes(24).toString('base64url')
  return { jwtSigning: secret(), judgePassword: secret(), webBridge: secret() }
}
