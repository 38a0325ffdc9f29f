import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { TestResponse } from '../support/app.ts'
import { NOBODY, UUID } from '../support/ids.ts'
import { countRows, messagesFor, serviceWithProblem } from '../support/judging.ts'

const judging = await serviceWithProblem()

type Channel = 'user' | 'public' | 'bench'
const CHANNELS: Channel[] = ['user', 'public', 'bench']
const pathOf = (channel: Channel) => `/v1/${channel === 'user' ? '' : `${channel}/`}input_submissions`

const program = (changes: Record<string, unknown> = {}) => ({
  language_id: judging.language.id,
  source_code: 'print(input())',
  stdin: '4 2\n',
  ...changes,
})

/** Posts a run through a channel; the anonymous ones carry no token. */
function post(channel: Channel, body: unknown, token = judging.user.token): Promise<TestResponse> {
  const credential = channel === 'user' ? { token } : {}
  return judging.service.send({ method: 'POST', url: pathOf(channel), body, ...credential })
}

async function create(channel: Channel, changes = {}, token = judging.user.token): Promise<string> {
  const answer = await post(channel, program(changes), token)
  expect(answer.status, answer.text).toBe(201)
  return answer.text
}

function poll(channel: Channel, id: string, token = judging.user.token): Promise<TestResponse> {
  const credential = channel === 'user' ? { token } : {}
  return judging.service.send({ method: 'GET', url: `${pathOf(channel)}/${id}`, ...credential })
}

const patch = (id: string, body: unknown, token = judging.service.judgeToken) =>
  judging.service.send({ method: 'PATCH', url: `/v1/input_submissions/${id}`, token, body })

async function ownerOf(id: string): Promise<string | null | undefined> {
  const read = unprepared<{ user_id: string | null }>('select runs.user_id from runs where runs.id = $1')
  const [row] = await judging.service.database.query(read, [id])
  return row?.user_id
}

/** Posts it and makes sure that a refusal has left nothing behind. */
async function refused(channel: Channel, body: unknown, token?: string): Promise<TestResponse> {
  const before = await countRows(judging.service)
  const answer = await post(channel, body, token)
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expect(await countRows(judging.service)).toEqual(before)
  return answer
}

