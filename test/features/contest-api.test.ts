import { beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { COLLECTIONS, type ContestObject, createFullContest } from '../support/contest-api.ts'
import { expectRulesKept } from '../support/contest-api-rules.ts'
import { isoIn, serviceWithContests } from '../support/contests.ts'

const contests = await serviceWithContests({ JUDGE_EXTRA_STATUSES: 'SECURITY_VIOLATION' })
const { anonymous, judge } = contests.service

const icpc = await createFullContest(contests)
const points = await createFullContest(contests, { scoring: 'points', teams: true })
await points.ann.post(`${points.url}/teams`, { name: 'Owls' })
await points.bob.post(`${points.url}/teams`, { name: 'Larks' })
/** It was frozen, has ended and was thawed. */
const thawed = await createFullContest(contests)
await contests.admin.put(thawed.url, { freeze_time: isoIn(-1) })
await contests.admin.post(`/v1/events/${thawed.id}/end`)
await thawed.owner.post(`${thawed.url}/thaw`)

interface Endpoint {
  readonly type: string
  readonly properties: readonly string[]
}

/** What a caller gets of every type, and what `access` announces. */
async function readAll({ id, base, callers }: typeof icpc, name: string) {
  const by: Caller = callers[name] ?? anonymous
  const access: { endpoints: Endpoint[] } = await by.get(`${base}/access`, 200)
  const objects: Record<string, ContestObject[]> = {
    contest: [await by.get(base, 200)],
    state: [await by.get(`${base}/state`, 200)],
  }
  for (const type of COLLECTIONS) objects[type] = await by.get(`${base}/${type}`, 200)
  const announced = new Map(access.endpoints.map(({ type, properties }) => [type, new Set(properties)]))
  return { id, by, base, objects, announced }
}

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

/** By caller: the types that it never sees, and the announced properties that no object has here. */
const CALLERS: readonly (readonly [name: string, hidden: string[], notSent: string[]])[] = [
  ['anonymous', ['accounts', 'runs', 'clarifications'], OF_SECRET],
  ['outsider', ['runs'], [...OF_ASKERS, ...OF_SECRET]],
  ['ann', ['runs'], []],
  ['bob', ['runs'], ['problem_id']],
  ['tester', ['runs'], OF_ASKERS],
  ['owner', ['runs'], []],
  ['manager', ['runs'], []],
  ['judge', ['accounts'], []],
  ['admin', [], []],
]

describe.each(CALLERS)('the Contest API for %s (P26)', (name, hidden, notSent) => {
  const reads: Awaited<ReturnType<typeof readAll>>[] = []
  beforeAll(async () => {
    for (const contest of [icpc, points, thawed]) reads.push(await readAll(contest, name))
  })

  it('sends only types and properties that access announces, and announces none that it never sends', () => {
    const [sent, announced] = [new Set<string>(), new Set<string>()]
    for (const read of reads) {
      const known = [...read.announced].flatMap(([type, properties]) =>
        [...properties].map((property) => `${type}.${property}`),
      )
      const properties = Object.entries(read.objects).flatMap(([type, objects]) =>
        objects.flatMap((object) => Object.keys(object).map((property) => `${type}.${property}`)),
      )
      expect(known).toEqual(expect.arrayContaining(properties))
      for (const one of properties) sent.add(one)
      for (const one of known) announced.add(one)
    }
    // The service stores no organizations.
    const missing = [...announced].filter((one) => !sent.has(one) && !one.startsWith('organizations.'))
    expect(missing.filter((one) => !notSent.includes(one.split('.')[1] ?? ''))).toEqual([])
  })

  it(`announces all types but ${hidden}, of which it sends nothing`, () => {
    for (const { objects, announced } of reads.slice(0, 1)) {
      expect(Object.keys(objects).filter((type) => !announced.has(type))).toEqual(hidden)
      for (const type of hidden) expect(objects[type]).toEqual([])
    }
  })

  it('sends objects that keep the rules between objects, and refer only to others that it sends', async () => {
    for (const { by, id, objects } of reads) await expectRulesKept(by, id, Object.entries(objects))
  })

  it('can read every file that its objects refer to, with its media type', async () => {
    for (const { by, objects } of reads) {
      for (const { href, mime } of [...filesOf(objects.problems), ...filesOf(objects.submissions)]) {
        const { status, headers } = await by.send('GET', `/v1/clics/${href}`)
        expect([status, headers['content-type']?.split(';')[0]], href).toEqual([200, mime])
      }
    }
  })

  it('sends every object alone as in its collection', async () => {
    for (const [place, { by, base, objects }] of reads.entries()) {
      for (const type of COLLECTIONS) {
        // The other contests differ in the kind of an object: its first one shows it.
        for (const object of (objects[type] ?? []).slice(0, place === 0 ? 3 : 1))
          expect(await by.get(`${base}/${type}/${object.id}`, 200)).toEqual(object)
      }
    }
  })
})

it('everybody may read the information about the API, with and without a slash', async () => {
  for (const url of ['/v1/clics/', '/v1/clics'])
    for (const by of [anonymous, icpc.ann, judge])
      expect(await by.get(url, 200)).toMatchObject({ version: '2026-01' })
})

it('additional statuses of the configuration are judgement types under their own names (D23)', async () => {
  const extra = { id: 'SECURITY_VIOLATION', name: 'Security Violation', penalty: true, solved: false }
  expect(await anonymous.get(`${icpc.base}/judgement-types/SECURITY_VIOLATION`)).toEqual(extra)
})
