import { createEventSubmission, createSubmission } from '../../src/features/judging/submissions/create-sql.ts'
import { storeVerdict } from '../../src/features/judging/submissions/store-verdict-sql.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { Exchange, HotRoute, PgbenchScript } from './route.ts'
import { firstSubmissionOf, LAST_PRIVATE_PROBLEM } from './sizes.ts'
import type { World } from './stage.ts'
import {
  FIVE,
  namedCases,
  patchBody,
  SOURCE_CODE,
  storedResults,
  submissionId,
  submissionIdSql,
  userId,
  userIdSql,
} from './values.ts'

/** The body of a user's submission to a problem, in a contest or outside. */
export const submissionBody = (user: number, problem_id: number, world: World, eventId?: number) =>
  JSON.stringify({
    ...{ user_id: userId(user), problem_id, language_id: world.languageId, source_code: SOURCE_CODE },
    ...(eventId !== undefined && { event_id: eventId }),
  })

const openProblem = (user: number, { size }: World) =>
  LAST_PRIVATE_PROBLEM + 1 + (user % (size.problems - LAST_PRIVATE_PROBLEM))
const eventProblem = (user: number, { size }: World) => (user % size.events[0].problems) + 1

const submissionsTo = (problemOf: (user: number, world: World) => number, eventId?: number) => {
  return (world: World): Promise<Exchange[]> => {
    const requests = Array.from({ length: world.size.events[0].people }, async (_, n) => ({
      ...({ method: 'POST', path: '/v1/submissions', token: await world.tokenOf(n + 1) } as const),
      body: submissionBody(n + 1, problemOf(n + 1, world), world, eventId),
    }))
    return Promise.all(requests)
  }
}

/** Ids of the same time are neighbours in the index, like the service's ids. */
const newIdSql = () => {
  const eightDigits = Date.now().toString(16).padStart(12, '0').slice(0, 8)
  return `('${eightDigits}' || substr(gen_random_uuid()::text, 9))::uuid`
}

const NO_KEY = { key_caller: 'null', key: 'null', canonical_hash: 'null' }

const submitScript =
  (statement: PgbenchScript['statement'], eventId?: number) =>
  (world: World): PgbenchScript => {
    const [{ people, problems }] = world.size.events
    const range =
      eventId === undefined ? `${LAST_PRIVATE_PROBLEM + 1}, ${world.size.problems}` : `1, ${problems}`
    return {
      statement,
      prologue: [`\\set user random(1, ${people})`, `\\set problem random(${range})`],
      values: {
        ...NO_KEY,
        ...{ actor: userIdSql(':user'), actor_role: ':role', actor_session: ':version' },
        ...{ id: newIdSql(), user_id: userIdSql(':user'), problem_id: ':problem' },
        ...{ language_id: `'${world.languageId}'`, source_code: ':source', event_id: String(eventId) },
      },
      variables: { role: '0', version: '1', source: SOURCE_CODE },
    }
  }

async function verdicts(world: World): Promise<Exchange[]> {
  const [event] = world.size.events
  const first = firstSubmissionOf(world.size, event)
  const bodies = Array.from({ length: event.problems }, (_, n) => patchBody(n + 1))
  return Array.from({ length: event.submissions }, (_, i) => {
    const problem = Math.floor(i / event.people) % event.problems
    return {
      ...({ method: 'PATCH', token: world.judgeToken, body: bodies[problem] ?? '' } as const),
      path: `/v1/submissions/${submissionId(first + i)}`,
    }
  })
}

function verdictScript({ size }: World): PgbenchScript {
  const [event] = size.events
  const first = firstSubmissionOf(size, event)
  return {
    statement: storeVerdict,
    // Each client has its own submissions, so that none is judged twice.
    prologue: [
      '\\set i :i + 1',
      `\\set place (:first + :i * :clients + :client_id) % ${event.submissions}`,
      `\\set problem 10001 + (:place / ${event.people}) % ${event.problems}`,
    ],
    values: {
      ...{ actor: `'${NIL_UUID}'`, actor_role: ':role', actor_session: 'null', judging: 'null' },
      submission_id: submissionIdSql(`${first} + :place`),
      ...{ status: "'ACCEPTED'", stdout: "''", stderr: "''", time_elapsed: '0.25' },
      ...{ memory_used: 'null', score: 'null', worker: 'null', judge_message: 'null', case_details: 'null' },
      failed_test_case_id: 'null',
      test_case_results: `replace(:results, '${FIVE}', :problem::text)`,
      test_case_ids: `replace(:cases, '${FIVE}', :problem::text)`,
      capabilities: "'{}'",
    },
    variables: { i: '-1', role: '1', results: storedResults, cases: namedCases },
  }
}

/** Eight minutes of one person: two submissions, ten polls, and sixteen reads of the standings. */
const MIX = ['submit', ...'spspspspsps', 'submit', ...'spspspspsps', ...'ssss']

/** The requests of a contest in their usual proportions. */
async function mix(world: World): Promise<Exchange[]> {
  const [event] = world.size.events
  const submits = await submissionsTo(eventProblem, event.id)(world)
  const first = firstSubmissionOf(world.size, event)
  return submits.map((submit, n) => {
    const { token = '' } = submit
    const act = MIX[n % MIX.length]
    if (act === 'submit') return submit
    if (act === 's') return { method: 'GET', path: `/v1/events/${event.id}/attempts`, token }
    return { method: 'GET', path: `/v1/submissions/${submissionId(first + n)}/status`, token }
  })
}

const submit = { statuses: [201], writes: 'submissions' } as const

export const writingRoutes: readonly HotRoute[] = [
  {
    ...{ name: 'submit', ...submit, targets: { 1: 0.4, 32: 0.9, 256: 1 } },
    ...{ exchanges: submissionsTo(openProblem), pgbench: submitScript(createSubmission) },
  },
  {
    ...{ name: 'submit in a contest', ...submit, targets: { 1: 0.6, 32: 0.9, 256: 1 } },
    ...{ exchanges: submissionsTo(eventProblem, 1), pgbench: submitScript(createEventSubmission, 1) },
  },
  {
    ...{ name: 'verdict of 20 results', statuses: [204], writes: 'verdicts' },
    ...{ targets: { 1: 0.6, 32: 0.9, 256: 0.9 }, exchanges: verdicts, pgbench: verdictScript },
  },
  {
    ...{ name: 'contest mix', statuses: [201, 200], writes: 'submissions', widest: 32 },
    ...{ isMix: true, exchanges: mix },
  },
]
