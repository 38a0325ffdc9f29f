import { unprepared } from '../../src/db/statement.ts'
import type { Route } from '../../src/http/routing/route.ts'
import { zipped } from '../support/contest-api.ts'
import { type ProblemService, serviceWithProblem } from '../support/judging.ts'
import { ZIP } from '../support/packages.ts'
import { smallPackage } from '../support/small-package.ts'
import { storePackage } from '../support/stored-package.ts'
import type { Schema } from '../support/verification/openapi-operations.ts'
import { zipEntries } from '../support/zip-packages.ts'
import { rightValue } from './hostile-values.ts'

export const labelOf = ({ method, url }: Route) => `${method} ${url}`

/** Returns a schema as plain JSON. */
export const schemaOf = (schema: object | undefined): Schema => JSON.parse(JSON.stringify(schema ?? {}))

const WEBHOOK = { url: 'https://example.org/', token: 'a-token' }

async function addFile({ database }: ProblemService['service'], problemId: number): Promise<string> {
  const insert = `insert into problem_files (id, problem_id, path, name, bytes)
    values (gen_random_uuid(), $1::integer, 'attachments/a.txt', 'a.txt', 0)`
  await database.query(unprepared(insert), [problemId])
  return 'a.txt'
}

async function requestRejudging({ admin, submit, giveVerdict }: ProblemService): Promise<string> {
  const submission = await submit(admin)
  await giveVerdict(submission, 'ACCEPTED')
  return (await admin.post('/v1/rejudgings', { submission_ids: [submission] }, 202)).id
}

/**
 * A service with a record for every parameter of a path, and requests that it accepts. The
 * submission is the user's, who is staff of the event.
 */
export async function openWithRecords(variables: Record<string, string>) {
  const judging = await serviceWithProblem(variables)
  const { service, admin, user, problem, language } = judging
  const { webBridge, judgePassword } = service.config.secrets
  const secrets: Record<string, string> = { 'bridge secret': webBridge, 'judge password': judgePassword }
  const times = { start_time: '2026-01-01T00:00:00Z', end_time: '2096-01-01T00:00:00Z' }
  const event = await admin.post('/v1/events', {
    ...{ title: 'A contest', ...times, teams: true, staff: [user.id] },
    problems: [{ problem_id: problem.id }],
  })
  const within = `/v1/events/${event.id}`
  const [eventProblem] = await admin.get(`${within}/problems`)
  const category = await admin.post('/v1/categories', { name: 'A category' })
  const program = { language_id: language.id, source_code: 'x', stdin: '' }
  const submission_id = await judging.submit(user, { event_id: event.id })
  await storePackage(service, problem.id, { files: { 'submissions/accepted/right.py': 'print(42)' } })
  const ids: Readonly<Record<string, string>> = {
    user_id: (await service.createPerson()).id,
    problem_id: String(problem.id),
    problem_description_id: String(problem.id),
    test_case_id: problem.cases[1] ?? '',
    submission_id,
    run_id: await service.anonymous.post('/v1/public/input_submissions', program),
    language_id: language.id,
    category_id: category.id,
    event_id: String(event.id),
    event_problem_id: String(eventProblem.id),
    team_id: (await admin.post(`${within}/teams`, { name: 'A team' })).team_id,
    rejudging_id: (await admin.post('/v1/admin/rejudge', { user_id: admin.id })).id,
    decision_id: await requestRejudging(judging),
    shadow_judging_id: (await admin.post('/v1/admin/shadow_judgings', { submission_id })).id,
    name: await addFile(service, problem.id),
    file: 'licences.txt',
    question_id: (await admin.post(`${within}/questions`, { question: 'Why?' })).id,
    webhook_id: (await user.post('/v1/clics/webhooks', WEBHOOK)).id,
    scoreboard_token_id: (await admin.post(`${within}/scoreboard_tokens`, {})).id,
    judge_name: 'judge-1',
    verification_id: (await admin.post(`/v1/problem_packages/${problem.id}/verifications`, undefined)).id,
  }
  const scoreboard = (await admin.post(`${within}/scoreboard_tokens`, {})).token
  const zip = await zipEntries(smallPackage())
  /** The values of fields that name records. */
  const known: Readonly<Record<string, unknown>> = {
    ...{ user_id: admin.id, problem_id: problem.id, language_id: language.id, category_ids: [category.id] },
    ...{ id: problem.cases[0], test_case_id: problem.cases[0], failed_test_case_id: null, event_id: null },
    ...{ validation: { type: 'default' }, limits: { output: 8 }, submission_id: null, score: null },
    test_groups: [{ name: 'all', points: 1, aggregation: 'sum', cases: [1] }],
    ...{ freeze_time: null, enforce_languages: false, staff: [admin.id], label: 'L', color: '#d00' },
    ...{ team: null, languages: [1, language.id], status: 'ACCEPTED', is_admin: false, ...times },
  }
  /** Bodies whose rules are beyond a schema. */
  const bodies: Readonly<Record<string, object>> = {
    createLanguage: { name: language.name, extension: language.extension, version: 'of its own' },
    changeContest: { id: ids.event_id, start_time: times.start_time },
    createContestSubmission: {
      ...{ problem_id: ids.problem_id, language_id: language.id },
      files: await zipped(['main.py', 'print(42)']),
    },
    createWebhook: WEBHOOK,
    createClarification: { text: 'Why?', problem_id: ids.problem_id },
  }
  /** Fields that have another meaning in this route. */
  const ownFields: Readonly<Record<string, object>> = {
    registerJudge: { languages: [{ name: 'Python', version: '3', aliases: ['py'] }] },
    storeVerdict: { reason: null },
  }
  const idFor = ({ url }: Route, name: string) => {
    if (url.includes('input_submissions')) return ids.run_id
    return name === 'id' ? ids.problem_id : ids[name]
  }
  return {
    ...{ ...judging, ids, known },
    /** The path of a route with ids of records, except for those given. */
    pathOf: (route: Route, wrong: Readonly<Record<string, string>> = {}): string =>
      route.url.replaceAll(/:(\w+)/g, (_, name: string) => wrong[name] ?? idFor(route, name) ?? ''),
    /** A valid body, with these values for the fields of these names. */
    bodyOf: (route: Route, fields?: Readonly<Record<string, unknown>>): unknown =>
      bodies[route.name] ??
      rightValue(schemaOf(route.body), { ...known, ...ownFields[route.name], ...fields }),
    /** A right body as it is sent, with its Content-Type. */
    payloadOf: (route: Route, body?: unknown): { raw?: string | Buffer; headers: Record<string, string> } => {
      if (route.upload) return { raw: zip, headers: ZIP }
      return { ...(body !== undefined && { raw: JSON.stringify(body) }), headers: {} }
    },
    /** The secret of the route, or the token of this person. */
    credentialOf: ({ policy }: Route, token: string): string =>
      policy === 'scoreboard token' ? scoreboard : (secrets[policy] ?? token),
  }
}
