import { describe, expect, it } from 'vitest'
import { openTestApp } from '../../support/app.ts'
import type { TestResponse } from '../../support/caller.ts'
import { onPostgres } from '../../support/needs.ts'
import { allow, describeRaces } from '../../support/races.ts'
import { collideAt, lockRows } from '../../support/row-lock.ts'
import { type ImportedUser, importsOf, importUrl, type SentUser } from '../../support/user-imports.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const { importUsers, newUser, logIn, createEvent, participantsOf, teamsOf } = importsOf(service, admin)

const usersIn = ({ body }: TestResponse): ImportedUser[] => body.users ?? []
const send = (users: readonly SentUser[], query = '') => admin.send('POST', importUrl(query), { users })

/** Expects that every returned password logs in, and that each user got one from one response. */
async function expectPasswords(responses: readonly TestResponse[], users: readonly SentUser[]) {
  const all = responses.flatMap(usersIn)
  for (const { email } of users) {
    const own = all.filter((one) => one.email === email)
    const created = own.filter(({ outcome }) => outcome === 'created')
    expect(created, email).toHaveLength(1)
    expect(new Set(own.map(({ id }) => id)).size, email).toBe(1)
    const passwords = own.flatMap(({ password }) => password ?? [])
    expect(passwords).toHaveLength(1)
    await logIn(email, passwords[0])
  }
}

describeRaces('of concurrent imports, each account is created by one', 2, {
  'of the same users in other orders': async () => {
    const event = await createEvent()
    const users = [newUser({ team: 'Owls' }), newUser({ team: 'Bats' }), newUser()]
    const orders = [users, users.toReversed(), users]
    return {
      contenders: orders.map((order) => allow(() => send(order, `event_id=${event}`), '200')),
      holds: async (responses) => {
        await expectPasswords(responses, users)
        expect(await participantsOf(event)).toHaveLength(3)
        expect(Object.values(await teamsOf(event)).map((members) => members.length)).toEqual([1, 1])
      },
    }
  },
})

describe('an import that waits for another session', onPostgres, () => {
  /** In an open transaction, it keeps unique keys from others. */
  const insertUser =
    'insert into users (id, name, email, password_hash) values (gen_random_uuid(), $1, $2, null)'

  it('matches an account that is created meanwhile, and returns no password for it', async () => {
    const [user, other] = [newUser(), newUser()]
    const lock = await lockRows(service.databaseUrl ?? '', insertUser, [user.name, user.email])
    const imports = [send([user, other]), send([other, user])]
    await lock.untilWaiting(2)
    await lock.release()
    const responses = await Promise.all(imports)
    for (const response of responses) {
      const [{ password, ...own } = { outcome: 'refused', email: '' }] = usersIn(response).filter(
        ({ email }) => email === user.email,
      )
      expect([own.outcome, password]).toEqual(['exists', undefined])
    }
    await expectPasswords(responses, [other])
  })

  it('refuses a user who joins another team meanwhile', async () => {
    const [event, person] = [await createEvent(), await service.createPerson()]
    await person.post(`/v1/public/events/${event}/register`)
    const { team_id } = await admin.post(`/v1/events/${event}/teams`, { name: 'Owls' })
    const user = newUser()
    const select = 'select from event_participants where user_id = $1::uuid for update'
    const [joined, imported] = await collideAt(service.databaseUrl, select, person.id, [
      () => person.send('POST', `/v1/events/${event}/teams/${team_id}/join`),
      () => send([user, { name: 'x', email: person.email, team: 'Bats' }], `event_id=${event}&partial=true`),
    ])
    expect(joined?.status).toBe(201)
    expect(imported && usersIn(imported).map(({ outcome }) => outcome)).toEqual(['created', 'refused'])
    expect(Object.keys(await teamsOf(event))).toEqual(['Owls'])
    await expectPasswords(imported === undefined ? [] : [imported], [user])
  })

  it('stores nothing when it tries again for an admin who was demoted meanwhile (403) (D10)', async () => {
    const [user, other, former] = [newUser(), newUser(), await service.createPerson({ admin: true })]
    const lock = await lockRows(service.databaseUrl ?? '', insertUser, [user.name, user.email])
    const importing = former.send('POST', importUrl(''), { users: [user, other] })
    await lock.untilWaiting(1)
    await admin.put(`/v1/users/${former.id}`, { is_admin: false })
    await lock.release()
    expect((await importing).status).toBe(403)
    expect((await importUsers([user, other])).map(({ outcome }) => outcome)).toEqual(['exists', 'created'])
  })
})
