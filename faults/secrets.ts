import { randomBytes } from 'node:crypto'

export interface Secrets {
  readonly jwtSigning: string
  readonly judgePassword: string
  readonly webBridge: string
}

/** Makes the secrets that the services of a run and its workers share. */
export function makeSecrets(): Secrets {
  const secret = () => randomBytes(24).toString('base64url')
  return { jwtSigning: secret(), judgePassword: secret(), webBridge: secret() }
}
