import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DatabaseUnavailable } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import { ContestTable } from '../../src/features/contests/standings/contest-table.ts'
import {
  type ReadFacts,
  type ReadRow,
  standingsReadings,
} from '../../src/features/contests/standings/read-sql.ts'
import { ListCache } from '../../src/lists/cache.ts'
import type { Person, TestApp } from '../support/app.ts'
import { createContest, serviceWithContests } from '../support/contests.ts'
import { onPostgres } from '../support/needs.ts'
import { observeStatements } from '../support/observed-statements.ts'
import { gate } from '../support/queue.ts'
import { storeSubmission } from '../support/standings.ts'
import { opening, rounds } from '../support/standings-incidents.ts'
import { prepareRuns } from '../support/standings-run.ts'
import { modelRuns } from './model-runs.ts'

const contests = await serviceWithContests()
const { service, admin, stranger, problem } = contests
const { database } = service

/** It keeps no rows: its responses come from the statements that read everything. */
const reference = await service.openBeside()
const others = [service, await service.openBeside({ listCache: new ListCache() })]

const urlsOf = (eventId: number) =>
  ['standings', 'standings?by=team', 'attempts'].map((path) => `/v1/events/${eventId}/${path}`)

async function expectAsReference(eventId: number, instances: readonly Pick<TestApp, 'send'>[] = others) {
  for (const { token } of [admin, stranger])
    for (const url of urlsOf(eventId)) {
      const request = { method: 'GET', url, token } as const
      const expected = await reference.send(request)
      for (const instance of instances) {
        const { status, text, headers } = await instance.send(request)
        expect([status, headers.etag, text], url).toEqual([200, expected.headers.etag, expected.text])
      }
    }
}

it('the standings, those of teams and the attempts of kept rows equal those of one statement, byte by byte, after any changes of a contest', async () => {
  const openRun = await prepareRuns(contests)
  const steps = fc.tuple(opening, rounds).map(([first, later]) => [...first, ...later.flat()])
  await fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(fc.boolean()), async (taken, looks) => {
      const { eventId, take } = await openRun()
      for (const step of taken) {
        await take(step)
        // Instances that do not read after each step miss several.
        await expectAsReference(eventId, looks.next().value === true ? others : [service])
      }
      await expectAsReference(eventId)
    }),
    { numRuns: modelRuns(8), endOnFailure: true },
  )
})

/** A contest with cells, of which each instance keeps the rows. Two of the people are one team. */
async function openContest(fields: Record<string, unknown> = {}) {
  const second = await contests.createProblem()
  const problems = [problem.id, second.id]
  const eventId = await createContest(contests, [problem, second], { teams: true, ...fields })
  const people: Person[] = []
  while (people.length < 4) people.push(await contests.createParticipant(eventId))
  const url = `/v1/events/${eventId}/teams`
  const [captain = stranger, mate, ...others] = people
  const { team_id: first } = await captain.post(url, { name: 'Two' })
  await mate?.post(`${url}/${first}/join`)
  const teamIds: string[] = [first, first]
  for (const person of others) teamIds.push((await person.post(url, { name: `of ${person.id}` })).team_id)
  const solve = async (person: Person | undefined, nth: number, status = 'ACCEPTED', minute = 10) => {
    const by = { user_id: person?.id ?? '', problem_id: problems[nth] ?? 0 }
    await storeSubmission(service, eventId, { id: uuidv7(), ...by, minute, status })
  }
  for (const person of people) {
    await solve(person, 0)
    await expectAsReference(eventId)
  }
  return { eventId, people, teamIds, problems, solve }
}

const touch = unprepared(
  `update event_scores set outcomes = event_scores.outcomes || jsonb_build_object($3::text, jsonb_build_array(
     microseconds(now() - interval '30 minutes'), 'ACCEPTED'))
   where event_scores.event_id = $1 and event_scores.user_id = $2`,
)

async function writeCell(eventId: number, person: Person) {
  const written = gate()
  const ending = gate()
  const ended = database.transaction(async (tx) => {
    await tx.query(touch, [eventId, person.id, uuidv7()])
    written.open()
    await ending.passed
  })
  await Promise.race([written.passed, ended])
  return async () => {
    ending.open()
    await ended
  }
}

it('no open write is missed, in any order of begins, commits and reads', onPostgres, async () => {
  const { eventId, people } = await openContest()
  const step = fc.tuple(fc.constantFrom('turn', 'turn', 'read'), fc.nat(people.length - 1))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const open = new Map<Person, () => Promise<void>>()
      for (const [kind, nth] of steps) {
        const person = people[nth] ?? stranger
        if (kind === 'read') {
          await expectAsReference(eventId)
          continue
        }
        const commit = open.get(person)
        if (commit === undefined) open.set(person, await writeCell(eventId, person))
        else {
          open.delete(person)
          await commit()
          await expectAsReference(eventId, [service])
        }
      }
      for (const commit of open.values()) await commit()
      await expectAsReference(eventId)
    }),
    { numRuns: modelRuns(12), endOnFailure: true },
  )
})

it('a response includes everything committed before the request, while others write and read', async () => {
  const { eventId, people, solve } = await openContest()
  const url = `/v1/events/${eventId}/attempts`
  const totalOf = async (person: Person) => {
    const cells: { user_id: string; total_attempts: number }[] = await stranger.get(url)
    return cells.reduce((sum, cell) => sum + (cell.user_id === person.id ? cell.total_attempts : 0), 0)
  }
  await Promise.all(
    people.map(async (person, nth) => {
      for (let count = 2; count <= 9; count += 1) {
        await solve(person, nth % 2, 'WRONG_ANSWER', 10 + count)
        expect(await totalOf(person)).toBe(count)
      }
    }),
  )
  await expectAsReference(eventId)
})

