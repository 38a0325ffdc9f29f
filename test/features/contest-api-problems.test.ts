import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Caller } from '../support/caller.ts'
import { createFullContest, type FullContest } from '../support/contest-api.ts'
import { serviceWithContests } from '../support/contests.ts'

const contests = await serviceWithContests()
const { service, admin, language } = contests
const { anonymous, judge } = service

/** Tests that change a contest create their own. */
const shared = await createFullContest(contests)

const refused = (code: number) => ({ status: code, body: { code, message: expect.any(String) } })
const idsOf = async ({ list }: FullContest, by: Caller, type: string) =>
  (await list(by, type)).map(({ id }) => id)

describe('problems', () => {
  it('have the numbers and labels of the standings; hidden ones follow, for staff and judges', async () => {
    const { open, secret, hidden } = shared.problems
    const shown = [
      { id: String(secret.id), label: 'A', ordinal: 1 },
      { id: String(open.id), label: 'Z', ordinal: 2 },
    ]
    const { problems } = await shared.ann.get(`${shared.url}/standings`)
    expect(problems).toMatchObject(shown.map(({ id, label }) => ({ problem_id: Number(id), label })))
    for (const by of [anonymous, shared.outsider, shared.ann])
      expect(await shared.list(by, 'problems')).toMatchObject(shown)
    for (const by of [shared.owner, shared.manager, judge, admin])
      expect(await shared.list(by, 'problems')).toMatchObject([
        ...shown,
        { id: String(hidden.id), label: 'C', ordinal: 3 },
      ])
  })

  it('have title, limits and files for those who may read them, for others the label (D33)', async () => {
    const secret = `${shared.base}/problems/${shared.problems.secret.id}`
    const id = String(shared.problems.secret.id)
    for (const by of [anonymous, shared.outsider])
      expect(await by.get(secret)).toEqual({ id, label: 'A', name: 'A', ordinal: 1, rgb: '#ff8800' })
    const file = (name: string, mime: string) => ({
      ...{ href: `contests/${shared.id}/problems/${shared.problems.secret.id}/files/${name}` },
      ...{ filename: name, mime },
    })
    const whole = {
      ...{ name: 'Secret', time_limit: 1.5, memory_limit: 64, output_limit: 8, code_limit: 256 },
      ...{ test_data_count: 2, uuid: '8ee7605a-fd0e-4b6c-8b9a-1a8f2a4b7a01' },
      statement: [file('problem.en.md', 'text/plain')],
      attachments: [file('tool.py', 'application/octet-stream')],
    }
    for (const by of [shared.ann, shared.tester, shared.manager, judge])
      expect(await by.get(secret)).toMatchObject(whole)
    expect(await anonymous.get(`${shared.base}/problems/${shared.problems.open.id}`)).toMatchObject({
      ...{ name: 'Answer', color: 'pink', label: 'Z' },
    })
  })

  it('have the limits of the contest', async () => {
    const contest = await createFullContest(contests)
    const { open } = contest.problems
    const inEvent = (await contests.eventProblemIds(contest.id)).get(open.id)
    await admin.put(`${contest.url}/problems/${inEvent}`, { execution_timeout: 0.1234, memory_limit: 512 })
    const limits = { time_limit: 0.123, memory_limit: 512 }
    expect(await contest.ann.get(`${contest.base}/problems/${open.id}`)).toMatchObject(limits)
  })
})

describe('the files of a problem', () => {
  it('are for those who may read it; only admins get the package', async () => {
    const problem = `${shared.base}/problems/${shared.problems.secret.id}`
    for (const by of [shared.ann, shared.manager, judge, admin]) {
      const response = await by.send('GET', `${problem}/files/problem.en.md`)
      expect(response).toMatchObject({ status: 200, text: '# Secret' })
      expect(response.headers['cache-control']).toBe('private, max-age=300')
      await by.get(`${problem}/files/picture.png`, 200)
      await by.get(`${problem}/files/secret.py`, refused(404))
    }
    await shared.outsider.get(`${problem}/files/problem.en.md`, refused(404))
    await anonymous.get(`${problem}/files/problem.en.md`, refused(401))
    for (const by of [shared.ann, shared.owner, shared.manager, judge])
      await by.get(`${problem}/package`, refused(404))
    const zip = await admin.send('GET', `${problem}/package`)
    expect([zip.status, zip.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK'])
  })

  it('of a public problem may be cached by everybody', async () => {
    const contest = await createFullContest(contests)
    await admin.put(`/v1/problems/${contest.problems.secret.id}`, { public: true })
    const url = `${contest.base}/problems/${contest.problems.secret.id}/files/problem.en.md`
    const { headers } = await anonymous.send('GET', url)
    expect(headers['cache-control']).toBe('public, max-age=300')
    const again = await anonymous.send('GET', url, undefined, { 'if-none-match': String(headers.etag) })
    expect(again.status).toBe(304)
  })
})

describe('languages', () => {
  it('contain the languages of the contest and of its submissions', async () => {
    const contest = await createFullContest(contests)
    const [, second, third] = await contest.list(anonymous, 'languages')
    const rules = { enforce_languages: true, languages: [second?.id] }
    await admin.put(contest.url, rules)
    expect(await idsOf(contest, anonymous, 'languages')).toEqual([language.id, second?.id])
    const retire = 'update languages set retired_at = now() where id = any ($1::uuid[])'
    await service.database.query(unprepared(retire), [[language.id, String(third?.id)]])
    expect(await idsOf(contest, anonymous, 'languages')).toEqual([language.id, second?.id])
    await service.database.query(unprepared('update languages set retired_at = null'))
  })
})
