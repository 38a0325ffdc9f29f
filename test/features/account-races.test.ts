import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { openTestApp, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { databaseKind } from '../support/database.ts'
import { collideAt } from '../support/row-lock.ts'

const service = await openTestApp({ PASSWORD_RESET_DEBUG: 'true' })
const admin = await service.createPerson({ admin: true })

const post = (url: string, body: unknown, token?: string) =>
  service.send({ method: 'POST', url, body, ...(token !== undefined && { token }) })

const remove = (id: string, token: string) =>
  service.send({ method: 'DELETE', url: `/v1/users/${id}`, token })

const bridge = (body: unknown) => post('/v1/create_or_login_user', body, WEB_BRIDGE_SECRET)

const LOCK_USER = 'select users.id from users where users.id = $1::uuid for update'

describe('requests at the same instant', () => {
  it('make one account of many registrations of one name or one e-mail, and refuse the others (409)', async () => {
    const password = 'a password'
    const names = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        post('/v1/basic_register', { name: 'Same Name', email: `same${i}@example.org`, password }),
      ),
    )
    const emails = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        post('/v1/basic_register', { name: `Same ${i}`, email: 'Same@Example.org', password }),
      ),
    )
    for (const answers of [names, emails]) {
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    }
  })

  it('make one account of many first logins of one provider id, and answer all of them (200)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const body = { id: `provider|${round}`, name: `Bridged ${round}`, email: `bridged${round}@example.org` }
      const answers = await Promise.all(Array.from({ length: 8 }, () => bridge(body)))
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
      expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    }
  })

  it('let one account have a name that two providers’ accounts take up, and the other keep its own', async () => {
    for (let round = 0; round < 5; round += 1) {
      const persons = [1, 2, 3].map((i) => ({
        id: `namesake|${round}|${i}`,
        name: `Namesake ${round} ${i}`,
        email: `namesake${round}-${i}@example.org`,
      }))
      for (const person of persons) expect(await bridge(person)).toMatchObject({ status: 200 })
      const name = `The one ${round}`
      const answers = await Promise.all(persons.map((person) => bridge({ ...person, name })))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(answers.filter(({ body }) => body.name === name)).toHaveLength(1)
    }
  })
})

describe.runIf(databaseKind === 'postgres')('an account that is deleted at the same instant', () => {
  it('is deleted once, and is not taken for the last admin by whoever comes second (404)', async () => {
    const { id, token } = await service.createPerson()
    const requests = [token, admin.token].map((caller) => () => remove(id, caller))
    const answers = await collideAt(service.databaseUrl, LOCK_USER, id, requests)
    expect(answers.map(({ status, body }) => [status, body.code ?? ''])).toEqual([
      [204, ''],
      [404, 'NOT_FOUND'],
    ])
  })

  it('is gone for an admin who changes it (404)', async () => {
    const { id, token } = await service.createPerson()
    const change = () =>
      service.send({ method: 'PUT', url: `/v1/users/${id}`, token: admin.token, body: { name: 'Too late' } })
    const [deletion, late] = await collideAt(service.databaseUrl, LOCK_USER, id, [
      () => remove(id, token),
      change,
    ])
    expect(deletion).toMatchObject({ status: 204 })
    expect(late).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  it('is made anew by a login over the bridge (200)', async () => {
    const body = {
      id: 'deleted-meanwhile',
      name: 'Deleted meanwhile',
      email: 'deleted-meanwhile@example.org',
    }
    const before = await bridge(body)
    const [deletion, login] = await collideAt(service.databaseUrl, LOCK_USER, before.body.id, [
      () => remove(before.body.id, admin.token),
      () => bridge(body),
    ])
    expect(deletion).toMatchObject({ status: 204 })
    expect(login).toMatchObject({ status: 200, body: { name: body.name, email: body.email } })
    expect(login?.body.id).not.toBe(before.body.id)
  })

  it('takes no password from a reset that waited for it, and neither of the two fails', async () => {
    const { id, email, token } = await service.createPerson()
    const request = await post('/v1/basic_request_password_reset', { email })
    const select = 'select from password_resets where password_resets.user_id = $1::uuid for update'
    const answers = await collideAt(service.databaseUrl, select, id, [
      () =>
        post('/v1/basic_reset_password', {
          email,
          token: request.body.token,
          new_password: 'a new password',
        }),
      () => remove(id, token),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 204])
    const rows = await service.database.query(
      statement(
        'read_scrubbed',
        `select users.password_hash,
                (select count(*)::integer from password_resets where password_resets.user_id = users.id) as resets
         from users
         where users.id = $1::uuid`,
      ),
      [id],
    )
    expect(rows).toEqual([{ password_hash: null, resets: 0 }])
  })

  it('gets no reset token from a request that waited for it', async () => {
    const { id, email, token } = await service.createPerson()
    const [deletion, request] = await collideAt(service.databaseUrl, LOCK_USER, id, [
      () => remove(id, token),
      () => post('/v1/basic_request_password_reset', { email }),
    ])
    expect(deletion).toMatchObject({ status: 204 })
    expect(request).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(request?.body).not.toHaveProperty('token')
  })
})