describe.each(CHANNELS)('a run through the %s route', (channel) => {
  it('is answered with its bare id as text, and not as JSON (201) [POST /v1/input_submissions] [POST /v1/public/input_submissions] [POST /v1/bench/input_submissions] [State: run created]', async () => {
    const answer = await post(channel, program())
    expect(answer.status).toBe(201)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.text).toMatch(UUID)
  })

  it('has its message of kind input written with it, and the relay told once [State: run created] [Event: queue message]', async () => {
    const before = await countRows(judging.service)
    const id = await create(channel)
    expect(await messagesFor(judging.service, id)).toEqual([{ kind: 'input', judging: 1 }])
    expect(await countRows(judging.service)).toEqual({
      submissions: before.submissions,
      runs: (before.runs ?? 0) + 1,
      messages: (before.messages ?? 0) + 1,
      wakes: before.wakes + 1,
    })
  })

  it('polls as PENDING and unfinished, and nothing else, until it is judged [GET /v1/input_submissions/{id}] [GET /v1/public/input_submissions/{id}] [GET /v1/bench/input_submissions/{id}]', async () => {
    const id = await create(channel)
    const answer = await poll(channel, id)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual({ status: 'PENDING', finished: false })
  })

  it('polls as finished with its outputs once it is judged, also by an id in upper case [State: run finished] [Fields: InputSubmission]', async () => {
    const id = await create(channel)
    const verdict = { status: 'ACCEPTED', stdout: '4 2\n', stderr: 'done', runtime: 0.25 }
    expect(await patch(id, verdict)).toMatchObject({ status: 204, text: '' })
    expect((await poll(channel, id)).body).toEqual({ ...verdict, finished: true })
    expect((await poll(channel, id.toUpperCase())).body).toEqual({ ...verdict, finished: true })
  })

  it('is 404 through the routes of the other two', async () => {
    const id = await create(channel)
    for (const other of CHANNELS.filter((candidate) => candidate !== channel)) {
      const answer = await poll(other, id)
      expect(answer, other).toMatchObject({ status: 404, body: { error: 'There is no such run' } })
    }
  })

  it('shows judges and admins the program too, before and after', async () => {
    const { service, admin } = judging
    const { language_id, source_code, stdin } = program()
    const id = await create(channel)
    const shown = { id, language_id, source_code, stdin, judging: 1, attempt: 1 }
    for (const token of [service.judgeToken, admin.token]) {
      expect((await poll('user', id, token)).body).toEqual({ status: 'PENDING', finished: false, ...shown })
    }
    await patch(id, { status: 'RUNTIME_ERROR' })
    const outputs = { stdout: '', stderr: '', runtime: 0 }
    for (const token of [service.judgeToken, admin.token]) {
      const { body } = await poll('user', id, token)
      expect(body).toEqual({ status: 'RUNTIME_ERROR', finished: true, ...outputs, ...shown })
    }
  })

  it('is refused for a language that there is not, or no more (404)', async () => {
    const { service, admin, language } = judging
    const body = { ...language, version: `retired from ${channel}` }
    const made = await service.send({ method: 'POST', url: '/v1/languages', token: admin.token, body })
    await service.send({ method: 'DELETE', url: `/v1/languages/${made.body.id}`, token: admin.token })
    for (const language_id of [NOBODY, made.body.id]) {
      const answer = await refused(channel, program({ language_id }))
      expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such language' } })
    }
  })

  it('may have an empty input, and keeps program and input to the character', async () => {
    await create(channel, { stdin: '' })
    const text = '\t\r\n\u0001é🙂\u2028"\\'
    const id = await create(channel, { stdin: text, source_code: text })
    const shown = await poll('user', id, judging.service.judgeToken)
    expect(shown.body).toMatchObject({ stdin: text, source_code: text })
  })

  it('is 404 for an unknown id and 400 for what is no UUID', async () => {
    expect(await poll(channel, NOBODY)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await poll(channel, '12')).toMatchObject({ status: 400, body: { error: 'id must be a UUID' } })
  })
})

describe('a run through the user route', () => {
  it('is polled by any user, not by its owner alone, and never without a token (401)', async () => {
    const { service, stranger } = judging
    const id = await create('user')
    expect((await poll('user', id, stranger.token)).body).toEqual({ status: 'PENDING', finished: false })
    const answer = await service.send({ method: 'GET', url: `${pathOf('user')}/${id}` })
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  })
})

