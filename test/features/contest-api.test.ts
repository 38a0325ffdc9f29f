import { describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { COLLECTIONS, type ContestObject, createFullContest } from '../support/contest-api.ts'
import { expectRulesKept } from '../support/contest-api-rules.ts'
import { isoIn, serviceWithContests } from '../support/contests.ts'

const contests = await serviceWithContests({ JUDGE_EXTRA_STATUSES: 'SECURITY_VIOLATION' })
const { service } = contests
const { anonymous } = service

const icpc = await createFullContest(contests)
const points = await createFullContest(contests, { scoring: 'points', teams: true })
await points.ann.post(`${points.url}/teams`, { name: 'Owls' })
await points.bob.post(`${points.url}/teams`, { name: 'Larks' })
/** It was frozen, has ended and was thawed. */
const thawed = await createFullContest(contests)
await contests.admin.put(thawed.url, { freeze_time: isoIn(-1) })
await contests.admin.post(`/v1/events/${thawed.id}/end`)
await thawed.owner.post(`${thawed.url}/thaw`)

const all = [icpc, points, thawed]
const names = Object.keys(icpc.callers)

interface Endpoint {
  readonly type: string
  readonly properties: readonly string[]
}

/** What a caller gets of every type, and what `access` announces. */
async function readAll({ base, callers }: (typeof all)[number], name: string) {
  const by: Caller = callers[name] ?? anonymous
  const access: { endpoints: Endpoint[] } = await by.get(`${base}/access`, 200)
  const objects: Record<string, ContestObject[]> = {
    contest: [await by.get(base, 200)],
    state: [await by.get(`${base}/state`, 200)],
  }
  for (const type of COLLECTIONS) objects[type] = await by.get(`${base}/${type}`, 200)
  const announced = new Map(access.endpoints.map(({ type, properties }) => [type, new Set(properties)]))
  return { by, base, objects, announced }
}

const propertiesOf = (objects: readonly object[] = []) => new Set(objects.flatMap((one) => Object.keys(one)))

interface File {
  readonly href: string
  readonly mime: string
}

const filesOf = (objects: readonly ContestObject[] = []): File[] =>
  objects.flatMap((object) =>
    ['package', 'statement', 'attachments', 'files'].flatMap((name) => Object(object)[name] ?? []),
  )

/** What only askers see, and what only a problem has that outsiders may not read. */
const OF_ASKERS = ['from_team_id', 'to_team_ids', 'reply_to_id', 'problem_id']
const OF_SECRET = ['uuid', 'output_limit', 'statement', 'attachments']
const NOT_SENT: Readonly<Record<string, readonly string[]>> = {
  anonymous: OF_SECRET,
  outsider: [...OF_ASKERS, ...OF_SECRET],
  bob: ['problem_id'],
  tester: OF_ASKERS,
}

describe.each(names)('the Contest API for %s (P26)', (name) => {
  it('sends only types and properties that access announces, and announces none that it never sends', async () => {
    const sent = new Map<string, Set<string>>()
    const announced = new Map<string, Set<string>>()
    for (const contest of all) {
      const read = await readAll(contest, name)
      for (const [type, objects] of Object.entries(read.objects)) {
        const properties = propertiesOf(objects)
        const known = read.announced.get(type) ?? new Set()
        expect(
          [...properties].filter((property) => !known.has(property)),
          type,
        ).toEqual([])
        sent.set(type, new Set([...(sent.get(type) ?? []), ...properties]))
        announced.set(type, new Set([...(announced.get(type) ?? []), ...known]))
      }
    }
    // The service stores no organizations.
    announced.delete('organizations')
    for (const [type, properties] of announced) {
      const missing = [...properties].filter((property) => !sent.get(type)?.has(property))
      const wrong = missing.filter((property) => !NOT_SENT[name]?.includes(property))
      expect([type, wrong]).toEqual([type, []])
    }
  })

  it('sends objects that keep the rules between objects, and refer only to others that it sends', async () => {
    for (const contest of all) {
      const { by, objects } = await readAll(contest, name)
      await expectRulesKept(by, contest.id, Object.entries(objects))
    }
  })

  it('can read every file that its objects refer to, with its media type', async () => {
    for (const contest of all) {
      const { by, objects } = await readAll(contest, name)
      for (const { href, mime } of [...filesOf(objects.problems), ...filesOf(objects.submissions)]) {
        const { status, headers } = await by.send('GET', `/v1/clics/${href}`)
        expect([status, headers['content-type']?.split(';')[0]], href).toEqual([200, mime])
      }
    }
  })

  it('sends every object alone as in its collection', async () => {
    for (const contest of all) {
      const { by, base, objects } = await readAll(contest, name)
      for (const type of COLLECTIONS) {
        for (const object of objects[type] ?? [])
          expect(await by.get(`${base}/${type}/${object.id}`, 200)).toEqual(object)
      }
    }
  })
})

describe('the capabilities in access', () => {
  it.each([
    ['anonymous', []],
    ['judge', []],
    ['outsider', ['team_submit', 'post_clar']],
    ['ann', ['team_submit', 'post_clar']],
    ['manager', ['contest_start', 'contest_thaw', 'admin_clar', 'team_submit']],
    ['owner', ['contest_start', 'contest_thaw', 'admin_clar', 'team_submit']],
    ['admin', ['contest_start', 'contest_thaw', 'admin_clar', 'team_submit']],
  ])('of %s are %j', async (name, capabilities) => {
    const by = icpc.callers[name] ?? anonymous
    expect(await by.get(`${icpc.base}/access`)).toMatchObject({ capabilities })
  })
})

describe('the types of objects of a caller', () => {
  it.each([
    ['anonymous', ['accounts', 'runs', 'clarifications']],
    ['outsider', ['runs']],
    ['ann', ['runs']],
    ['manager', ['runs']],
    ['judge', ['accounts']],
    ['admin', []],
  ])('%s never sees %j', async (name, hidden) => {
    const { objects, announced } = await readAll(icpc, name)
    expect(Object.keys(objects).filter((type) => !announced.has(type))).toEqual(hidden)
    for (const type of hidden) expect(objects[type]).toEqual([])
  })
})

describe('the information about the API', () => {
  it('is for everybody, with and without a slash', async () => {
    for (const url of ['/v1/clics/', '/v1/clics'])
      for (const by of [anonymous, icpc.ann, service.judge])
        expect(await by.get(url, 200)).toMatchObject({ version: '2026-01' })
  })
})

describe('the judgement types', () => {
  it('have additional statuses of the configuration under their own names (D23)', async () => {
    const extra = { id: 'SECURITY_VIOLATION', name: 'Security Violation', penalty: true, solved: false }
    expect(await anonymous.get(`${icpc.base}/judgement-types/SECURITY_VIOLATION`)).toEqual(extra)
  })
})
