import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Schema } from '../support/verification/openapi-operations.ts'
import { openWithRecords, schemaOf } from './right-requests.ts'

const recorded = await openWithRecords({})
const { service, admin, ids, pathOf, bodyOf, credentialOf } = recorded

type Path = readonly (string | number)[]

/** Yields the texts by people in a value of this schema, without those that are ASCII. */
function* writtenTexts(schema: Schema, path: Path = []): Generator<{ path: Path; field: Schema }> {
  const [field = {}] = schema.anyOf ?? [schema]
  const { pattern = '', 'x-visible': isName } = field
  if (field['x-text'] === 'written' && (isName || new RegExp(pattern, 'u').test('a\u202Eb')))
    yield { path, field }
  if (field.items) yield* writtenTexts(field.items, [...path, 0])
  for (const [name, inner] of Object.entries(field.properties ?? {}))
    yield* writtenTexts(inner, [...path, name])
}

const writes = service.routes.filter(({ method }) => method !== 'GET')
const texts = writes.flatMap((route) => {
  const [body, params] = [schemaOf(route.body), schemaOf(route.params)]
  const found = [...writtenTexts(body), ...writtenTexts(params)]
  const isParameter = ([name]: Path) => params.properties?.[String(name)] !== undefined
  return found.map((text) => ({ ...text, route, isInPath: isParameter(text.path) }))
})
const isName = ({ field }: (typeof texts)[number]) => field['x-visible'] !== undefined

/** Lists the fields of each route, without the levels of groups. */
function listFields(some: typeof texts): string[] {
  const fields = new Map<string, Set<string>>()
  for (const { route, path } of some) {
    const known = fields.get(route.name) ?? new Set()
    fields.set(route.name, known)
    known.add(path.filter((part) => part !== 0 && part !== 'groups').join('.'))
  }
  return [...fields].map(([route, known]) => `${route}: ${[...known].sort().join(', ')}`).sort()
}

/** A line that begins with four spaces goes on with the one before. */
const linesOf = (text: string) =>
  text
    .trim()
    .replaceAll(/\n {4,}/g, ' ')
    .split(/\n +/)

const NAMES = `
  addEventProblem: label
  createCategory: name
  createEvent: problems.label, title
  createLanguage: extension, name, version
  createProblem: identifier, title
  createScoreboardToken: label
  createTeam: name
  createUser: email, name
  register: email, name
  registerJudge: judge_name, languages.aliases, languages.name, languages.version, version
  storeVerdict: worker
  updateEvent: title
  updateEventProblem: label
  updateProblem: identifier, title
  updateUser: name`

/**
 * Texts for people, programs, ids that are only compared, and what no other user sees. The bridge
 * and the import of users have the rule in their handlers.
 */
const TEXTS = `
  announce: announcement
  answerQuestion: answer
  appendTestCases: test_cases.expected_output, test_cases.input
  askQuestion: question
  changeContest: id
  createBenchRun: source_code, stdin
  createClarification: from_team_id, reply_to_id, text
  createContestSubmission: account_id, entry_point, files.filename, team_id
  createEvent: description
  createOrLogInUser: id, image, name
  createProblem: prompt, source, test_cases.expected_output, test_cases.input, test_groups.name,
    validation.build, validation.case_flags.flags, validation.files.content, validation.flags,
    validation.language, validation.run
  createPublicRun: source_code, stdin
  createRejudgingDecision: reason
  createRun: source_code, stdin
  createShadowJudging: source_code
  createSubmission: source_code
  createUser: image, password
  createWebhook: contest_ids, url
  importUsers: users.email, users.name, users.password, users.team
  logIn: email, password
  register: image, password
  requestPasswordReset: email
  resetPassword: email, new_password, token
  setPassword: current_password, password
  updateEvent: description
  updateProblem: prompt, source, test_cases.expected_output, test_cases.input, test_groups.name,
    validation.build, validation.case_flags.flags, validation.files.content, validation.flags,
    validation.language, validation.run
  updateTestCase: expected_output, input
  updateUser: image`

/** Returns a value with another one at this path. */
function replace(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((item) => replace(item, rest, by))
  return { ...Object(value), [key]: replace(Object(value)[key], rest, by) }
}

/** Sends a valid request with this name. */
function send({ route, path, isInPath }: (typeof texts)[number], name: string) {
  const url = pathOf(route, isInPath ? { [String(path[0])]: encodeURIComponent(name) } : {})
  const body = isInPath ? bodyOf(route) : replace(bodyOf(route), path, name)
  return service.send({ method: route.method, url, body, token: credentialOf(route, admin.token) })
}

describe('names that others see', () => {
  it('have one rule on every route; these are all other texts of requests (D11)', () => {
    expect(listFields(texts.filter(isName))).toEqual(linesOf(NAMES))
    expect(listFields(texts.filter((text) => !isName(text)))).toEqual(linesOf(TEXTS))
  })

  it('are refused with invisible, control and direction characters, which the message names (400) (D11)', async () => {
    const hidden = { '202E': 'a\u202Eb', '200B': 'a\u200Bb', '001B': 'a\u001B[2J', '200D': '1\u200D2' }
    for (const text of texts.filter(isName))
      for (const [code, name] of Object.entries({ ...hidden, '000A': 'a\nb' })) {
        const isEmail = text.field['x-visible'] === 'e-mail'
        if (isEmail && code === '000A') continue
        const message = expect.stringContaining(`must not contain U+${code}; remove invisible, control`)
        const sent = await send(text, isEmail ? `${name}@example.org` : name)
        expect(sent, `${text.route.name} ${text.path}`).toMatchObject({ status: 400, body: { message } })
      }
  })

  it('of earlier releases stay as they are, until a write sends them again (400) (D11)', async () => {
    const old = 'Old\u200B \u202Ename'
    const update = (table: string, column: string, id = '') =>
      service.database.query(unprepared(`update ${table} set ${column} = $2 where id = $1`), [id, old])
    await update('events', 'title', ids.event_id)
    await update('problems', 'title', ids.problem_id)
    await update('teams', 'name', ids.team_id)
    await update('event_problems', 'label', ids.event_problem_id)
    const within = `/v1/events/${ids.event_id}`
    const problem = `/v1/problems/${ids.problem_id}`
    for (const [url, change, field] of [
      [within, { description: 'Changed' }, 'title'],
      [problem, { source: 'Changed' }, 'title'],
      [`${within}/problems/${ids.event_problem_id}`, { position: 1 }, 'label'],
    ] as const) {
      await admin.put(url, change, 200)
      const read = await admin.get(url)
      expect(read).toMatchObject({ ...change, [field]: old })
      await admin.put(url, { ...change, [field]: read[field] }, 400)
    }
    expect((await admin.get(`${within}/teams/${ids.team_id}`)).name).toBe(old)
  })
})
