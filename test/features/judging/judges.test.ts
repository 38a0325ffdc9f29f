import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { createJudgeReport } from '../../../src/features/judging/judges/failed-judge.ts'
import { deleteOldJudges, disconnectSilentJudges } from '../../../src/features/judging/judges/sql.ts'
import { INSTANT } from '../../support/contests.ts'
import { NOBODY } from '../../support/ids.ts'
import { serviceWithProblem, submissionBody } from '../../support/judging.ts'
import { nextMillisecond } from '../../support/moments.ts'
import { invalidField } from '../../support/refusals.ts'

const judging = await serviceWithProblem()
const { service, admin, user, problem, language, submit, giveVerdict } = judging
const { database, judge, anonymous } = service

const python = { name: 'Python', version: '3.12', aliases: ['py', 'Python 3'] }
const small = { languages: [python], concurrency: 2 }

const register = (worker: string, body: object = small) => judge.put(`/v1/judges/${worker}`, body, 204)
const stop = (worker: string, body: object = small) => register(worker, { ...body, stopped: true })
const find = async (worker: string) =>
  (await admin.get('/v1/judges')).find((one: { name: string }) => one.name === worker)
const empty = () => database.query(unprepared('delete from judges'))
const setSilent = (worker: string, time: string) =>
  database.query(
    unprepared(`update judges
      set last_seen_at = now() - $2::interval, started_at = started_at - $2::interval
      where name = $1`),
    [worker, time],
  )

describe('a worker that registers', () => {
  it('is listed with its languages, its work and its times', async () => {
    const id = await submit(user)
    const program = { ...submissionBody(user, problem, language), stdin: '' }
    const run = await user.post('/v1/input_submissions', program)
    const ids = [id, run, (await admin.post('/v1/admin/shadow_judgings', { submission_id: id })).id]
    const begun = ids.map((one, place) => ({ id: one, seconds: 30 - place }))
    const body = { ...small, version: '1.2.3', judging: [...begun, { id: NOBODY, seconds: 1 }] }
    await register('judge%201', body)
    const listed = await find('judge 1')
    expect(listed).toEqual({
      ...{ name: 'judge 1', version: '1.2.3', connected: true, concurrency: 2 },
      languages: [{ name: 'Python', version: '3.12' }],
      judging: ['submission', 'run', 'shadow'].map((kind, place) => ({
        ...{ kind, id: ids[place], since: expect.stringMatching(INSTANT) },
      })),
      first_seen_at: expect.stringMatching(INSTANT),
      ...{ started_at: listed.first_seen_at, last_seen_at: listed.first_seen_at },
    })
    expect(Date.parse(listed.last_seen_at) - Date.parse(listed.judging[0].since)).toBeCloseTo(30_000, -1)
  })

  it('has names and versions by the rule for names (400) (D11)', async () => {
    await judge.put('/v1/judges/a%E2%80%8Bb', small, invalidField('judge_name'))
    for (const wrong of [
      { languages: [{ ...python, name: 'Py\u202Ethon' }] },
      { languages: [{ ...python, version: '3\u001B[2J' }] },
      { languages: [{ ...python, aliases: ['p\u200By'] }] },
      { version: '1\n2' },
    ])
      await judge.put('/v1/judges/named', { ...small, ...wrong }, 400)
    await register('%20Zoe%CC%88%20', { ...small, version: '' })
    expect(await find('Zo\u00EB')).toMatchObject({ version: '' })
    await createJudgeReport(database, pino({ enabled: false }))('a\u202Eb', 'no bwrap')
    expect(await find('a\uFFFDb')).toMatchObject({ failure: 'no bwrap' })
    await empty()
  })

  it('has the reason why it could not start, until it registers', async () => {
    const report = createJudgeReport(database, pino({ enabled: false }))
    // An error message may contain what a program wrote.
    await report('fails', 'no bwrap\0\ud800')
    expect(await find('fails')).toMatchObject({
      ...{ connected: false, concurrency: 0, languages: [], judging: [] },
      failure: 'no bwrap\ufffd\ufffd',
    })
    await register('fails')
    expect(await find('fails')).not.toHaveProperty('failure')
    await report('fails', 'it crashed')
    expect(await find('fails')).toMatchObject({ connected: true, concurrency: 2, failure: 'it crashed' })
  })

  it('no longer judges what has a verdict', async () => {
    const id = await submit(user)
    await register('busy', { ...small, judging: [{ id, seconds: 0 }] })
    expect(await find('busy')).toMatchObject({ judging: [{ kind: 'submission', id }] })
    await giveVerdict(id, 'ACCEPTED')
    expect(await find('busy')).toMatchObject({ judging: [] })
  })

  it('keeps its start while it repeats the request, which replaces what it said, until it starts again', async () => {
    await register('repeats')
    await setSilent('repeats', '20 seconds')
    const before = await find('repeats')
    await register('repeats', { languages: [], concurrency: 5 })
    const { last_seen_at, ...after } = await find('repeats')
    expect(after).toMatchObject({ started_at: before.started_at, concurrency: 5, languages: [] })
    expect(Date.parse(last_seen_at)).toBeGreaterThan(Date.parse(before.last_seen_at))
    await nextMillisecond()
    await register('repeats', { ...small, started: true })
    const { first_seen_at, started_at } = await find('repeats')
    expect(first_seen_at).toBe(before.first_seen_at)
    expect(Date.parse(started_at)).toBeGreaterThan(Date.parse(before.started_at))
  })

  it('is not connected after its stop, and judges nothing; its next start is a new one', async () => {
    const body = { ...small, judging: [{ id: await submit(user), seconds: 1 }] }
    await register('stops', body)
    await setSilent('stops', '20 seconds')
    const before = await find('stops')
    await stop('stops', body)
    const { started_at } = before
    expect(await find('stops')).toMatchObject({ connected: false, judging: [], started_at })
    await nextMillisecond()
    await register('stops')
    const after = await find('stops')
    expect(after).toMatchObject({ connected: true, first_seen_at: before.first_seen_at })
    expect(Date.parse(after.started_at)).toBeGreaterThan(Date.parse(before.started_at))
  })

  it('is not connected after a minute of silence, and is forgotten after seven days', async () => {
    for (const [worker, silence] of [
      ['present', '50 seconds'],
      ['silent', '61 seconds'],
      ['old', '8 days'],
    ] as const) {
      await register(worker)
      await setSilent(worker, silence)
    }
    await database.query(disconnectSilentJudges)
    expect([(await find('present')).connected, (await find('silent')).connected]).toEqual([true, false])
    await database.query(deleteOldJudges)
    expect([(await find('silent'))?.name, await find('old')]).toEqual(['silent', undefined])
  })
})

