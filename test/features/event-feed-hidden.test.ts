import { expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { listen } from '../support/bare-app.ts'
import { closeLater } from '../support/cleanup.ts'
import { isoIn, running, serviceWithContests } from '../support/contests.ts'
import { FeedReader } from '../support/event-feed.ts'

const contests = await serviceWithContests({ RATE_LIMIT_EXEMPT: '127.0.0.0/8' })
const { service, admin, createProblem, createEvent, createParticipant } = contests
const { app } = await service.openBeside({ liveTimes: { roundMs: 20, awardsMs: 40 } })
const port = await listen(app)

/** Tells which types of lines an anonymous feed gets because of a change. */
async function watch(fields: object) {
  const [open, secret] = [await createProblem(), await createProblem({ public: false })]
  const eventId = await createEvent({
    ...{ scoreboard: 'public', clarifications: 'staff', ...fields },
    problems: [{ problem_id: open.id }, { problem_id: secret.id, hidden: true }],
  })
  const url = `/v1/events/${eventId}`
  const feed = new FeedReader([port], eventId, undefined)
  feed.connect()
  closeLater(async () => feed.close())
  await expect.poll(() => feed.hasToken).toBe(true)
  const name = () => [...(feed.objects.get('contest')?.values() ?? [])].map((contest) => Object(contest).name)
  let count = 0
  return {
    ...{ eventId, url, open, secret },
    async remove(problemId: number) {
      const listed: { id: number; problem_id: number }[] = await admin.get(`${url}/problems`, 200)
      await admin.delete(`${url}/problems/${listed.find(({ problem_id }) => problem_id === problemId)?.id}`)
    },
    async typesAfter(change: () => Promise<unknown>): Promise<string[]> {
      const { length } = feed.lines
      await change()
      count += 1
      // All see a new title: its line comes last.
      await admin.put(url, { title: `Title ${count}` })
      await expect.poll(name).toEqual([`Title ${count}`])
      return [...new Set(feed.lines.slice(length).map(({ type }) => type))].filter(
        (type) => type !== 'contest',
      )
    },
  }
}

const renewTests = (problemId: number) =>
  service.database.query(
    unprepared('update problems set tests_version = gen_random_uuid() where problems.id = $1'),
    [problemId],
  )

it('tells outsiders nothing of hidden problems and people, and not that tests were replaced (P26)', async () => {
  const { eventId, url, open, secret, remove, typesAfter } = await watch(running())
  const join = async () =>
    contests.submit(await createParticipant(eventId), { event_id: eventId, problem_id: open.id })
  // Single objects were sent: a whole collection would be another line.
  expect(await typesAfter(join)).toEqual(expect.arrayContaining(['teams', 'submissions']))
  const tester = await service.createPerson()
  const hide = (hidden: boolean) => admin.put(`${url}/participants/${tester.id}`, { hidden })
  expect(await typesAfter(() => hide(true))).toEqual([])
  expect(await typesAfter(() => admin.delete(`${url}/participants/${tester.id}`))).toEqual([])
  expect(await typesAfter(() => renewTests(secret.id))).toEqual([])
  expect(await typesAfter(() => renewTests(open.id))).toEqual([])
  expect(await typesAfter(() => remove(secret.id))).toEqual([])
  expect(await typesAfter(() => createParticipant(eventId))).toContain('teams')
})

it('tells nobody but the jury of problems before the start (P26)', async () => {
  const times = { start_time: isoIn(3600), end_time: isoIn(7200) }
  const { url, open, remove, typesAfter } = await watch(times)
  const { id } = await createProblem({ public: false })
  expect(await typesAfter(() => admin.post(`${url}/problems`, { problem_id: id }, 201))).toEqual([])
  expect(await typesAfter(() => renewTests(id))).toEqual([])
  expect(await typesAfter(() => remove(id))).toEqual([])
  expect(await typesAfter(() => remove(open.id))).toEqual([])
})