describe('the owner of a run through the user route', () => {
  it('is the caller, named or not', async () => {
    const { user } = judging
    expect(await ownerOf(await create('user'))).toBe(user.id)
    expect(await ownerOf(await create('user', { user_id: user.id.toUpperCase() }))).toBe(user.id)
    expect(await ownerOf(await create('user', { user_id: null }))).toBe(user.id)
  })

  it('may be another only for admins (403), and must exist (404)', async () => {
    const { admin, user, stranger, service } = judging
    for (const token of [user.token, service.judgeToken]) {
      const answer = await refused('user', program({ user_id: stranger.id }), token)
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    expect(await ownerOf(await create('user', { user_id: stranger.id }, admin.token))).toBe(stranger.id)
    for (const user_id of [NOBODY, NIL_UUID]) {
      const answer = await refused('user', program({ user_id }), admin.token)
      expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such user' } })
    }
  })

  it('is nobody where a judge tries a program', async () => {
    expect(await ownerOf(await create('user', {}, judging.service.judgeToken))).toBeNull()
  })
})

describe.each(['public', 'bench'] as const)('the owner of a run through the %s route', (channel) => {
  it('is nobody: user_id is ignored whatever it is, and so is a token', async () => {
    for (const user_id of [judging.user.id, NOBODY, 'nonsense', 12, null, { a: ['b'] }, '\0']) {
      expect(await ownerOf(await create(channel, { user_id }))).toBeNull()
    }
    const answer = await judging.service.send({
      method: 'POST',
      url: pathOf(channel),
      token: 'no token at all',
      body: program(),
    })
    expect(answer.status).toBe(201)
    expect(await ownerOf(answer.text)).toBeNull()
  })
})

describe('the sizes of a run', () => {
  it('are counted in bytes: 256 KiB of program, and as much input as is configured (400)', async () => {
    const fitting = `${'€'.repeat(87_381)}a`
    await create('public', { source_code: fitting })
    expect(await refused('public', program({ source_code: `${fitting}b` }))).toMatchObject({
      status: 400,
      body: { error: 'source_code must have at most 262144 bytes' },
    })
    await create('public', { stdin: '€'.repeat(300_000) })
    const large = await refused('public', program({ stdin: 'a'.repeat(1_048_577) }))
    expect(large).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
  })
})

describe('the outcome of a run', () => {
  it('is refused to users, and changes nothing (403)', async () => {
    const id = await create('user')
    expect(await patch(id, { status: 'ACCEPTED' }, judging.user.token)).toMatchObject({ status: 403 })
    expect((await poll('user', id)).body).toEqual({ status: 'PENDING', finished: false })
  })

  it('may be any status of a verdict but PENDING (400), and is needed [PATCH /v1/input_submissions/{submission_id}]', async () => {
    const id = await create('user')
    for (const status of ['PENDING', 'DONE', 'accepted', null]) {
      const answer = await patch(id, { status })
      expect(answer).toMatchObject({ status: 400 })
      expect(answer.body.error).toMatch(/^status must be one of ACCEPTED, /)
    }
    expect(await patch(id, {})).toMatchObject({ status: 400, body: { error: 'status is required' } })
    for (const wrong of [{ stdout: 1 }, { stderr: [] }, { runtime: '1' }, { runtime: -1 }]) {
      expect(await patch(id, { status: 'ACCEPTED', ...wrong })).toMatchObject({ status: 400 })
    }
    expect((await poll('user', id)).body).toEqual({ status: 'PENDING', finished: false })
    for (const status of ['TIME_LIMIT_EXCEEDED', 'COMPILE_TIME_ERROR', 'ACCEPTED']) {
      expect((await patch(id, { status }, judging.admin.token)).status).toBe(204)
      expect((await poll('user', id)).body).toMatchObject({ status, finished: true })
    }
  })

  it('replaces an earlier one whole', async () => {
    const id = await create('user')
    await patch(id, { status: 'RUNTIME_ERROR', stdout: 'a', stderr: 'b', runtime: 3 })
    await patch(id, { status: 'ACCEPTED', stdout: null, stderr: null, runtime: null })
    const { body } = await poll('user', id)
    expect(body).toEqual({ status: 'ACCEPTED', finished: true, stdout: '', stderr: '', runtime: 0 })
  })

  it('is never refused for what a program printed: what cannot be stored is U+FFFD (D7)', async () => {
    const id = await create('user')
    await patch(id, { status: 'ACCEPTED', stdout: 'a\0\u0001\uD800', stderr: '\uDC00é' })
    expect((await poll('user', id)).body).toMatchObject({ stdout: 'a\uFFFD\u0001\uFFFD', stderr: '\uFFFDé' })
  })

  it('is 404 for an unknown run, 400 for what is no UUID', async () => {
    expect(await patch(NOBODY, { status: 'ACCEPTED' })).toMatchObject({ status: 404 })
    expect(await patch('x', { status: 'ACCEPTED' })).toMatchObject({ status: 400 })
  })

  it('is not mixed up with a submission: neither route knows the other’s ids (404)', async () => {
    const run = await create('user')
    const submission = await judging.submit(judging.user)
    expect(await judging.patch(run, { status: 'ACCEPTED' })).toMatchObject({ status: 404 })
    expect(await patch(submission, { status: 'ACCEPTED' })).toMatchObject({ status: 404 })
    expect(await poll('user', submission)).toMatchObject({ status: 404 })
  })
})
