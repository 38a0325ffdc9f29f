import { beforeAll, describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Caller } from '../../support/caller.ts'
import { COLLECTIONS, type ContestObject, createFullContest, refused } from '../../support/contest-api.ts'
import { expectRulesKept } from '../../support/contest-api-rules.ts'
import { isoIn, serviceWithContests } from '../../support/contests.ts'

const contests = await serviceWithContests({ JUDGE_EXTRA_STATUSES: 'SECURITY_VIOLATION' })
const { service, admin, language } = contests
const { anonymous, judge } = service

const icpc = await createFullContest(contests)
const points = await createFullContest(contests, { scoring: 'points', teams: true })
await points.ann.post(`${points.url}/teams`, { name: 'Owls' })
await points.bob.post(`${points.url}/teams`, { name: 'Larks' })
/** It was frozen, has ended and was thawed. */
const thawed = await createFullContest(contests)
await admin.put(thawed.url, { freeze_time: isoIn(-1) })
await admin.post(`/v1/events/${thawed.id}/end`)
await thawed.owner.post(`${thawed.url}/thaw`)
/** Tests change it. */
const changed = await createFullContest(contests)

/** What a caller gets of every type, and what `access` announces. */
async function readAll({ id, base, callers }: typeof icpc, name: string) {
  const by: Caller = callers[name] ?? anonymous
  const access: { endpoints: { type: string; properties: string[] }[] } = await by.get(`${base}/access`, 200)
  const objects: Record<string, ContestObject[]> = {
    contest: [await by.get(base, 200)],
    state: [await by.get(`${base}/state`, 200)],
  }
  for (const type of COLLECTIONS) objects[type] = await by.get(`${base}/${type}`, 200)
  const announced = new Map(access.endpoints.map(({ type, properties }) => [type, new Set(properties)]))
  return { id, by, base, objects, announced }
}

const filesOf = (objects: readonly ContestObject[] = []): { href: string; mime: string }[] =>
  objects.flatMap((object) =>
    ['package', 'statement', 'attachments', 'files'].flatMap((name) => Object(object)[name] ?? []),
  )

/** What only askers see, and what only a problem has that outsiders may not read. */
const OF_ASKERS = ['from_team_id', 'to_team_ids', 'reply_to_id', 'problem_id']
const OF_SECRET = ['uuid', 'output_limit', 'statement', 'attachments']

