import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Person } from '../../support/app.ts'
import type { Expected } from '../../support/caller.ts'
import { contestUrl, refused, registerWithPassword, zipped } from '../../support/contest-api.ts'
import { createInvitedContest, over, scheduled, serviceWithContests } from '../../support/contests.ts'
import { NOBODY } from '../../support/ids.ts'
import { countRows, messagesFor, submissionBody } from '../../support/judging.ts'
import { writeRawZip, writeZip64Sizes } from '../../support/raw-zip.ts'

const contests = await serviceWithContests({ SOURCE_CODE_LIMIT_BYTES: '2000' })
const { service, admin, user, stranger, problem, language, createEvent } = contests
const hidden = await contests.createProblem({ public: false })
const elsewhere = await contests.createProblem()

const problems = [{ problem_id: problem.id }, { problem_id: hidden.id, hidden: true }]
const createContest = (fields: object = {}) => createEvent({ problems, ...fields })
const eventId = await createContest()
const participant = await contests.createParticipant(eventId)

const program = 'print("é")\n'
const files = await zipped(['main.py', program])
const body = (fields: object = {}) => ({
  ...{ problem_id: `${problem.id}`, language_id: language.id, files, ...fields },
})
const urlOf = (id: number) => `${contestUrl(id)}/submissions`

async function expectRefused(by: Person, fields: object, expected: Expected, id = eventId) {
  const before = await countRows(service)
  await by.post(urlOf(id), body(fields), expected)
  expect(await countRows(service)).toEqual(before)
}

describe('a submission over the Contest API (D24, P26)', () => {
  it('is stored and queued like ours, and the response is the object that GET shows', async () => {
    const { wakes } = await countRows(service)
    const sent = body({ entry_point: 'main.py', reaction: [{}] })
    const response = await participant.send('POST', urlOf(eventId), sent)
    expect(response.status, response.text).toBe(201)
    const { id } = response.body
    expect(response.headers.location).toBe(`${urlOf(eventId)}/${id}`)
    expect(response.body).toEqual(await participant.get(`${urlOf(eventId)}/${id}`))
    expect(response.body).toMatchObject({
      ...{ problem_id: `${problem.id}`, language_id: language.id, team_id: participant.id },
      ...{ account_id: participant.id, contest_time: expect.stringMatching(/^1:00:/) },
    })
    const stored = { source_code: program, event_id: eventId, status: 'PENDING' }
    expect(await contests.readRecord(id)).toMatchObject(stored)
    expect(await messagesFor(service, id)).toEqual([{ kind: 'submission', judging: 1 }])
    expect((await countRows(service)).wakes).toBe(wakes + 1)
  })

  it('may name the caller’s own team and account, and no others (403)', async () => {
    const own = { team_id: participant.id, account_id: participant.id }
    const none = { team_id: null, account_id: null, id: null, time: null }
    for (const fields of [own, none]) await participant.post(urlOf(eventId), body(fields), 201)
    for (const other of [{ team_id: user.id }, { team_id: '' }, { account_id: user.id }])
      await expectRefused(participant, other, refused(403, expect.stringMatching(/must be the caller’s own/)))
    await expectRefused(admin, { team_id: participant.id }, refused(403))
  })

  it('counts for the team of the caller in a contest with teams', async () => {
    const id = await createContest({ teams: true })
    const { team_id } = await user.post(`/v1/events/${id}/teams`, { name: 'Owls' }, 201)
    expect(await user.post(urlOf(id), body({ team_id }), 201)).toMatchObject({ team_id, account_id: user.id })
    await expectRefused(user, { team_id: user.id }, refused(403), id)
    await contests.register(stranger, id)
    await expectRefused(stranger, { team_id }, refused(403), id)
    expect(await stranger.post(urlOf(id), body(), 201)).not.toHaveProperty('team_id')
  })

  it('has neither an id nor a time of its own (400), and names a problem of the contest (404, 400) and a language (404)', async () => {
    for (const name of ['id', 'time', 'contest_time']) {
      const absent = refused(400, `${name} must be absent: the service sets it`)
      for (const value of ['1', 1]) await expectRefused(participant, { [name]: value }, absent)
    }
    for (const problem_id of ['2000000', '999999999', 'x', hidden.id.toString()])
      await expectRefused(participant, { problem_id }, refused(404, 'There is no such problem'))
    await expectRefused(participant, { problem_id: `${elsewhere.id}` }, refused(400))
    await expectRefused(participant, { language_id: NOBODY }, refused(404, 'There is no such language'))
    const malformed = [{ problem_id: problem.id }, { problem_id: null }, { language_id: 'python' }]
    for (const fields of malformed) await expectRefused(participant, fields, refused(400))
    await expectRefused(participant, {}, refused(404), 2_000_000_000)
  })

  it('has a language of the contest where the contest enforces them (400), and is refused before the start and after the end, without extra time (403)', async () => {
    const [, other] = await service.anonymous.get('/v1/languages')
    const id = await createContest({ enforce_languages: true, languages: [other.id] })
    await expectRefused(user, {}, refused(400, expect.stringMatching(/^The event does not allow/)), id)
    await user.post(urlOf(id), body({ language_id: other.id }), 201)
    const [coming, ended] = [await createContest(scheduled()), await createContest(over())]
    for (const early of [coming, ended])
      await expectRefused(user, {}, refused(403, 'The event is not running'), early)
    await admin.put(`/v1/events/${ended}/participants/${user.id}`, { extra_minutes: 120 }, 200)
    await user.post(urlOf(ended), body(), 201)
  })

  it('is refused for outsiders of an invited contest and removed participants (403)', async () => {
    const { id, outsider, insider, manager } = await createInvitedContest(contests)
    const message = expect.stringMatching(/^You do not take part/)
    await expectRefused(outsider, {}, refused(403, message), id)
    await insider.post(urlOf(id), body(), 201)
    await manager.delete(`/v1/events/${id}/participants/${insider.id}`)
    await expectRefused(insider, {}, refused(403, message), id)
  })

  it('is refused for judges (403), and accepted with HTTP Basic', async () => {
    await service.judge.post(urlOf(eventId), body(), refused(403))
    const basic = service.as(await registerWithPassword(contests, 'submitter'))
    await basic.post(urlOf(eventId), body(), 201)
    await basic.post('/v1/submissions', submissionBody(user, problem, language), 401)
  })
})

