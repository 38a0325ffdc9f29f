import { afterEach, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { labelOf, openWithRecords } from '../http/right-requests.ts'

// The token of a former admin still says that the user is one. A read trusts it until its statement
// has checked the account.
// Some are then handled again, and still take one turn.
const records = await openWithRecords({ ADMIN_EMAILS: '', LISTS_PER_ACCOUNT: '1' })
const { service } = records
const former = await service.createPerson({ admin: true })
const never = await service.createPerson()
const reads = service.routes.filter(
  ({ method, policy, isEventStream }) => method === 'GET' && /admin|user/.test(policy) && !isEventStream,
)
const ofAdmins = reads.filter(({ policy }) => policy === 'admin' || policy === 'judge or admin')

const set = (change: string) =>
  service.database.query(unprepared(`update users set ${change} where id = $1::uuid`), [former.id])
afterEach(() => set('is_admin = true'))

type Route = (typeof reads)[number]

/** Of routes that send no end, the head is enough. */
const read = async (route: Route, { id, token }: typeof former, query = '') => {
  const method = route.name.includes('Feed') ? 'HEAD' : 'GET'
  const url = `${records.pathOf(route)}${query}`
  const { statusCode, body } = await service.app.inject({ method, url, headers: { authorization: token } })
  // What differs between two users and two moments.
  return { status: statusCode, body: body.replaceAll(id, 'own id').replace(/"now":"[^"]+"/, '') }
}

it('knows the reading routes of users and admins', () => {
  expect(reads.length).toBeGreaterThan(60)
  expect(ofAdmins.length).toBeGreaterThan(10)
})

it.each(ofAdmins.map((route) => [labelOf(route), route] as const))(
  '%s is not for a former admin (403), even if the request is not valid',
  async (_, route) => {
    await set('is_admin = false')
    expect(await read(route, former)).toMatchObject({ status: 403 })
    expect(await read(route, former, '?after=%00&limit=x')).toMatchObject({ status: 403 })
  },
)

it.each(reads.map((route) => [labelOf(route), route] as const))(
  '%s is for a former admin what it is for another user',
  async (_, route) => {
    await set('is_admin = false')
    const [asFormer, asUser] = [await read(route, former), await read(route, never)]
    expect(asFormer.status).toBe(asUser.status)
    if (asUser.status === 200 && !route.url.startsWith('/v1/user')) expect(asFormer.body).toBe(asUser.body)
  },
)
