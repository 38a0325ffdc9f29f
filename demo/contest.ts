import { orThrow } from '@judge-data-layer/client/errors'
import type { Account } from './account.ts'
import { type Attempt, type VerdictListener, waitForVerdicts } from './attempts.ts'
import type { ImportedProblem } from './import-problems.ts'
import { describeTable } from './table.ts'

interface ContestOptions {
  readonly admin: Account
  readonly people: readonly [Account, Account]
  readonly problems: readonly ImportedProblem[]
  /** The id of JavaScript, which is always installed. */
  readonly languageId: string
  readonly onVerdict: VerdictListener
}

interface HeldContest {
  /** The question, its answer and the standings. */
  readonly report: string
  /** The path of the page for participants. */
  readonly contestPath: string
  /** The path of the standings for a projector, with their token. */
  readonly scoreboardPath: string
}

/** Holds a contest in which one team of two people submits programs and asks a question. */
export async function holdContest(options: ContestOptions): Promise<HeldContest> {
  const { admin, people } = options
  const [first, second] = people
  const event_id = await createEvent(options)
  const params = { path: { event_id } }
  const { team_id } = await orThrow(
    first.client.POST('/v1/events/{event_id}/teams', { params, body: { name: 'The Demonstrators' } }),
  )
  await orThrow(
    second.client.POST('/v1/events/{event_id}/teams/{team_id}/join', {
      params: { path: { event_id, team_id } },
    }),
  )
  const clarification = await askAndAnswer(options, event_id)

  await submitAndWait(options, event_id, [
    [first, 0, 'right'],
    [first, 1, 'wrong'],
    [second, 1, 'right'],
    [second, 2, 'wrong'],
  ])
  await submitAndWait(options, event_id, [[first, 1, 'right']])
  const { rows } = await orThrow(admin.client.GET('/v1/events/{event_id}/standings', { params }))
  const standings = rows.map(({ user, solved, penalty }) => [user?.name ?? '', `${solved}`, `${penalty}`])
  const { token } = await orThrow(
    admin.client.POST('/v1/events/{event_id}/scoreboard_tokens', { params, body: { label: 'Demo' } }),
  )
  return {
    report: `${clarification}\n\n${describeTable([['', 'Solved', 'Penalty'], ...standings])}`,
    contestPath: `/v1/contest/${event_id}`,
    scoreboardPath: `/v1/scoreboard/${event_id}#token=${token}`,
  }
}

async function createEvent({ admin, problems }: ContestOptions): Promise<number> {
  const body = {
    title: 'Demo Cup',
    description: `Two people, one team, ${problems.length} problems.`,
    start_time: new Date(Date.now() - 45 * 60_000).toISOString(),
    end_time: new Date(Date.now() + 60 * 60_000).toISOString(),
    teams: true,
    problems: problems.map(({ id }) => ({ problem_id: id })),
  }
  return (await orThrow(admin.client.POST('/v1/events', { body }))).id
}

async function askAndAnswer({ admin, people }: ContestOptions, event_id: number): Promise<string> {
  const { client } = people[1]
  const asked = await orThrow(
    client.POST('/v1/events/{event_id}/questions', {
      params: { path: { event_id } },
      body: { question: 'May the input have several test cases?' },
    }),
  )
  await orThrow(
    admin.client.PUT('/v1/events/{event_id}/questions/{question_id}/answer', {
      params: { path: { event_id, question_id: asked.id } },
      body: { answer: 'No, only one.' },
    }),
  )
  const [notification] = await orThrow(client.GET('/v1/user/notifications'))
  return `Asked: ${asked.question} Answered: ${notification?.question.answer}`
}

type Try = readonly [who: Account, problem: number, kind: Attempt['kind']]

async function submitAndWait(options: ContestOptions, event_id: number, tries: readonly Try[]) {
  const attempts: Attempt[] = []
  for (const [who, place, kind] of tries) {
    const problem = options.problems[place]
    const program = problem?.programs.find((one) => one.kind === kind && one.extension === 'js')
    if (problem === undefined || program === undefined)
      throw new Error(`Problem ${place} has no ${kind} JavaScript program`)
    const body = {
      user_id: who.id,
      problem_id: problem.id,
      language_id: options.languageId,
      source_code: program.source_code,
      event_id,
    }
    const { id } = await orThrow(who.client.POST('/v1/submissions', { body }))
    attempts.push({ id, problem: problem.title, language: `JavaScript by ${who.name}`, kind })
  }
  await waitForVerdicts(options.admin.client, attempts, options.onVerdict)
}
