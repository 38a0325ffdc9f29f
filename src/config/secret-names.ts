import type { environmentSchema } from './environment.ts'

/** The variables that can also come from a file, by `NAME_FILE`. Addresses contain passwords. */
export const secretNames = [
  'JWT_SIGNING_SECRET',
  'JUDGE_PASSWORD',
  'WEB_BRIDGE_SECRET',
  'DATABASE_URL',
  'AMQP_URL',
] as const satisfies (keyof typeof environmentSchema.properties)[]
