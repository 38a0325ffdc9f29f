import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { openTestApp, type Person, type TestResponse } from '../support/app.ts'
import { databaseKind } from '../support/database.ts'
import { collideAt } from '../support/row-lock.ts'

const service = await openTestApp()

const demoteAll = statement('demote_all', 'update users set is_admin = false where users.is_admin')

const readAdmins = statement<{ id: string }>(
  'read_admins',
  'select users.id from users where users.is_admin and users.deleted_at is null order by users.id',
)

/** Makes new admins, the only ones there are. */
async function createAdmins(count: number): Promise<[Person, ...Person[]]> {
  await service.database.query(demoteAll)
  const first = await service.createPerson({ admin: true })
  const others: Person[] = []
  while (others.length < count - 1) others.push(await service.createPerson({ admin: true }))
  return [first, ...others]
}

const idsOfAdmins = async () => (await service.database.query(readAdmins)).map(({ id }) => id)

const remove = ({ id }: Person, by: Person) =>
  service.send({ method: 'DELETE', url: `/v1/users/${id}`, token: by.token })
const change = ({ id }: Person, body: object, by: Person) =>
  service.send({ method: 'PUT', url: `/v1/users/${id}`, token: by.token, body })
const demote = (person: Person, by: Person) => change(person, { is_admin: false }, by)

const refused = { status: 403, body: { code: 'LAST_ADMIN' } }

describe('the last admin', () => {
  it('is neither deleted nor demoted, and a refused change changes nothing (403) [DELETE /v1/users/{user_id}] [Error: 403]', async () => {
    const [last] = await createAdmins(1)
    const url = `/v1/users/${last.id}`
    const { body: before } = await service.send({ method: 'GET', url, token: last.token })
    expect(await remove(last, last)).toMatchObject(refused)
    expect(await demote(last, last)).toMatchObject(refused)
    const both = { is_admin: false, name: 'Former admin', image: 'i' }
    expect(await change(last, both, last)).toMatchObject(refused)
    expect(await service.send({ method: 'GET', url, token: last.token })).toMatchObject({ body: before })
  })

  it('may be renamed, and confirmed as an admin', async () => {
    const [last] = await createAdmins(1)
    for (const body of [{}, { name: 'The last one' }, { is_admin: true }, { image: 'i', is_admin: true }]) {
      expect(await change(last, body, last)).toMatchObject({ status: 204 })
    }
    expect(await idsOfAdmins()).toEqual([last.id])
  })

  it('may go once there is another one', async () => {
    for (const go of [remove, demote]) {
      const [one] = await createAdmins(1)
      const user = await service.createPerson()
      expect(await go(one, one)).toMatchObject(refused)
      expect(await change(user, { is_admin: true }, one)).toMatchObject({ status: 204 })
      expect(await go(one, one)).toMatchObject({ status: 204 })
      expect(await idsOfAdmins()).toEqual([user.id])
    }
  })

  it('is the last one although deleted and demoted admins are still in the table', async () => {
    const [one, deleted, demoted] = await createAdmins(3)
    if (deleted === undefined || demoted === undefined) throw new Error('three admins were asked for')
    expect(await remove(deleted, one)).toMatchObject({ status: 204 })
    expect(await demote(demoted, one)).toMatchObject({ status: 204 })
    for (const go of [remove, demote]) expect(await go(one, one)).toMatchObject(refused)
  })

  it('is no hindrance to the deletion and the demotion of users', async () => {
    const [last] = await createAdmins(1)
    const [one, other] = [await service.createPerson(), await service.createPerson()]
    expect(await demote(one, last)).toMatchObject({ status: 204 })
    expect(await remove(one, last)).toMatchObject({ status: 204 })
    expect(await remove(other, other)).toMatchObject({ status: 204 })
  })
})

describe('admins who remove each other at the same instant', () => {
  const rounds = databaseKind === 'postgres' ? 40 : 5

  /** One got his way; who came too late is told why, or is no admin any more. */
  const expectOneOf = (answers: TestResponse[]) => {
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer.status !== 204)) {
      expect([`${403} LAST_ADMIN`, '403 FORBIDDEN', '401 ACCOUNT_DELETED']).toContain(
        `${status} ${body.code}`,
      )
    }
  }

  it('leave exactly one of two, whether by deletion or by demotion', async () => {
    const ways = [
      [remove, remove],
      [demote, demote],
      [remove, demote],
      [demote, remove],
    ] as const
    for (let round = 0; round < rounds; round += 1) {
      const [one, other = one] = await createAdmins(2)
      const [first, second] = ways[round % ways.length] ?? ways[0]
      expectOneOf(await Promise.all([first(other, one), second(one, other)]))
      expect(await idsOfAdmins()).toHaveLength(1)
    }
  })

  it('leave exactly one of two who each leave by themselves', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [one, other = one] = await createAdmins(2)
      expectOneOf(await Promise.all([remove(one, one), demote(other, other)]))
      expect(await idsOfAdmins()).toHaveLength(1)
    }
  })

  it('leave at least one of five, without a failure', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const circle = await createAdmins(5)
      const answers = await Promise.all(
        circle.map((by, i) => {
          const next = circle[(i + 1) % circle.length] ?? by
          return i % 2 === 0 ? remove(next, by) : demote(next, by)
        }),
      )
      for (const { status } of answers) expect([204, 401, 403]).toContain(status)
      const gone = answers.filter(({ status }) => status === 204)
      expect(await idsOfAdmins()).toHaveLength(5 - gone.length)
      expect(gone.length).toBeLessThan(5)
    }
  })
})

describe.runIf(databaseKind === 'postgres')('an admin who waits for another one', () => {
  const LOCK = 'select users.id from users where users.id = $1::uuid for update'

  it('finds himself the last one, whichever of them is held up', async () => {
    for (const held of [0, 1]) {
      for (const second of [remove, demote]) {
        const [one, other = one] = await createAdmins(2)
        const lockedId = [one, other][held]?.id ?? ''
        const answers = await collideAt(service.databaseUrl, LOCK, lockedId, [
          () => remove(other, one),
          () => second(one, other),
        ])
        expect(answers[0]).toMatchObject({ status: 204 })
        expect(answers[1]).toMatchObject(refused)
        expect(await idsOfAdmins()).toEqual([one.id])
      }
    }
  })
})
