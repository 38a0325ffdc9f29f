import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openContract } from '../../../test/support/verification/contract.ts'
import { type Operation, readOperations } from '../../../test/support/verification/openapi-operations.ts'
import { findSilence, seedOf } from '../campaign.ts'
import { RESPONSE_TIMEOUT_MS, type Reply } from '../exchange.ts'
import { createOracle, openRequestCheck } from '../oracles.ts'
import { makePackage, packagePlans, readPackages } from '../package-mutations.ts'
import { type Live, type Plan, type Rendered, renderPlan } from '../plan.ts'
import { plansOf, rightPlans } from '../plans.ts'
import { checkProcess, findMiscounts } from '../session.ts'

const document = JSON.parse(await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
const operations = readOperations(document)
const withBody = operations.filter(({ body }) => body !== undefined)
const find = (wanted: string) => operations.find(({ id }) => id === wanted) ?? expect.fail(wanted)
const check = openRequestCheck()
const LARGEST_BODY_BYTES = 2 * 1024 * 1024

const choose = ({ fallback }: Live) => fallback
const render = (plan: Plan) => renderPlan(plan, choose, (caller) => caller)

const sample = (operation: Operation, seed: number, numRuns: number) =>
  fc.sample(plansOf(operation, LARGEST_BODY_BYTES), { seed, numRuns })

const sent = (seed: number, operation: Operation) =>
  sample(operation, seedOf(seed, operation.id, 0), 20).map((plan) => {
    const { body = Buffer.alloc(0), ...head } = render(plan)
    return [head, createHash('sha256').update(body).digest('hex')]
  })

it.each(operations)('the valid requests of the fuzzer follow the document: $id', (operation) => {
  const property = fc.property(rightPlans(operation), (plan) => {
    expect(plan.isRight).toBe(true)
    expect(check(plan, render(plan))).toEqual([])
  })
  fc.assert(property, { seed: 1, numRuns: 60 })
})

describe('the other requests of the fuzzer', () => {
  it('violate the document in many ways, for every operation with a body', () => {
    for (const operation of withBody) {
      const broken = new Set(sample(operation, 1, 150).flatMap((plan) => check(plan, render(plan))))
      expect(broken.size, operation.id).toBeGreaterThan(5)
    }
  })

  it('leave the routes and exceed every limit', () => {
    const plans = operations.flatMap((operation) => sample(operation, 1, 100))
    const count = (is: (plan: Plan, rendered: Rendered) => boolean) =>
      plans.filter((plan) => is(plan, render(plan))).length
    expect(new Set(plans.map(({ caller }) => caller)).size).toBe(15)
    expect(new Set(plans.map(({ method }) => method)).size).toBeGreaterThan(20)
    expect(count(({ otherPath }) => otherPath !== undefined)).toBeGreaterThan(50)
    expect(count((_, { headers }) => headers.length > 3)).toBeGreaterThan(5)
    expect(count((_, { body }) => (body?.length ?? 0) >= LARGEST_BODY_BYTES)).toBeGreaterThan(2)
    expect(count((_, { body }) => body?.includes('__proto__') === true)).toBeGreaterThan(10)
    for (const text of ['\\ud800', '1e400', '[[[[[[[['])
      expect([text, count((_, { body }) => body?.includes(text) === true) > 2]).toEqual([text, true])
  })
})

it('the seed of the fuzzer decides every request, independently for each operation', () => {
  for (const operation of operations) expect(sent(7, operation)).toEqual(sent(7, operation))
  expect(sent(7, find('logIn'))).not.toEqual(sent(8, find('logIn')))
  expect(seedOf(7, 'logIn', 0)).not.toBe(seedOf(7, 'logIn', 1))
  expect(seedOf(7, 'logIn', 0)).not.toBe(seedOf(7, 'register', 0))
})

it('the seed of the fuzzer decides every package, and its mutations reach many files', async () => {
  const packages = await readPackages()
  expect(packages.length).toBeGreaterThan(4)
  const plans = (seed: number) => fc.sample(packagePlans, { seed, numRuns: 100 })
  expect(plans(7)).toEqual(plans(7))
  expect(plans(7)).not.toEqual(plans(8))
  const archives = await Promise.all(plans(7).map((plan) => makePackage(packages, plan)))
  expect(new Set(archives.map((archive) => archive.toString('base64'))).size).toBe(100)
  const kinds = plans(7).flatMap(({ mutations }) => mutations.map((one) => one.as))
  expect(new Set(kinds).size).toBe(6)
})

const oracle = createOracle({
  contract: openContract(document),
  checkRequest: check,
  secrets: ['a secret of the service'],
  internals: ['users_name_folded_key'],
})

/** The errors of an exchange; by default a valid request and a correct response. */
function judge(planned: Partial<Plan>, replied: Partial<Reply>, sent: Partial<Rendered> = {}): string[] {
  const operation = find('readSubmissionStatus')
  const submission_id = '019b8d30-1fe0-7396-acdd-6c2077125104'
  const plan: Plan = {
    ...{ operation, isRight: true, caller: 'user', pick: 0, method: 'GET', pathValues: {}, query: [] },
    ...{ otherPath: undefined, headers: [], contentType: 'application/json', body: undefined },
    ...{ isChunked: false, ...planned },
  }
  const target = operation.path.replace('{submission_id}', submission_id)
  const pathValues = { submission_id }
  const rendered = { method: 'GET', target, headers: [], body: undefined, pathValues, ...sent }
  const headers = { 'content-type': 'application/json', 'x-request-id': 'x' }
  const text = JSON.stringify({ id: submission_id, status: 'PENDING' })
  return oracle(plan, rendered, { status: 200, headers, head: '', text, error: undefined, ms: 5, ...replied })
}

const refusal = (code: string, error: string) => JSON.stringify({ code, error, message: error })
const notFound = (error: string) => ({ status: 404, text: refusal('NOT_FOUND', error) })
const unauthorized = { status: 401, text: refusal('UNAUTHORIZED', 'Log in') }
const RULE = 'next and undo must not be given together'
const AN_INSTANT = '2026-04-01T18:00:00Z'
const clock = operations.find(({ id }) => id === 'readEventClock')
const ofClock = clock && { operation: clock }
const times = { now: AN_INSTANT, start_time: AN_INSTANT, end_time: AN_INSTANT, own_end_time: AN_INSTANT }
const shownClock = { text: JSON.stringify({ event_id: 1, ...times, state: 'ended' }) }
const clockPath = { target: '/v1/events/1/clock', pathValues: { event_id: '1' } }
const malformedPath = { target: '/v1/submissions/x/status', pathValues: { submission_id: 'x' } }

describe('the oracle of the fuzzer', () => {
  it.each<[string, ...Parameters<typeof judge>]>([
    ['a correct response', {}, {}],
    ['a 404', {}, notFound('There is no such submission')],
    ['a 401 without a credential', { caller: 'nobody' }, unauthorized],
    ['a public record without a credential', { ...ofClock, caller: 'nobody' }, shownClock, clockPath],
    ['a 400 for a malformed id', {}, { status: 400, text: refusal('400', 'no UUID') }, malformedPath],
    ['a 400 for a rule beyond the document', {}, { status: 400, text: refusal('400', RULE) }],
  ])('accepts %s', (_, ...exchanged) => {
    expect(judge(...exchanged)).toEqual([])
  })

  it.each<[RegExp, ...Parameters<typeof judge>]>([
    [/the status is 500/, {}, { status: 500, text: refusal('INTERNAL', 'Internal error') }],
    [/no response: ECONNRESET/, {}, { error: 'ECONNRESET', status: undefined }],
    [/the response took/, {}, { ms: RESPONSE_TIMEOUT_MS + 1 }],
    [/contains a secret/, {}, { head: 'x-debug: a secret of the service' }],
    [/contains internals/, {}, notFound('at read (/srv/dist/app.js:3:14)')],
    [/contains internals/, {}, { text: '{"status":"$argon2id$v=19$m=1"}' }],
    [/contains SQL/, {}, notFound('duplicate key value')],
    [/contains SQL/, {}, notFound('users_name_folded_key')],
    [/418 is not documented/, {}, { status: 418, text: refusal('NOT_FOUND', 'a teapot') }],
    [/text\/html is not documented/, {}, { headers: { 'content-type': 'text/html' } }],
    [/required property 'id'/, {}, { text: '{"status":"PENDING"}' }],
    [/differs from error/, {}, { status: 404, text: '{"code":"NOT_FOUND","error":"a","message":"b"}' }],
    [/the response is malformed/, {}, { text: '{"status":' }],
    [/status 200 without a credential \(nobody\)/, { caller: 'nobody' }, {}],
    [/status 200 without a credential \(empty\)/, { ...ofClock, caller: 'empty' }, shownClock, clockPath],
    [/status 200, but submission_id violates/, {}, {}, malformedPath],
    [/status 404, but/, {}, notFound('There is no such submission'), malformedPath],
    [/rejected \(no\), but/, {}, { status: 400, text: refusal('400', 'no') }],
  ])('reports %s', (problem, ...exchanged) => {
    expect(judge(...exchanged)).toContainEqual(expect.stringMatching(problem))
  })
})

const watch = (alarms: string[], mebibytes: number) =>
  checkProcess({ takeAlarms: () => alarms, readResidentMebibytes: () => mebibytes })

it('a campaign of the fuzzer reports alarms, too much memory, miscounts and too few successful operations', () => {
  expect(watch([], 300)).toEqual([])
  expect(watch(['an error'], 300)).toEqual(['an error'])
  expect(watch([], 2000)).toEqual(['the service uses 2000 MiB'])
  expect(findMiscounts({ member_count: 1, members: ['a'], other_count: 3 })).toEqual([])
  expect(findMiscounts({ member_count: 2, members: ['a'] })).toEqual(['member_count is 2 of 1'])
  expect(findSilence(67, 74)).toBeUndefined()
  expect(findSilence(66, 74)).toBe('only 66 of 74 operations succeeded')
  expect(findSilence(0, 74)).toBeDefined()
})
