import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { NIL_UUID } from '../../../src/http/routing/tokens.ts'
import { openTestApp, type Person, type TestResponse, WEB_BRIDGE_SECRET } from '../../support/app.ts'
import type { Caller } from '../../support/caller.ts'
import { databaseKind } from '../../support/database.ts'
import { onPostgres } from '../../support/needs.ts'
import { notFound, refusal } from '../../support/refusals.ts'
import { collideAt } from '../../support/row-lock.ts'

const service = await openTestApp({ PASSWORD_RESET_DEBUG: 'true' })
const { anonymous } = service
const bridge = service.as(WEB_BRIDGE_SECRET)
const admin = await service.createPerson({ admin: true })

const urlOf = ({ id }: { id: string }) => `/v1/users/${id}`
const noUser = notFound('user')
const lastAdmin = refusal(403, 'LAST_ADMIN')

const readRow =
  unprepared(`select users.name, users.email, users.image, users.is_admin, users.password_hash, users.provider_id,
          users.deleted_at between now() - interval '1 minute' and now() as is_deleted,
          (select count(*)::integer from password_resets where password_resets.user_id = users.id) as resets
   from users
   where users.id = $1::uuid`)

const erased = {
  ...{ name: 'Deleted user', email: '', image: '', is_admin: false },
  ...{ password_hash: null, provider_id: null, is_deleted: true, resets: 0 },
}

const logInOverBridge = (profile: object) => bridge.send('POST', '/v1/create_or_login_user', profile)
const requestReset = (email: string) => anonymous.send('POST', '/v1/basic_request_password_reset', { email })
const resetPassword = (email: string, token: string) =>
  anonymous.send('POST', '/v1/basic_reset_password', { email, token, new_password: 'a password' })

async function createWhole(word: string) {
  const email = `${word}@example.org`
  const profile = { id: `provider|${word}`, name: `Name ${word}`, email, image: 'i' }
  const { id } = (await logInOverBridge(profile)).body
  await resetPassword(email, (await requestReset(email)).body.token)
  const { token } = await anonymous.post('/v1/basic_login', { email, password: 'a password' })
  return { id, email, profile, resetToken: (await requestReset(email)).body.token, ...service.as(token) }
}

describe('the deletion of a user', () => {
  it('is allowed to the user and to admins (204) [DELETE /v1/users/{user_id}] [State: user deleted]', async () => {
    const [one, other] = [await service.createPerson(), await service.createPerson()]
    expect(await one.send('DELETE', urlOf(one))).toMatchObject({ status: 204, text: '' })
    await admin.delete(`/v1/users/${other.id.toUpperCase()}`, 204)
    await admin.delete(urlOf(one), noUser)
    // The judge's own id is the nil UUID.
    await service.judge.delete(`/v1/users/${NIL_UUID}`, noUser)
  })

  it('erases all personal data, and ends tokens, logins and password resets (401) (D16) [Auth: deleted account] [State: user deleted]', async () => {
    const ended = refusal(401, 'ACCOUNT_DELETED', 'User account no longer exists')
    const [own, byAdmin] = [await createWhole('own'), await createWhole('by-admin')]
    await own.delete(urlOf(own))
    await admin.delete(urlOf(byAdmin))
    for (const person of [own, byAdmin]) {
      const { id, email, resetToken: token } = person
      await person.get('/v1/categories', ended)
      await person.delete(urlOf(person), ended)
      expect(await resetPassword(email, token)).toMatchObject({ status: 200, body: { status: 'ok' } })
      for (const address of [email, '']) {
        const credentials = { email: address, password: 'a password' }
        await anonymous.post('/v1/basic_login', credentials, refusal(401, 'INVALID_CREDENTIALS'))
      }
      expect(await service.database.query(readRow, [id])).toEqual([erased])
    }
  })

  it('hides the user from reads, changes, lists and searches (404)', async () => {
    const gone = await service.createPerson()
    await gone.delete(urlOf(gone))
    await admin.get(urlOf(gone), noUser)
    for (const body of [{ name: 'Back' }, { is_admin: true }, { is_admin: false }])
      await admin.put(urlOf(gone), body, noUser)
    expect((await admin.get('/v1/users')).map(({ id }: Person) => id)).not.toContain(gone.id)
    for (const text of [gone.name, 'Deleted user'])
      expect(await admin.get(`/v1/users?username=${encodeURIComponent(text)}`)).toEqual([])
  })

  it('frees name and e-mail for every way to create or rename an account (D16)', async () => {
    const ways: [Caller, string][] = [
      [anonymous, '/v1/basic_register'],
      [admin, '/v1/users'],
      [bridge, '/v1/create_or_login_user'],
    ]
    for (const [caller, url] of ways) {
      const { id, profile } = await createWhole('freed')
      await admin.delete(urlOf({ id }))
      const next = await caller.post(url, { ...profile, password: 'a password' })
      expect(next).toMatchObject({ name: profile.name, email: profile.email })
      expect(next.id).not.toBe(id)
      await admin.delete(urlOf(next))
    }
    const [gone, renamed] = [await service.createPerson(), await service.createPerson()]
    await gone.delete(urlOf(gone))
    await admin.put(urlOf(renamed), { name: gone.name })
  })
})

const demoteAll = unprepared('update users set is_admin = false where users.is_admin')

const readAdmins = unprepared<{ id: string }>(
  'select users.id from users where users.is_admin and users.deleted_at is null order by users.id',
)
const adminIds = async () => (await service.database.query(readAdmins)).map(({ id }) => id)

