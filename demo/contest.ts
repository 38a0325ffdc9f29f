import type { Account, Api, AttemptStat } from './api.ts'
import { type Attempt, type CreatedProblem, type Verdict, waitForVerdicts } from './attempts.ts'
import { describeTable } from './table.ts'

const PENALTY_MINUTES = 20

interface ContestOptions {
  readonly admin: Account
  readonly people: readonly [Account, Account]
  readonly problems: readonly CreatedProblem[]
  /** The language that always runs. */
  readonly languageId: string
  readonly timeoutMs: number
  readonly onVerdict: (verdict: Verdict, done: number, of: number) => void
}

/**
 * Holds a small contest over HTTP: a team event of two people who submit, ask and are answered. Answers its standings as text (problems solved,
 * then penalty).
 */
export async function holdContest(api: Api, options: ContestOptions): Promise<string> {
  const { admin, people, problems } = options
  const event = await api.createEvent(admin.token, {
    title: 'Demo Cup',
    description: 'Two people, one team, three problems.',
    start_time: new Date(Date.now() - 45 * 60_000).toISOString(),
    end_time: new Date(Date.now() + 60 * 60_000).toISOString(),
    teams: true,
    problems: problems.map(({ id }) => ({ problem_id: id })),
  })
  const [first, second] = people
  const { team_id } = await api.createTeam(first.token, event.id, 'The Demonstrators')
  await api.joinTeam(second.token, event.id, team_id)
  const question = await api.ask(second.token, event.id, 'May the input have several test cases?')
  await api.answer(admin.token, event.id, question.id, 'No: one a run.')
  const [notification] = await api.listNotifications(second.token)
  const answered = `Asked: ${question.question} Answered: ${notification?.question.answer}`

  // The first solves two problems, one at the second try; the second solves one and fails at another.
  await submitAndWait(api, options, event.id, [
    [first, 0, 'right'],
    [first, 1, 'wrong'],
    [second, 1, 'right'],
    [second, 2, 'wrong'],
  ])
  await submitAndWait(api, options, event.id, [[first, 1, 'right']])
  const standings = rankPeople(people, await api.listAttempts(admin.token, event.id))
  return `${answered}\n\n${describeTable([['', 'Solved', 'Penalty'], ...standings])}`
}

type Try = readonly [who: Account, problem: number, kind: Attempt['kind']]

async function submitAndWait(api: Api, options: ContestOptions, eventId: number, tries: readonly Try[]) {
  const byToken = new Map<string, Attempt[]>()
  for (const [who, place, kind] of tries) {
    const problem = options.problems[place]
    const solution = problem?.solutions.find((one) => one.kind === kind && one.extension === 'js')
    if (problem === undefined || solution === undefined)
      throw new Error(`No ${kind} solution of problem ${place}`)
    const { id } = await api.submit(who.token, {
      user_id: who.id,
      problem_id: problem.id,
      language_id: options.languageId,
      source_code: solution.source_code,
      event_id: eventId,
    })
    const attempt = { id, problem: problem.title, language: `JavaScript by ${who.name}`, kind }
    byToken.set(who.token, [...(byToken.get(who.token) ?? []), attempt])
  }
  for (const [token, attempts] of byToken) {
    await waitForVerdicts(api, token, attempts, {
      timeoutMs: options.timeoutMs,
      onVerdict: (verdict, done) => options.onVerdict(verdict, done, attempts.length),
    })
  }
}

/** Problems solved, then penalty: the minutes to each, and twenty for each wrong attempt before it. */
export function rankPeople(people: readonly Account[], cells: readonly AttemptStat[]): string[][] {
  const scores = people.map(({ id, name }) => {
    const solved = cells.filter((cell) => cell.user_id === id && cell.minutes_to_solve !== undefined)
    const penalty = solved.reduce(
      (sum, cell) => sum + (cell.minutes_to_solve ?? 0) + PENALTY_MINUTES * (cell.attempts - 1),
      0,
    )
    return { name, solved: solved.length, penalty }
  })
  scores.sort((a, b) => b.solved - a.solved || a.penalty - b.penalty)
  return scores.map(({ name, solved, penalty }) => [name, String(solved), String(penalty)])
}
