import { beforeEach, describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { forgetOldRuns } from '../../../src/features/judging/runs/upkeep.ts'
import type { Caller } from '../../support/caller.ts'
import { messagesFor, serviceWithProblem } from '../../support/judging.ts'
import { notFound, refusal } from '../../support/refusals.ts'

const PER_ADDRESS = 3
const PER_USER = 10
const judging = await serviceWithProblem({
  TRUSTED_PROXY: 'true',
  RUNS_UNFINISHED_PER_ADDRESS: String(PER_ADDRESS),
  RUNS_UNFINISHED_PER_USER: String(PER_USER),
})
const { service, admin, user, stranger, language } = judging
const { anonymous, judge, database } = service

const [own, open, bench] = ['', 'public/', 'bench/'].map((kind) => `/v1/${kind}input_submissions`)
const program = { language_id: language.id, source_code: 'print(1)', stdin: '' }
type Headers = Record<string, string>

const post = (url = '', caller: Caller = anonymous, headers: Headers = {}, fields: object = {}) =>
  caller.send('POST', url, { ...program, ...fields }, headers)
const from = (address: string, url = open) => post(url, anonymous, { 'x-forwarded-for': address })
const finish = (id: string) => judge.patch(`${own}/${id}`, { status: 'ACCEPTED' }, 204)

async function createAll(count: number, create: () => ReturnType<typeof post>): Promise<string[]> {
  const responses = await Promise.all(Array.from({ length: count }, create))
  expect(responses.map(({ status }) => status)).toEqual(Array(count).fill(201))
  return responses.map(({ text }) => text)
}

const refused = {
  ...refusal(429, 'RATE_LIMIT_EXCEEDED', expect.stringMatching(/^\d+ runs of .+ are still unfinished; /)),
  headers: expect.objectContaining({ 'retry-after': '60' }),
}

beforeEach(async () => void (await database.query(unprepared('delete from runs'))))

describe('unfinished runs', () => {
  it('are at most 3 of one address, public and bench together (429), until the first verdict on one', async () => {
    const [first = ''] = await createAll(2, () => post(open))
    await createAll(1, () => post(bench))
    for (const url of [open, bench, open]) expect(await post(url)).toMatchObject(refused)
    // Later verdicts free no other place.
    for (const status of ['RUNTIME_ERROR', 'ACCEPTED']) await judge.patch(`${own}/${first}`, { status }, 204)
    expect(await post(bench)).toMatchObject({ status: 201 })
    expect(await post(open)).toMatchObject(refused)
  })

  it('are counted by network: an IPv4 address, or the /64 of an IPv6 address', async () => {
    await createAll(PER_ADDRESS, () => from('192.0.2.1'))
    for (const same of ['192.0.2.1', '::ffff:192.0.2.1']) expect(await from(same)).toMatchObject(refused)
    expect(await from('192.0.2.2')).toMatchObject({ status: 201 })
    for (const host of [':1', 'ffff:1:2:3', 'a::b'])
      expect(await from(`2001:db8:1:1:${host}`)).toMatchObject({ status: 201 })
    expect(await from('2001:db8:1:1::9', bench)).toMatchObject(refused)
    expect(await from('2001:db8:1:2::9', bench)).toMatchObject({ status: 201 })
  })

  it('are at most 10 of one user (429), also if an admin creates them', async () => {
    await createAll(PER_ADDRESS, () => post(open))
    await createAll(PER_USER - 1, () => post(own, user))
    await createAll(1, () => post(own, admin, {}, { user_id: user.id }))
    expect(await post(own, user)).toMatchObject(refused)
    expect(await post(own, admin, {}, { user_id: user.id.toUpperCase() })).toMatchObject(refused)
    expect(await post(own, stranger)).toMatchObject({ status: 201 })
    expect(await post(own, admin)).toMatchObject({ status: 201 })
  })

  it('of judges have no limit', async () => {
    await createAll(3 * PER_USER, () => post(own, judge))
  })

  it('are limited exactly under concurrent requests to two instances, again and again', async () => {
    const beside = await service.openBeside()
    for (let round = 0; round < 3; round += 1) {
      const requests = Array.from({ length: 24 }, (_, n) =>
        n % 2 === 0
          ? post(own, user)
          : beside.send({ method: 'POST', url: own ?? '', token: user.token, body: program }),
      )
      const responses = await Promise.all(requests)
      const created = responses.filter(({ status }) => status === 201)
      expect(created).toHaveLength(PER_USER)
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(requests.length - PER_USER)
      await Promise.all(created.map(({ text }) => finish(text)))
    }
  })

  it('do not prevent the stored answer to a repeated Idempotency-Key; a refusal stores none', async () => {
    const keyed = (key: string) => post(own, user, { 'idempotency-key': key })
    const first = await keyed('first')
    const [other = ''] = await createAll(PER_USER - 1, () => post(own, user))
    expect(await keyed('first')).toMatchObject({ status: 201, text: first.text })
    expect(await keyed('second')).toMatchObject(refused)
    await finish(other)
    expect(await keyed('second')).toMatchObject({ status: 201 })
  })

  it('keep no address after the run has finished', async () => {
    const [id = ''] = await createAll(1, () => from('192.0.2.1'))
    const select = unprepared('select runs.owner_key, runs.slot from runs where runs.id = $1')
    expect(await database.query(select, [id])).toMatchObject([{ owner_key: 'address 192.0.2.1' }])
    await finish(id)
    expect(await database.query(select, [id])).toEqual([{ owner_key: null, slot: null }])
  })
})

describe('old runs', () => {
  const age = unprepared(
    `update runs set created_at = now() - $2 * interval '1 hour' where id = any($1::uuid[])`,
  )
  const exists = async (id: string) => (await judge.send('GET', `${own}/${id}`)).status === 200

  it('are deleted with their messages after 24 hours without an account, after 168 with one: then they are unknown (404), and make room for new ones', async () => {
    const ofNobody = await createAll(PER_ADDRESS, () => post(open))
    const ofUser = await createAll(5, () => post(own, user))
    const [young = '', ...old] = ofNobody
    const [kept = '', finished = ''] = ofUser
    await finish(finished)
    await database.query(age, [[...old, ...ofUser], 25])
    const forget = () => forgetOldRuns(database, service.config.runs.retentionHours, 2)
    await forget()
    expect(await Promise.all([young, ...old].map(exists))).toEqual([true, false, false])
    expect(await Promise.all(ofUser.map(exists))).toEqual(Array(5).fill(true))
    expect(await messagesFor(service, kept)).toHaveLength(1)

    await database.query(age, [ofUser, 169])
    await database.query(age, [[young, kept], 23])
    await forget()
    expect(await Promise.all([young, ...ofUser].map(exists))).toEqual([true, true, ...Array(4).fill(false)])
    for (const id of [...old, ...ofUser.slice(1)]) expect(await messagesFor(service, id)).toEqual([])
    expect(await messagesFor(service, young)).toHaveLength(1)
    await anonymous.get(`${open}/${old[0]}`, notFound('run'))
    await judge.patch(`${own}/${old[0]}`, { status: 'ACCEPTED' }, notFound('run'))
    await createAll(old.length, () => post(open))
  })
})