/** By caller: the types that it never sees, and announced properties that no object has here. */
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
    for (const { by, objects } of reads)
      for (const { href, mime } of [...filesOf(objects.problems), ...filesOf(objects.submissions)]) {
        const { status, headers } = await by.send('GET', `/v1/clics/${href}`)
        expect([status, headers['content-type']?.split(';')[0]], href).toEqual([200, mime])
      }
  })

  it('sends every object alone as in its collection', async () => {
    for (const [place, { by, base, objects }] of reads.entries())
      for (const type of COLLECTIONS) {
        // The other contests differ in the kind of an object: its first one shows it.
        for (const object of (objects[type] ?? []).slice(0, place === 0 ? 3 : 1))
          expect(await by.get(`${base}/${type}/${object.id}`, 200)).toEqual(object)
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

describe('problems', () => {
  it('have the numbers and labels of the standings; hidden ones follow, for admins, judges and the owner (D33)', async () => {
    const { open, secret, hidden } = icpc.problems
    const shown = [
      { id: String(secret.id), label: 'A', ordinal: 1 },
      { id: String(open.id), label: 'Z', ordinal: 2 },
    ]
    const { problems } = await icpc.ann.get(`${icpc.url}/standings`)
    expect(problems).toMatchObject(shown.map(({ id, label }) => ({ problem_id: Number(id), label })))
    const url = `${icpc.base}/problems/${hidden.id}`
    for (const by of [icpc.outsider, icpc.ann, icpc.manager]) {
      expect(await icpc.list(by, 'problems')).toMatchObject(shown)
      await by.get(url, refused(404))
      expect((await icpc.list(by, 'submissions')).map(({ id }) => id)).not.toContain(icpc.submissions.hidden)
    }
    expect(await icpc.list(anonymous, 'problems')).toMatchObject(shown)
    for (const by of [icpc.owner, judge, admin])
      expect(await icpc.list(by, 'problems')).toMatchObject([
        ...shown,
        { id: String(hidden.id), label: 'C', ordinal: 3 },
      ])
  })

  it('have title, limits and files for those who may read them, for others the label (D33)', async () => {
    const secret = `${icpc.base}/problems/${icpc.problems.secret.id}`
    const id = String(icpc.problems.secret.id)
    for (const by of [anonymous, icpc.outsider])
      expect(await by.get(secret)).toEqual({ id, label: 'A', name: 'A', ordinal: 1, rgb: '#ff8800' })
    const file = (name: string, mime: string) => ({
      ...{ href: `contests/${icpc.id}/problems/${icpc.problems.secret.id}/files/${name}` },
      ...{ filename: name, mime },
    })
    const whole = {
      ...{ name: 'Secret', time_limit: 1.5, memory_limit: 64, output_limit: 8, code_limit: 256 },
      ...{ test_data_count: 2, uuid: '8ee7605a-fd0e-4b6c-8b9a-1a8f2a4b7a01' },
      statement: [file('problem.en.md', 'text/plain')],
      attachments: [file('tool.py', 'application/octet-stream')],
    }
    for (const by of [icpc.ann, icpc.tester, icpc.manager, judge])
      expect(await by.get(secret)).toMatchObject(whole)
    expect(await anonymous.get(`${icpc.base}/problems/${icpc.problems.open.id}`)).toMatchObject({
      ...{ name: 'Answer', color: 'pink', label: 'Z' },
    })
  })

  it('have the limits of the contest', async () => {
    const { open } = changed.problems
    const inEvent = (await contests.eventProblemIds(changed.id)).get(open.id)
    await admin.put(`${changed.url}/problems/${inEvent}`, { execution_timeout: 0.1234, memory_limit: 512 })
    const limits = { time_limit: 0.123, memory_limit: 512 }
    expect(await changed.ann.get(`${changed.base}/problems/${open.id}`)).toMatchObject(limits)
  })
})

describe('the files of a problem', () => {
  it('are for those who may read it; only admins get the package', async () => {
    const problem = `${icpc.base}/problems/${icpc.problems.secret.id}`
    for (const by of [icpc.ann, icpc.manager, judge, admin]) {
      const response = await by.send('GET', `${problem}/files/problem.en.md`)
      expect(response).toMatchObject({ status: 200, text: '# Secret' })
      expect(response.headers['cache-control']).toBe('private, max-age=300')
      await by.get(`${problem}/files/picture.png`, 200)
      await by.get(`${problem}/files/secret.py`, refused(404))
    }
    await icpc.outsider.get(`${problem}/files/problem.en.md`, refused(404))
    await anonymous.get(`${problem}/files/problem.en.md`, refused(401))
    for (const by of [icpc.ann, icpc.owner, icpc.manager, judge])
      await by.get(`${problem}/package`, refused(404))
    const zip = await admin.send('GET', `${problem}/package`)
    expect([zip.status, zip.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK'])
  })

  it('of a public problem may be cached by everybody', async () => {
    await admin.put(`/v1/problems/${changed.problems.secret.id}`, { public: true })
    const url = `${changed.base}/problems/${changed.problems.secret.id}/files/problem.en.md`
    const { headers } = await anonymous.send('GET', url)
    expect(headers['cache-control']).toBe('public, max-age=300')
    const again = await anonymous.send('GET', url, undefined, { 'if-none-match': String(headers.etag) })
    expect(again.status).toBe(304)
  })
})

it('languages contain the languages of the contest and of its submissions', async () => {
  const languageIds = async () => (await changed.list(anonymous, 'languages')).map(({ id }) => id)
  const [, second, third] = await changed.list(anonymous, 'languages')
  await admin.put(changed.url, { enforce_languages: true, languages: [second?.id] })
  expect(await languageIds()).toEqual([language.id, second?.id])
  const retire = 'update languages set retired_at = now() where id = any ($1::uuid[])'
  await service.database.query(unprepared(retire), [[language.id, String(third?.id)]])
  expect(await languageIds()).toEqual([language.id, second?.id])
  await service.database.query(unprepared('update languages set retired_at = null'))
})
