import type { TestApp } from './app.ts'
import type { Caller, Expected } from './caller.ts'

/** A user as an import sends it. */
export interface SentUser {
  readonly name: string
  readonly email: string
  readonly password?: string | null
  readonly team?: string | null
}

/** A user in the response of an import. */
export interface ImportedUser {
  readonly email: string
  readonly id?: string
  readonly outcome: 'created' | 'exists' | 'refused'
  readonly password?: string
  readonly error?: string
}

export const importUrl = (query: string) => `/v1/users/import${query && `?${query}`}`

/** Imports users as this admin, and reads the result through the service. */
export function importsOf(service: TestApp, admin: Caller & { readonly token: string }) {
  let created = 0
  return {
    importUsers: async (users: readonly SentUser[], query = '', expected: Expected = 200) => {
      const body: { users: ImportedUser[] } = await admin.post(importUrl(query), { users }, expected)
      return body.users
    },
    importCsv: (raw: string | Buffer, query = '', type = 'text/csv') =>
      service.send({
        ...{ method: 'POST', url: importUrl(query), token: admin.token, raw },
        headers: { 'content-type': type },
      }),
    logIn: (email: string, password = '', expected: Expected = 200) =>
      service.anonymous.post('/v1/basic_login', { email, password }, expected),
    newUser(fields: Partial<SentUser> = {}): SentUser {
      created += 1
      return { name: `Imported ${created}`, email: `imported-${created}@example.org`, ...fields }
    },
    createEvent: async (teams = true): Promise<number> => {
      const times = { start_time: '2026-01-01T00:00:00Z', end_time: '2099-01-01T00:00:00Z' }
      return (await admin.post('/v1/events', { title: 'A contest', ...times, teams })).id
    },
    /** The e-mails of the participants. */
    participantsOf: async (event: number): Promise<string[]> =>
      (await admin.get(`/v1/events/${event}/participants`)).map(({ email }: SentUser) => email),
    /** The e-mails of the members of each team. */
    teamsOf: async (event: number): Promise<Record<string, string[]>> => {
      const teams: { id: string; name: string }[] = await admin.get(`/v1/events/${event}/teams`)
      const details = teams.map(async ({ id, name }) => {
        const { members } = await admin.get(`/v1/events/${event}/teams/${id}`)
        return [name, members.map(({ email }: SentUser) => email)] as const
      })
      return Object.fromEntries(await Promise.all(details))
    },
  }
}
