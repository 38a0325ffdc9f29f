import { Readable } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { isOfContestApi } from '../../src/http/routing/errors.ts'
import type { Route } from '../../src/http/routing/route.ts'
import { labelOf, openWithRecords } from '../http/right-requests.ts'
import { readTables } from '../support/database-contents.ts'
import { submissionBody } from '../support/judging.ts'

// The body of a request may arrive minutes after its head: the rights of an admin count when the
// statement runs. A read trusts the token of a former admin until its statement has checked the
// account. Some reads are then handled again, and still take one turn.
const records = await openWithRecords({ ADMIN_EMAILS: '', LISTS_PER_ACCOUNT: '1' })
const { service, problem, language, user } = records
const { app, database } = service
const former = await service.createPerson({ admin: true })
const never = await service.createPerson()
const writes = service.routes.filter(({ method, policy }) => method !== 'GET' && /admin|user/.test(policy))
const writesOfAdmins = writes.filter(({ policy }) => policy !== 'user' && policy !== 'user or Basic')
const reads = service.routes.filter(
  ({ method, policy, isEventStream }) => method === 'GET' && /admin|user/.test(policy) && !isEventStream,
)
const readsOfAdmins = reads.filter(({ policy }) => policy === 'admin' || policy === 'judge or admin')
const labelled = (routes: readonly Route[]) => routes.map((route) => [labelOf(route), route] as const)

const set = (change: string) =>
  database.query(unprepared(`update users set ${change} where id = $1::uuid`), [former.id])
const changes = {
  deleted: () => set('deleted_at = now()'),
  demoted: () => set('is_admin = false'),
  renamed: () => set(`name = 'Another name'`),
}
afterEach(() => set(`deleted_at = null, is_admin = true, name = '${former.name}'`))

/** All rows but the versions of lists, which a statement may change without changing a row. */
async function readRows() {
  const tables = await readTables(database)
  tables.delete('list_versions')
  return tables
}

const bodyOf = (route: Route) => records.bodyOf(route, { email: 'new@example.org' })

/** Sends the head of a right request, then `change`, and then the body. */
async function sendSlowly(route: Route, change: () => Promise<unknown>, body = bodyOf(route)) {
  const { raw = '{}', headers } = records.payloadOf(route, body)
  let before = new Map<string, string[]>()
  const payload = Readable.from(
    (async function* () {
      await change()
      before = await readRows()
      yield raw
    })(),
  )
  const { statusCode, body: response } = await app.inject({
    method: route.method,
    url: records.pathOf(route),
    headers: {
      ...{ authorization: former.token, 'content-type': 'application/json', ...headers },
      'content-length': String(raw.length),
    },
    payload,
  })
  expect(before.size, 'the body was read').toBeGreaterThan(0)
  return { status: statusCode, text: response, before }
}

/** Of routes that send no end, the head is enough. */
async function read(route: Route, { id, token }: typeof former, query = '') {
  const method = route.name.includes('Feed') ? 'HEAD' : 'GET'
  const url = `${records.pathOf(route)}${query}`
  const { statusCode, body } = await app.inject({ method, url, headers: { authorization: token } })
  // What differs between two users and two moments.
  return { status: statusCode, body: body.replaceAll(id, 'own id').replace(/"now":"[^"]+"/, '') }
}

it('knows the routes of users and admins', () => {
  expect(writes.length).toBeGreaterThan(25)
  expect(writesOfAdmins.length).toBeGreaterThan(15)
  expect(reads.length).toBeGreaterThan(60)
  expect(readsOfAdmins.length).toBeGreaterThan(10)
})

it.each(labelled(readsOfAdmins))(
  '%s is not for a former admin (403), even if the request is not valid',
  async (_, route) => {
    await set('is_admin = false')
    expect(await read(route, former)).toMatchObject({ status: 403 })
    expect(await read(route, former, '?after=%00&limit=x')).toMatchObject({ status: 403 })
  },
)

it.each(labelled(reads))('%s is for a former admin what it is for another user', async (_, route) => {
  await set('is_admin = false')
  const [asFormer, asUser] = [await read(route, former), await read(route, never)]
  expect(asFormer.status).toBe(asUser.status)
  if (asUser.status === 200 && !route.url.startsWith('/v1/user')) expect(asFormer.body).toBe(asUser.body)
})

it.each(labelled(writes))(
  '%s changes nothing for an admin who was deleted after the head of the request (401)',
  async (_, route) => {
    const { status, text, before } = await sendSlowly(route, changes.deleted)
    const code = isOfContestApi(route.url) ? '"code":401' : 'ACCOUNT_DELETED'
    expect([status, text]).toEqual([401, expect.stringContaining(code)])
    expect(await readRows()).toEqual(before)
  },
)

it.each(labelled(writesOfAdmins))(
  '%s changes nothing for an admin who was demoted after the head of the request (403)',
  async (_, route) => {
    const { status, text, before } = await sendSlowly(route, changes.demoted)
    expect([status, text]).toEqual([403, expect.stringContaining('FORBIDDEN')])
    expect(await readRows()).toEqual(before)
  },
)

function findWrite(name: string) {
  const route = writes.find((one) => one.name === name)
  if (route === undefined) throw new Error('there is no such route')
  return route
}

it('lets a demoted admin act as a user: for themselves, and not for others', async () => {
  const route = findWrite('createSubmission')
  const forOther = submissionBody(user, problem, language)
  expect(await sendSlowly(route, changes.demoted, forOther)).toMatchObject({ status: 403 })
  const own = { ...forOther, user_id: former.id }
  expect(await sendSlowly(route, changes.demoted, own)).toMatchObject({ status: 201 })
})

it('lets an admin who was renamed after the head of the request go on', async () => {
  expect(await sendSlowly(findWrite('createCategory'), changes.renamed)).toMatchObject({ status: 201 })
})