describe('a repeated submission over the Contest API (P7)', () => {
  const sendWith = (key: string, id: number, fields: object = {}, by: Person = participant) =>
    by.send('POST', urlOf(id), body(fields), { 'idempotency-key': key })

  it('is stored once with its Idempotency-Key, and gets the same response; with another body or for another contest 409', async () => {
    const key = randomUUID()
    const before = await countRows(service)
    const responses = await Promise.all([1, 2, 3].map(() => sendWith(key, eventId)))
    const { text = '', headers = {} } = responses[0] ?? {}
    for (const response of responses) {
      expect(response).toMatchObject({ status: 201, text })
      expect(response.headers.location).toBe(headers.location)
    }
    expect((await countRows(service)).submissions).toBe((before.submissions ?? 0) + 1)
    const other = await createContest()
    await contests.register(participant, other)
    expect(await sendWith(key, eventId)).toMatchObject({ status: 201 })
    expect(await sendWith(key, other)).toMatchObject(refused(409))
    expect(await sendWith(key, eventId, { files: await zipped(['b', '2']) })).toMatchObject(refused(409))
  })
})

it('shares the rate of submissions with POST /v1/submissions, in both directions (429)', async () => {
  const limited = await serviceWithContests({ RATE_LIMIT_SUBMISSIONS: '1/3', RATE_LIMIT_WRITES: '1/4' })
  const id = await limited.createEvent({ problems: [{ problem_id: limited.problem.id }] })
  const own = submissionBody(limited.user, limited.problem, limited.language)
  const theirs = { problem_id: `${limited.problem.id}`, language_id: limited.language.id, files }
  await limited.user.post('/v1/submissions', own, 201)
  await limited.user.post(urlOf(id), theirs, 201)
  await limited.user.post('/v1/submissions', own, 201)
  await limited.user.post(urlOf(id), theirs, refused(429))
  await limited.user.post('/v1/submissions', own, 429)
  await limited.stranger.post(urlOf(id), theirs, 201)
  // Questions take from the bucket of all writes.
  const ask = () => limited.user.send('POST', `/v1/events/${id}/questions`, { question: 'Why?' })
  const clarify = () => limited.user.send('POST', `${contestUrl(id)}/clarifications`, { text: 'Why?' })
  for (const send of [ask, clarify, ask, clarify]) expect(await send()).toMatchObject({ status: 201 })
  expect(await clarify()).toMatchObject(refused(429))
  expect(await ask()).toMatchObject({ status: 429 })
})

