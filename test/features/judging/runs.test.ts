import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { NIL_UUID } from '../../../src/http/routing/tokens.ts'
import type { Caller, Expected } from '../../support/caller.ts'
import { NOBODY, UUID } from '../../support/ids.ts'
import { countRows, messagesFor, serviceWithProblem } from '../../support/judging.ts'
import { forbidden, invalidField, notFound, refusal } from '../../support/refusals.ts'

const judging = await serviceWithProblem()
const { service, admin, user, stranger, language } = judging

type Fields = Record<string, unknown>
type Channel = 'user' | 'public' | 'bench'
const CHANNELS: Channel[] = ['user', 'public', 'bench']
const urlOf = (channel: Channel) => `/v1/${channel === 'user' ? '' : `${channel}/`}input_submissions`
const callerOf = (channel: Channel): Caller => (channel === 'user' ? user : service.anonymous)

const usual = { language_id: language.id, source_code: 'print(input())', stdin: '4 2\n' }
const program = (fields: Fields = {}) => ({ ...usual, ...fields })
const create = (channel: Channel, fields?: Fields, caller = callerOf(channel)): Promise<string> =>
  caller.post(urlOf(channel), program(fields), 201)
const poll = (channel: Channel, id: string, caller = callerOf(channel), expected: Expected = 200) =>
  caller.get(`${urlOf(channel)}/${id}`, expected)
const patch = (id: string, body: unknown, expected: Expected = 204, caller: Caller = service.judge) =>
  caller.patch(`/v1/input_submissions/${id}`, body, expected)

async function ownerOf(id: string): Promise<string | null | undefined> {
  const select = unprepared<{ user_id: string | null }>('select runs.user_id from runs where runs.id = $1')
  const [row] = await service.database.query(select, [id])
  return row?.user_id
}

async function expectRefused(channel: Channel, fields: Fields, expected: Expected, caller?: Caller) {
  const before = await countRows(service)
  await (caller ?? callerOf(channel)).post(urlOf(channel), program(fields), expected)
  expect(await countRows(service)).toEqual(before)
}

const pending = { status: 'PENDING', finished: false }

describe.each(CHANNELS)('a run on the %s route', (channel) => {
  it('gets its bare id as text (201), is stored with one message of kind input, and wakes the relay once [POST /v1/input_submissions] [POST /v1/public/input_submissions] [POST /v1/bench/input_submissions] [State: run created] [Event: queue message]', async () => {
    const { submissions, runs = 0, messages = 0, wakes } = await countRows(service)
    const response = await callerOf(channel).send('POST', urlOf(channel), program())
    expect(response.status).toBe(201)
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(response.text).toMatch(UUID)
    expect(await messagesFor(service, response.text)).toEqual([{ kind: 'input', judging: 1 }])
    const after = { submissions, runs: runs + 1, messages: messages + 1, wakes: wakes + 1 }
    expect(await countRows(service)).toEqual(after)
  })

  it('shows only PENDING before its verdict, then its output; judges and admins also see its program; it is unknown on the other routes (404) [GET /v1/input_submissions/{id}] [GET /v1/public/input_submissions/{id}] [GET /v1/bench/input_submissions/{id}] [State: run finished] [Fields: InputSubmission]', async () => {
    const id = await create(channel)
    const response = await callerOf(channel).send('GET', `${urlOf(channel)}/${id}`)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.body).toEqual(pending)
    const shown = { ...program(), id, language, judging: 1, attempt: 1 }
    const verdict = { status: 'ACCEPTED', stdout: '4 2\n', stderr: 'done', runtime: 0.25 }
    for (const caller of [service.judge, admin])
      expect(await poll('user', id, caller)).toEqual({ ...pending, ...shown })
    const { wakes } = await countRows(service)
    await patch(id, verdict)
    // The relay may publish the next run.
    expect(await countRows(service)).toMatchObject({ wakes: wakes + 1 })
    for (const one of [id, id.toUpperCase()])
      expect(await poll(channel, one)).toEqual({ ...verdict, finished: true })
    for (const caller of [service.judge, admin])
      expect(await poll('user', id, caller)).toEqual({ ...verdict, finished: true, ...shown })
    for (const other of CHANNELS.filter((candidate) => candidate !== channel))
      await poll(other, id, callerOf(other), notFound('run'))
  })

  it('shows judges its language even if it is retired while the run waits; others are refused a retired or unknown one (404)', async () => {
    const used = await admin.post('/v1/languages', { ...language, version: `used by ${channel}` })
    const id = await create(channel, { language_id: used.id })
    await admin.delete(`/v1/languages/${used.id}`)
    expect(await poll('user', id, service.judge)).toMatchObject({ status: 'PENDING', language: used })
    await patch(id, { status: 'ACCEPTED' })
    expect(await poll(channel, id)).toMatchObject({ status: 'ACCEPTED' })
    for (const language_id of [used.id, NOBODY])
      await expectRefused(channel, { language_id }, notFound('language'))
  })

  it('accepts an empty input, and stores program and input unchanged', async () => {
    const empty = await create(channel, { stdin: '' })
    expect(await poll('user', empty, service.judge)).toMatchObject({ stdin: '' })
    const text = '\t\r\n\u0001é🙂\u2028"\\'
    const id = await create(channel, { stdin: text, source_code: text })
    expect(await poll('user', id, service.judge)).toMatchObject({ stdin: text, source_code: text })
  })
})