describe('a listed language', () => {
  const listed = () => anonymous.send('GET', '/v1/languages')
  const availableOf = async (name: string) =>
    (await listed()).body.find((one: { name: string }) => one.name === name)?.available
  const tagOf = async () => (await listed()).headers.etag

  it('has exactly the fields of the specification without a connected worker (D40)', async () => {
    await empty()
    const { body } = await listed()
    for (const one of body) expect(Object.keys(one)).toEqual(['id', 'name', 'extension', 'version'])
  })

  it('is available while a connected worker has it, by its name or an alias', async () => {
    await empty()
    await admin.post('/v1/languages', { name: 'PY', extension: 'py', version: 'alias' }, 201)
    await register('a')
    for (const name of ['Python', 'PY']) expect(await availableOf(name)).toBe(true)
    expect(await availableOf('C++')).toBe(false)
    await register('b', { ...small, languages: [] })
    await stop('a')
    expect([await availableOf('Python'), await availableOf('PY')]).toEqual([false, false])
    await register('a')
    await setSilent('a', '2 minutes')
    await database.query(disconnectSilentJudges)
    expect(await availableOf('Python')).toBe(false)
    await stop('b')
    expect(await availableOf('Python')).toBe(undefined)
  })

  it('keeps the entity tag of the list until the set of available languages changes', async () => {
    await empty()
    await register('a')
    const before = await tagOf()
    await register('a', { ...small, concurrency: 9, judging: [{ id: NOBODY, seconds: 1 }] })
    await register('b')
    await stop('a')
    expect(await tagOf()).toBe(before)
    await stop('b')
    expect(await tagOf()).not.toBe(before)
  })

  it('stays available when one worker stops while another starts', async () => {
    await empty()
    for (let n = 0; n < 8; n += 1) {
      await register('leaving')
      await Promise.all([stop('leaving'), register('coming')])
      expect(await availableOf('Python')).toBe(true)
      await Promise.all([register('leaving'), stop('coming')])
      expect(await availableOf('Python')).toBe(true)
    }
  })
})