describe.each(['user', 'team'] as const)('the cells by %s', (by) => {
  const read = async (event_id: number, kept?: Pick<ReadFacts, 'basis' | 'snapshot' | 'people_version'>) => {
    const { basis = null, snapshot = null, people_version = null } = kept ?? {}
    const position = { kept_basis: basis, kept_snapshot: snapshot, kept_people: people_version }
    const rows = await database.query(standingsReadings[by].statement, {
      event_id,
      is_live: false,
      ...position,
    })
    const head = rows.find(({ facts }) => facts !== null)
    const facts: ReadFacts = JSON.parse(head?.facts ?? '')
    return { ...facts, hasPeople: head?.people !== null, ids: ownersOf(rows) }
  }
  const ownersOf = (rows: readonly ReadRow[]) => {
    const cells = rows.flatMap(({ cells }): [number, [string][]][] =>
      cells === null ? [] : [JSON.parse(cells)],
    )
    return [...new Set(cells.flatMap(([, owners]) => owners.map(([id]) => id)))].sort()
  }

  it('are read again only where they have changed', async () => {
    const { eventId, people, teamIds, solve } = await openContest()
    const ids = by === 'team' ? teamIds : people.map(({ id }) => id)
    const all = await read(eventId)
    expect(all).toMatchObject({ ids: [...new Set(ids)].sort(), hasPeople: true })
    for (const nth of [2, 1]) {
      const before = await read(eventId)
      await solve(people[nth], 0, 'WRONG_ANSWER', 5)
      expect(await read(eventId, before)).toMatchObject({ is_kept: true, ids: [ids[nth]], hasPeople: false })
    }
    const changed = await read(eventId, all)
    expect(changed).toMatchObject({ is_kept: true, ids: [ids[1], ids[2]].sort() })
    expect(await read(eventId, changed)).toMatchObject({ is_kept: true, ids: [] })
  })

  it('are all read again after a change by hand, and at a position of another history', async () => {
    const { eventId } = await openContest()
    const all = await read(eventId)
    const whole = { is_kept: false, ids: all.ids }
    expect(await read(eventId, { ...all, snapshot: '900000000:900000000:' })).toMatchObject(whole)
    expect(await read(eventId, { ...all, basis: 'other' })).toMatchObject(whole)
    await database.query(unprepared(`select change_list_version('all')`))
    expect(await read(eventId, all)).toMatchObject(whole)
  })
})

it('a table whose update failed in the middle reads all cells again', async () => {
  const { eventId, people, solve } = await openContest()
  const table = new ContestTable(false)
  const { statement } = standingsReadings.user
  const read = () => database.query(statement, { event_id: eventId, is_live: false, ...table.position })
  await table.update(await read())
  await solve(people[0], 1)
  const rows = await read()
  await expect(table.update([{ facts: null, people: null, cells: '[' }, ...rows])).rejects.toThrow()
  await table.update(await read())
  const results = await table.standings()
  expect(results.order.map((row) => results.resultOf(row).solved)).toEqual([2, 1, 1, 1])
})

it('somebody with results who joins a team changes its row', async () => {
  const { eventId, solve } = await openContest()
  const person = await contests.createParticipant(eventId)
  await solve(person, 1, 'ACCEPTED', 5)
  await expectAsReference(eventId)
  const [{ id } = { id: '' }] = await admin.get(`/v1/events/${eventId}/teams`)
  await person.post(`/v1/events/${eventId}/teams/${id}/join`)
  await expectAsReference(eventId)
})

it('people with equal results share a rank, and names in many scripts are in one order', async () => {
  const { eventId, people, solve } = await openContest({ penalty_minutes: 0 })
  const names = ['\u{1F600} b', '\uFF21lf', 'zo\u00EB', 'Zoe"']
  for (const [nth, person] of people.entries()) {
    await admin.put(`/v1/users/${person.id}`, { name: names[nth] }, 204)
    await expectAsReference(eventId)
    await solve(person, 1, 'ACCEPTED', 20)
    await expectAsReference(eventId)
  }
  const { rows } = await stranger.get(`/v1/events/${eventId}/standings`)
  expect(rows.map(({ rank }: { rank: number }) => rank)).toEqual([1, 1, 1, 1])
})

it('after a read that failed, the next response has all changes', async () => {
  const { eventId, people, solve } = await openContest()
  await solve(people[0], 1)
  let failures = 0
  const stop = observeStatements(database, (name) => {
    if (!/^read_standings_by_(user|team)$/.test(name)) return
    failures += 1
    throw new DatabaseUnavailable('away')
  })
  onTestFinished(stop)
  for (const url of urlsOf(eventId)) await stranger.send('GET', url)
  stop()
  expect(failures).toBe(3)
  await solve(people[1], 1)
  await expectAsReference(eventId)
})

it('a cell that is deleted by hand leaves the rows, and one that somebody moves changes its place', async () => {
  const { eventId, people, problems } = await openContest()
  const where = `where event_id = ${eventId} and user_id = '${people[0]?.id}'`
  await database.query(unprepared(`update event_scores set problem_id = ${problems[1]} ${where}`))
  await expectAsReference(eventId)
  await database.query(unprepared(`delete from event_scores ${where}`))
  await expectAsReference(eventId)
})
