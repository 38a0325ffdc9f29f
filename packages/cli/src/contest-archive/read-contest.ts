import type { JudgeClient, Schemas } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import { listQuestions, readContestProblems, readPages, readTeams } from '../lookup/problems-and-contests.ts'
import { readPatiently } from '../shared/waits.ts'

const PAGE_SIZE = 500
const READS_AT_ONCE = 4

/** Everything of a contest but its submissions, as its staff sees it. */
export type ContestDocuments = Awaited<ReturnType<typeof readDocuments>>

/** Reads the documents of a contest. The user must be an admin. */
export async function readDocuments(client: JudgeClient, eventId: number) {
  const path = { event_id: eventId }
  const { participants: _, ...contest } = await readPatiently(() =>
    orThrow(client.GET('/v1/events/{event_id}', { params: { path } })),
  )
  const participants = await readPatiently(() =>
    readPages((query) => client.GET('/v1/events/{event_id}/participants', { params: { path, query } })),
  )
  const all = await readPatiently(() => listQuestions(client, eventId))
  const standings = await readStandings(client, eventId, 'user')
  return {
    ...{ contest, participants: markLate(participants, standings.json) },
    questions: all.filter(({ is_announcement }) => is_announcement !== true),
    announcements: all.filter(({ is_announcement }) => is_announcement === true),
    problems: await readPatiently(() => readContestProblems(client, eventId)),
    standings,
    /** Only for a contest with teams. */
    teamStandings: contest.teams ? await readStandings(client, eventId, 'team') : undefined,
    teams: contest.teams ? await readTeams(client, eventId, readPatiently) : [],
  }
}

/** Participants without a row, who are no testers, registered after the end. */
function markLate(participants: readonly Schemas['Participant'][], { rows }: Schemas['Standings']) {
  const ranked = new Set(rows.map(({ user }) => user?.id))
  return participants.map((one) => ({ ...one, ...(!one.hidden && !ranked.has(one.id) && { late: true }) }))
}

/** The standings as the service writes them. */
async function readStandings(client: JudgeClient, eventId: number, by: 'user' | 'team') {
  const params = { path: { event_id: eventId }, query: { by } }
  const json = await readPatiently(() => orThrow(client.GET('/v1/events/{event_id}/standings', { params })))
  const csv = await readPatiently(async () => {
    const call = client.GET('/v1/events/{event_id}/standings.csv', { params, parseAs: 'stream' })
    return new Response(await orThrow(call)).text()
  })
  return { json, csv }
}

/** A submission without its source: 100,000 of them fit in memory. */
export interface ListedSubmission {
  readonly id: string
  readonly userId: string
  readonly userName: string
  readonly problemId: number
  readonly languageId: string
  readonly language: string
  readonly extension: string
  readonly status: string
  readonly submitTime: string
}

/** Reads the submissions of a contest, the oldest first. */
export async function listSubmissions(
  client: JudgeClient,
  eventId: number,
  signal: AbortSignal,
): Promise<ListedSubmission[]> {
  const listed = await readPages(({ after }) => {
    const query = { limit: PAGE_SIZE, ...(after !== undefined && { after }) }
    const params = { path: { event_id: eventId }, query }
    return readPatiently(async () => {
      const result = await client.GET('/v1/events/{event_id}/submissions', { params, signal })
      if (result.error !== undefined) throw new JudgeApiError(result.response, result.error)
      return { ...result, data: result.data.map(toListed) }
    }, signal)
  })
  return listed.reverse()
}

function toListed(submission: Schemas['EventSubmission']): ListedSubmission {
  const { id, user_id, user, problem_id, language, status, submit_time } = submission
  return {
    ...{ id, userId: user_id, userName: user.name, problemId: problem_id, status, submitTime: submit_time },
    ...{ languageId: language.id, language: language.name, extension: language.extension },
  }
}

/** Yields the whole records in the order of the list, and reads a few ahead. */
export async function* readSubmissions(
  client: JudgeClient,
  listed: readonly ListedSubmission[],
  signal: AbortSignal,
): AsyncGenerator<readonly [ListedSubmission, Schemas['Submission']]> {
  const read = (submission: ListedSubmission) => {
    const params = { path: { submission_id: submission.id } }
    const reading = readPatiently(
      () => orThrow(client.GET('/v1/submissions/{submission_id}', { params, signal })),
      signal,
    )
    // It is awaited later.
    reading.catch(() => {})
    return { submission, reading }
  }
  const ahead = listed.slice(0, READS_AT_ONCE).map(read)
  for (let next = READS_AT_ONCE; ahead.length > 0; next += 1) {
    const [first] = ahead.splice(0, 1)
    const later = listed[next]
    if (first === undefined) return
    const record = await first.reading
    if (later !== undefined) ahead.push(read(later))
    yield [first.submission, record]
  }
}

/** Chooses the last accepted submission of each person, problem and language, or else the last. */
export function chooseForComparison(listed: readonly ListedSubmission[]): ReadonlySet<string> {
  const chosen = new Map<string, ListedSubmission>()
  for (const submission of listed) {
    const key = JSON.stringify([submission.userId, submission.problemId, submission.language])
    const earlier = chosen.get(key)
    if (earlier?.status !== 'ACCEPTED' || submission.status === 'ACCEPTED') chosen.set(key, submission)
  }
  return new Set(Array.from(chosen.values(), ({ id }) => id))
}
