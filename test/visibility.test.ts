import { expect, it } from 'vitest'
import { listContestUrls } from './walks/contest-walk.ts'
import { plantWorld } from './walks/planted-world.ts'
import { listUrls, walk } from './walks/walk.ts'

// The walks read every object, query and cursor as every kind of caller. This one reads each GET
// route on one object of each kind, and of the problems on the hidden one of a running contest.
const world = await plantWorld({})
const { contests, ids, marks, victim, rival } = world
const { service, admin, stranger } = contests
const [arena = 0] = (ids.event_id ?? []).map(Number)
const hidden = Number(ids.problem_id?.[2])
const staff = await service.createPerson()
await admin.put(`/v1/events/${arena}`, { staff: [staff.id] })

const chosen = {
  ...Object.fromEntries(Object.entries(ids).map(([name, values]) => [name, values.slice(0, 1)])),
  ...{ problem_id: [hidden], test_case_id: ids.test_case_id?.slice(2, 3) ?? [] },
  event_problem_id: [(await contests.eventProblemIds(arena)).get(hidden) ?? 0],
  ...{ name: [marks.get('hiddenFileName') ?? ''], query: [marks.get('hiddenTitle') ?? ''] },
}
const urls = new Map([
  ...(await listUrls({ contests, ids: chosen })),
  ...(await listContestUrls({
    ...{ service, eventIds: [arena], names: chosen.name, most: 1 },
    tokens: [admin.token, victim.token],
  })),
])

const marksSeenBy = async (token: string | undefined) =>
  [...new Set(Object.values(await walk(world, urls, token)).flat())].sort()

const OF_USERS = [
  ...['answer', 'email', 'goneQuestion', 'image', 'name', 'openTitle', 'question', 'runErr', 'runOut'],
]
const OF_PARTICIPANTS = [...OF_USERS, 'openFileName', 'openIdentifier', 'openPrompt', 'openSource']
const OF_STAFF = ['contestSource', 'decisionReason', 'openFileName']

it.each([
  ['a stranger', stranger.token, OF_USERS],
  ['a participant', rival.token, OF_PARTICIPANTS],
  ['staff of the contest', staff.token, [...OF_USERS, ...OF_STAFF]],
])('shows %s nothing hidden in any field, tag or cursor of a GET route', async (_, token, shown) => {
  expect(await marksSeenBy(token)).toEqual(shown.toSorted())
})

it('shows strangers and participants no count and no byte that a hidden change has changed', async () => {
  const others = [...urls].filter(([route]) => !/^\/(ready|openapi)|\/(clock|changes)$/.test(route))
  const readAll = async () => {
    const texts: string[] = []
    for (const reader of [stranger, rival]) {
      for (const [route, [url = route]] of others) {
        const { status, text, headers } = await reader.send('GET', url)
        // The time of a table is that of the last change of the contest.
        const timeless = text.replaceAll(/"(at|time|contest_time)":"[^"]*"/g, '')
        texts.push([url, status, headers.link, timeless].join('\n'))
      }
    }
    return texts
  }
  const before = await readAll()
  await admin.put(`/v1/problems/${hidden}`, { title: 'Another hidden title', prompt: 'Another' })
  const submission = await contests.submit(admin, { problem_id: hidden, event_id: arena })
  await admin.patch(`/v1/submissions/${submission}`, { status: 'ACCEPTED', score: 9 })
  const { id: problem_id } = await contests.createProblem({ public: false })
  await admin.post(`/v1/events/${arena}/problems`, { problem_id, hidden: true })
  await contests.submit(victim, {})
  expect(await readAll()).toEqual(before)
})
