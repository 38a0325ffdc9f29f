import { expect } from 'vitest'
import type { ContestService } from './contests.ts'
import { type ZipEntry, zipEntries } from './zip-packages.ts'

/** A refusal of the Contest API; the message counts only if it is given. */
export const refused = (code: number, message: unknown = expect.any(String)) => ({
  status: code,
  body: { code, message },
})

/** The `files` of a submission: a zip with these files, in Base64. */
export async function zipped(...entries: ZipEntry[]) {
  return [{ data: (await zipEntries(entries)).toString('base64') }]
}

/** The path of a contest in the Contest API. */
export const contestUrl = (eventId: number) => `/v1/clics/contests/${eventId}`

/** A value for the header Authorization of an account with a password (HTTP Basic). */
export async function registerWithPassword({ service }: ContestService, name: string): Promise<string> {
  const account = { name, email: `${name}@example.org`, password: 'staple battery horse correct' }
  await service.anonymous.post('/v1/basic_register', account, 201)
  return `Basic ${Buffer.from(`${account.email}:${account.password}`).toString('base64')}`
}
