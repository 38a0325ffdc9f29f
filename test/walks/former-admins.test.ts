import { Readable } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { isOfContestApi } from '../../src/http/routing/errors.ts'
import { labelOf, openWithRecords } from '../http/right-requests.ts'
import { readTables } from '../support/database-contents.ts'
import { submissionBody } from '../support/judging.ts'

// The body of a request may arrive minutes after its head: the rights of an admin count when the
// statement runs.
const records = await openWithRecords({ ADMIN_EMAILS: '' })
const { service, problem, language, user } = records
const { app, database } = service
const former = await service.createPerson({ admin: true })
const writes = service.routes.filter(({ method, policy }) => method !== 'GET' && /admin|user/.test(policy))
const ofAdmins = writes.filter(({ policy }) => policy !== 'user' && policy !== 'user or Basic')

const set = (change: string) =>
  database.query(unprepared(`update users set ${change} where id = $1::uuid`), [former.id])
const changes = {
  deleted: () => set('deleted_at = now()'),
  demoted: () => set('is_admin = false'),
  renamed: () => set(`name = 'Another name'`),
}
afterEach(() => set(`deleted_at = null, is_admin = true, name = 'An admin'`))

/** All rows but the versions of lists, which a statement may change without changing a row. */
async function readRows() {
  const tables = await readTables(database)
  tables.delete('list_versions')
  return tables
}

type Route = (typeof writes)[number]

function bodyOf(route: Route): unknown {
  const { name, extension } = language
  if (route.url === '/v1/languages') return { name, extension, version: 'of its own' }
  return records.bodyOf(route, { email: 'new@example.org' })
}

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
      authorization: former.token,
      'content-type': 'application/json',
      ...headers,
      'content-length': String(raw.length),
    },
    payload,
  })
  expect(before.size, 'the body was read').toBeGreaterThan(0)
  return { status: statusCode, text: response, before }
}

it('knows the write routes of users and admins', () => {
  expect(writes.length).toBeGreaterThan(25)
  expect(ofAdmins.length).toBeGreaterThan(15)
})

it.each(writes.map((route) => [labelOf(route), route] as const))(
  '%s changes nothing for an admin who was deleted after the head of the request (401)',
  async (_, route) => {
    const { status, text, before } = await sendSlowly(route, changes.deleted)
    const code = isOfContestApi(route.url) ? '"code":401' : 'ACCOUNT_DELETED'
    expect([status, text]).toEqual([401, expect.stringContaining(code)])
    expect(await readRows()).toEqual(before)
  },
)

it.each(ofAdmins.map((route) => [labelOf(route), route] as const))(
  '%s changes nothing for an admin who was demoted after the head of the request (403)',
  async (_, route) => {
    const { status, text, before } = await sendSlowly(route, changes.demoted)
    expect([status, text]).toEqual([403, expect.stringContaining('FORBIDDEN')])
    expect(await readRows()).toEqual(before)
  },
)

it('lets a demoted admin act as a user: for themselves, and not for others', async () => {
  const [route] = writes.filter(({ name }) => name === 'createSubmission')
  if (route === undefined) throw new Error('there is no such route')
  const forOther = submissionBody(user, problem, language)
  expect(await sendSlowly(route, changes.demoted, forOther)).toMatchObject({ status: 403 })
  const own = { ...forOther, user_id: former.id }
  expect(await sendSlowly(route, changes.demoted, own)).toMatchObject({ status: 201 })
})

it('lets an admin who was renamed after the head of the request go on', async () => {
  const [route] = writes.filter(({ name }) => name === 'createCategory')
  if (route === undefined) throw new Error('there is no such route')
  expect(await sendSlowly(route, changes.renamed)).toMatchObject({ status: 201 })
})