const base64 = (bytes: Buffer) => [{ data: bytes.toString('base64') }]

async function submitFiles(sent: unknown): Promise<string> {
  const { id } = await participant.post(urlOf(eventId), body({ files: sent }), 201)
  return (await contests.readRecord(id)).source_code
}

const expectInvalid = (sent: unknown, message: RegExp) =>
  expectRefused(participant, { files: sent }, refused(400, expect.stringMatching(message)))

describe('the files of a submission over the Contest API (P26)', () => {
  it('are one zip with exactly one file (400)', async () => {
    const twice = [...files, ...files]
    for (const sent of [undefined, null, [], {}, 'x', twice, [{}], [{ data: 1 }], [{ data: '' }]])
      await expectInvalid(sent, /^files/)
    await expectInvalid([{ data: 'not base64!' }], /data must be Base64/)
    await expectInvalid([{ ...files[0], mime: 'application/x-tar' }], /mime/)
    await expectInvalid([{ data: 'AAAA' }], /data must be a complete zip file/)
    await expectInvalid(await zipped(), /exactly one file.*it has 0/)
    await expectInvalid(await zipped(['a.py', '1'], ['b.py', '2']), /exactly one file.*it has 2/)
    const many = Array.from({ length: 500 }, (_, index): [string, string] => [`${index}/a`, '1'])
    await expectInvalid(await zipped(...many), /it has 500/)
  })

  it('are a program in UTF-8, not empty, within the limit (400), in any folder with any name; metadata of macOS is ignored', async () => {
    const zip = writeRawZip([
      { name: 'src/', content: '' },
      { name: Buffer.from([0xe9, 0x2f, 0xe9]), content: program, method: 8 },
      { name: '__MACOSX/._a.py', content: 'x' },
    ])
    expect(await submitFiles(base64(zip))).toBe(program)
    const named = [{ ...files[0], mime: 'application/zip', filename: 'files.zip', href: 'x' }]
    expect(await submitFiles(named)).toBe(program)
    expect(await submitFiles(await zipped(['a', 'é'.repeat(1000)]))).toHaveLength(1000)
    await expectInvalid(await zipped(['a', `${'é'.repeat(1000)}a`]), /at most 2000 bytes/)
    await expectInvalid(await zipped(['a', '']), /must not be empty/)
    for (const content of [Buffer.from([0xe9]), 'a\0b', Buffer.from('\ud800', 'utf16le')])
      await expectInvalid(await zipped(['a', content]), /UTF-8 without U\+0000/)
  })

  it('unpack at most the limit, also if the zip declares a smaller size, and are not damaged, encrypted, or compressed in other ways (400)', async () => {
    const bomb = Buffer.alloc(10_000_000)
    await expectInvalid(await zipped(['a', bomb]), /at most 2000 bytes/)
    const entry = { name: 'a', content: bomb, method: 8 }
    const zip64 = { bytes: 0xffffffff, compressedBytes: 0xffffffff, extra: writeZip64Sizes(1n << 60n, 10n) }
    for (const lie of [{ bytes: 5 }, { bytes: 0 }, { bytes: 2000 }])
      await expectInvalid(base64(writeRawZip([{ ...entry, ...lie }])), /damaged/)
    await expectInvalid(base64(writeRawZip([{ name: 'a', content: 'a', ...zip64 }])), /files/)
    const right = { name: 'a.py', content: program, method: 8 }
    for (const [wrong, message] of [
      [{ crc: 1 }, /damaged/],
      [{ data: Buffer.from('nonsense!') }, /damaged/],
      [{ offset: 60_000 }, /damaged/],
      [{ flags: 1 }, /encrypted|damaged/],
      [{ method: 12 }, /deflate/],
    ] as const)
      await expectInvalid(base64(writeRawZip([{ ...right, ...wrong }])), message)
    await expectInvalid(base64(writeRawZip([right], { entries: 3 })), /damaged/)
  })
})