async function createAdmins(count: number): Promise<[Person, ...Person[]]> {
  await service.database.query(demoteAll)
  const first = await service.createPerson({ admin: true })
  const create = () => service.createPerson({ admin: true })
  return [first, ...(await Promise.all(Array.from({ length: count - 1 }, create)))]
}

const remove = (person: { id: string }, by: Caller) => by.send('DELETE', urlOf(person))
const demote = (person: Person, by: Caller) => by.send('PUT', urlOf(person), { is_admin: false })

const done = { status: 204 }

describe('the last admin', () => {
  it('cannot be deleted or demoted, and a refused change changes nothing (403) (D16) [DELETE /v1/users/{user_id}] [Error: 403]', async () => {
    const [last, deleted = last, demoted = last] = await createAdmins(3)
    expect(await remove(deleted, last)).toMatchObject(done)
    expect(await demote(demoted, last)).toMatchObject(done)
    const before = await last.get(urlOf(last))
    for (const go of [remove, demote]) expect(await go(last, last)).toMatchObject(lastAdmin)
    await last.put(urlOf(last), { is_admin: false, name: 'Former admin', image: 'i' }, lastAdmin)
    expect(await last.get(urlOf(last))).toEqual(before)
  })

  it('can be renamed and confirmed as an admin, and leaves once there is another admin', async () => {
    for (const go of [remove, demote]) {
      const [last] = await createAdmins(1)
      for (const body of [{ name: `Last ${last.id}` }, { is_admin: true }, { image: 'i', is_admin: true }])
        await last.put(urlOf(last), body)
      const user = await service.createPerson()
      for (const change of [demote, remove])
        expect(await change(await service.createPerson(), last)).toMatchObject(done)
      await last.put(urlOf(user), { is_admin: true })
      expect(await go(last, last)).toMatchObject(done)
      expect(await adminIds()).toEqual([user.id])
    }
  })
})

it('admins who remove each other at the same time leave at least one, by deletion, by demotion, or if all leave by themselves', async () => {
  const refusals = ['403 LAST_ADMIN', '403 FORBIDDEN', '401 ACCOUNT_DELETED']
  for (let round = 0; round < (databaseKind === 'postgres' ? 40 : 8); round += 1) {
    const circle = await createAdmins(round % 2 === 0 ? 2 : 5)
    const go = (i: number) => ((i + round) % 4 < 2 ? remove : demote)
    const targetOf = (i: number, by: Person) =>
      round % 3 === 0 ? by : (circle[(i + 1) % circle.length] ?? by)
    const responses = await Promise.all(circle.map((by, i) => go(i)(targetOf(i, by), by)))
    const refused = responses.filter(({ status }) => status !== 204)
    for (const { status, body } of refused) expect(refusals).toContain(`${status} ${body.code}`)
    expect(refused.length).toBeGreaterThan(0)
    expect(await adminIds()).toHaveLength(refused.length)
  }
})

describe('a request that waits for the deletion of a user', onPostgres, () => {
  const LOCK_USER = 'select users.id from users where users.id = $1::uuid for update'
  const LOCK_RESET = 'select from password_resets where password_resets.user_id = $1::uuid for update'
  const collide = (id: string, requests: (() => Promise<TestResponse>)[], lock = LOCK_USER) =>
    collideAt(service.databaseUrl, lock, id, requests)

  it('does not delete or demote the last admin, whichever row it waits for (401)', async () => {
    for (const held of [0, 1])
      for (const second of [remove, demote]) {
        const [one, other = one] = await createAdmins(2)
        const lockedId = [one, other][held]?.id ?? ''
        const responses = await collide(lockedId, [() => remove(other, one), () => second(one, other)])
        expect(responses).toMatchObject([done, refusal(401, 'ACCOUNT_DELETED')])
        expect(await adminIds()).toEqual([one.id])
      }
  })

  type Whole = Awaited<ReturnType<typeof createWhole>>
  const renewed = { status: 200, body: { name: 'Name late', email: 'late@example.org' } }
  const late: [string, (person: Whole, by: Person) => Promise<TestResponse>, object][] = [
    ['finds no user to delete (404)', remove, noUser],
    ['finds no user to change (404)', (one, by) => by.send('PUT', urlOf(one), { name: 'Late' }), noUser],
    ['issues no reset token (200)', ({ email }) => requestReset(email), { text: '{"status":"ok"}' }],
    ['creates a new account over the bridge (200)', ({ profile }) => logInOverBridge(profile), renewed],
  ]
  it.each(late)('%s', async (_, send, expected) => {
    const [remover] = await createAdmins(1)
    const person = await createWhole('late')
    const requests = [() => remove(person, person), () => send(person, remover)]
    const [deletion, response] = await collide(person.id, requests)
    expect(deletion).toMatchObject(done)
    expect(response).toMatchObject(expected)
    expect(response?.body.id).not.toBe(person.id)
  })

  it('erases the password that a reset sets meanwhile', async () => {
    const person = await createWhole('meanwhile')
    const { id, email, resetToken } = person
    const reset = () => resetPassword(email, resetToken)
    const responses = await collide(id, [reset, () => remove(person, person)], LOCK_RESET)
    expect(responses.map(({ status }) => status)).toEqual([200, 204])
    expect(await service.database.query(readRow, [id])).toEqual([erased])
  })
})
