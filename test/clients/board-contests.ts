import { v7 as uuidv7 } from 'uuid'
import { unprepared } from '../../src/db/statement.ts'
import { closeLater } from '../support/cleanup.ts'
import { createContest, isoIn, serviceWithContests } from '../support/contests.ts'
import { storeSubmission } from '../support/standings.ts'

/** How long the contests take, when they freeze, and how old they are, in minutes. */
const LENGTH = 300
const FREEZE = 240
const AGE = 280

/** The times of a contest that runs, and freezes with `freezes()`. */
export const runs = () => ({ start_time: isoIn(-AGE), end_time: isoIn(LENGTH - AGE) })
export const freezes = () => ({ freeze_time: isoIn(FREEZE - AGE) })
export const isOver = () => ({ end_time: isoIn(-0.05) })

const COLORS =
  '#e6194b #ffe119 #3cb44b #4363d8 gold #911eb4 #46f0f0 #f032e6 #222222 #fabed4 #f58231 #ffffff'.split(' ')

const FIRST = 'Amara Bruno Chiara Dmitri Esther Farid Greta Hiro Imani Jonas'.split(' ')
const LAST = [
  ...'Albrecht Batista Cisse Dahl Eriksen Fontaine Gallo Hakimi Ito Jovanovic'.split(' '),
  ...'Kimura Lindqvist Mbeki Novak Okafor Pereira Quispe Rossi Singh Tamm'.split(' '),
]

/** An invented name; different for all numbers below 200. */
export const nameOf = (number: number) =>
  `${FIRST[number % FIRST.length]} ${LAST[Math.floor(number / FIRST.length + number) % LAST.length]}`

export type BoardContests = Awaited<ReturnType<typeof openBoardContests>>

type Result = [minute: number, status: string, score?: number]

const addPeople = unprepared(`insert into users (id, name, email)
  select * from unnest($1::uuid[], $2::text[], $3::text[])`)
const addParticipants = unprepared(
  'insert into event_participants (event_id, user_id) select $1::integer, unnest($2::uuid[])',
)

/** Starts a service with people and problems, for contests with invented results. */
export async function openBoardContests(names: readonly string[], problemCount: number) {
  const contests = await serviceWithContests()
  const { service } = contests
  const people = names.map((name) => ({ id: uuidv7(), name }))
  const emails = people.map(({ id }) => `${id}@example.org`)
  await service.database.query(addPeople, [people.map(({ id }) => id), [...names], emails])
  const problemIds = [contests.problem.id]
  while (problemIds.length < problemCount) problemIds.push((await contests.createProblem()).id)
  /** Stores a submission at a minute of the contest. */
  const store = async (eventId: number, person: number, problem: number, ...result: Result) => {
    const [user_id = '', problem_id = 0] = [people[person]?.id, problemIds[problem]]
    const [minute, status, score] = result
    await storeSubmission(service, eventId, { id: uuidv7(), user_id, problem_id, minute, status, score })
  }
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 })
  closeLater(() => service.app.close())
  return {
    ...{ contests, service, url, people, problemIds },
    /** Creates a contest of all people, which starts in twelve minutes; resolves to its id. */
    async createContest(fields: Record<string, unknown> = {}): Promise<number> {
      const problems = problemIds.map((problem_id, index) => ({
        ...{ problem_id, label: String.fromCharCode(65 + index), position: index },
        color: COLORS[index % COLORS.length],
      }))
      const eventId = await createContest(contests, problems, {
        ...{ title: 'Spring Open 2026', scoreboard: 'public' },
        ...{ start_time: isoIn(12), end_time: isoIn(12 + LENGTH), ...fields },
      })
      await service.database.query(addParticipants, [eventId, people.map(({ id }) => id)])
      return eventId
    },
    store,
    /** Stores invented submissions up to the present. */
    async storeAll(eventId: number): Promise<void> {
      for (const { person, problem, minute, status } of inventSubmissions(names.length, problemCount, AGE))
        await store(eventId, person, problem, minute, status)
    },
  }
}

/** A contest of two people, with the address of its scoreboard. */
export async function startBoard(fields: Record<string, unknown> = {}, names = ['Ada', 'Bea'], problems = 2) {
  const board = await openBoardContests(names, problems)
  const eventId = await board.createContest({ ...runs(), ...fields })
  const { admin } = board.contests
  const url = `${board.url}/v1/scoreboard/${eventId}`
  return { ...{ board, eventId, admin, url }, event: `/v1/events/${eventId}` }
}

/** Invented submissions up to a minute, the same ones each time. */
function* inventSubmissions(people: number, problems: number, untilMinute: number) {
  let seed = 7
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
  for (let person = 0; person < people; person += 1) {
    const skill = (1 - person / people) * 0.75 + random() * 0.25
    for (let problem = 0; problem < problems; problem += 1) {
      const tries = 1 + Math.floor(random() * 3)
      const solves = random() < skill * (1.25 - problem / problems)
      const minute = Math.floor(8 + (problem + random() * 3) * (LENGTH / (problems + 2)) * (1.2 - skill / 2))
      const isTried = solves || random() < 0.25
      for (let attempt = 1; isTried && attempt <= tries; attempt += 1) {
        const status = solves && attempt === tries ? 'ACCEPTED' : 'WRONG_ANSWER'
        const at = Math.min(minute + attempt * 2, LENGTH - 1)
        // Nobody submits at the same instant as another: they would share a first solution.
        if (at < untilMinute) yield { person, problem, minute: at + person / 1000, status }
      }
    }
  }
}