describe('a run on the user route', () => {
  it('is shown to every user', async () => {
    expect(await poll('user', await create('user'), stranger)).toEqual(pending)
  })

  it('belongs to its caller, or to nobody if a judge creates it, and to another user only if an admin says so (403, 404)', async () => {
    for (const fields of [{}, { user_id: user.id.toUpperCase() }, { user_id: null }])
      expect(await ownerOf(await create('user', fields))).toBe(user.id)
    expect(await ownerOf(await create('user', {}, service.judge))).toBeNull()
    for (const caller of [user, service.judge])
      await expectRefused('user', { user_id: stranger.id }, forbidden, caller)
    expect(await ownerOf(await create('user', { user_id: stranger.id }, admin))).toBe(stranger.id)
    for (const user_id of [NOBODY, NIL_UUID])
      await expectRefused('user', { user_id }, notFound('user'), admin)
  })
})

it.each(['public', 'bench'] as const)('a %s run has no owner with any user_id or token', async (channel) => {
  for (const user_id of [user.id, NOBODY, 'nonsense', 12, null, { a: ['b'] }, '\0'])
    expect(await ownerOf(await create(channel, { user_id }))).toBeNull()
  expect(await ownerOf(await create(channel, {}, service.as('no token at all')))).toBeNull()
})

it('the size of a run has limits in bytes: 256 KiB of program (400), and the configured body (413)', async () => {
  const source_code = `${'€'.repeat(87_381)}a`
  await create('public', { source_code })
  await create('public', { stdin: '€'.repeat(300_000) })
  const tooLong = refusal(400, '400', 'source_code must have at most 262144 bytes')
  await expectRefused('public', { source_code: `${source_code}b` }, tooLong)
  await expectRefused('public', { stdin: 'a'.repeat(1_048_577) }, refusal(413, 'PAYLOAD_TOO_LARGE'))
})

describe('the verdict of a run', () => {
  it('needs a final status; a refusal changes nothing (400) [PATCH /v1/input_submissions/{submission_id}]', async () => {
    const id = await create('user')
    const wrongStatus = refusal(400, '400', expect.stringMatching(/^status must be one of ACCEPTED, /))
    for (const status of ['PENDING', 'DONE', 'accepted', null]) await patch(id, { status }, wrongStatus)
    await patch(id, {}, refusal(400, '400', 'status is required'))
    for (const wrong of [{ stdout: 1 }, { stderr: [] }, { runtime: '1' }, { runtime: -1 }])
      await patch(id, { status: 'ACCEPTED', ...wrong }, invalidField(Object.keys(wrong).join()))
    expect(await poll('user', id)).toEqual(pending)
  })

  it('is accepted from admins too, replaces an earlier one completely, and is never refused for its output (D7)', async () => {
    const id = await create('user')
    for (const status of ['TIME_LIMIT_EXCEEDED', 'COMPILE_TIME_ERROR', 'ACCEPTED']) {
      await patch(id, { status }, 204, admin)
      expect(await poll('user', id)).toMatchObject({ status, finished: true })
    }
    await patch(id, { status: 'ACCEPTED', stdout: 'a\0\u0001\uD800', stderr: '\uDC00é', runtime: 3 })
    expect(await poll('user', id)).toMatchObject({ stdout: 'a\uFFFD\u0001\uFFFD', stderr: '\uFFFDé' })
    await patch(id, { status: 'ACCEPTED', stdout: null, stderr: null, runtime: null })
    const replaced = { status: 'ACCEPTED', finished: true, stdout: '', stderr: '', runtime: 0 }
    expect(await poll('user', id)).toEqual(replaced)
  })

  it('is refused for the id of a submission, and a submission’s for the id of a run (404)', async () => {
    const run = await create('user')
    const submission = await judging.submit(user)
    await service.judge.patch(`/v1/submissions/${run}`, { status: 'ACCEPTED' }, notFound('submission'))
    await patch(submission, { status: 'ACCEPTED' }, notFound('run'))
    await poll('user', submission, user, notFound('run'))
  })
})
