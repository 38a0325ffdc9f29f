import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { openContract } from '../../../verification/contract.ts'
import { readOperations } from '../../../verification/openapi-operations.ts'
import { findSilence } from '../campaign.ts'
import { checkProcess, findMiscounts } from '../check-up.ts'
import { RESPONSE_TIMEOUT_MS, type Reply } from '../exchange.ts'
import { openRequestCheck } from '../oracle-document.ts'
import { createOracle } from '../oracles.ts'
import type { Plan, Rendered } from '../plan.ts'

const document = JSON.parse(await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
const operations = readOperations(document)
const oracle = createOracle({
  contract: openContract(document),
  checkRequest: openRequestCheck(),
  secrets: ['a secret of the service'],
  internals: ['users_name_key'],
})

const find = (wanted: string) => operations.find(({ id }) => id === wanted) ?? expect.fail(wanted)

/** The errors of an exchange; by default a valid request and a correct response. */
function check(planned: Partial<Plan>, replied: Partial<Reply>, sent: Partial<Rendered> = {}): string[] {
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
  const reply = { status: 200, headers, head: '', text, error: undefined, ms: 5, ...replied }
  return oracle(plan, rendered, reply)
}

const refusal = (code: string, error: string) => JSON.stringify({ code, error, message: error })
const notFound = (error: string) => ({ status: 404, text: refusal('NOT_FOUND', error) })
const unauthorized = { status: 401, text: refusal('UNAUTHORIZED', 'Log in') }
const AN_INSTANT = '2026-04-01T18:00:00Z'
const clock = operations.find(({ id }) => id === 'readEventClock')
const ofClock = clock && { operation: clock }
const times = { now: AN_INSTANT, start_time: AN_INSTANT, end_time: AN_INSTANT, own_end_time: AN_INSTANT }
const shownClock = { text: JSON.stringify({ event_id: 1, ...times, state: 'ended' }) }
const clockPath = { target: '/v1/events/1/clock', pathValues: { event_id: '1' } }
const malformedPath = { target: '/v1/submissions/x/status', pathValues: { submission_id: 'x' } }

describe('the oracle of the fuzzer', () => {
  it.each<[string, ...Parameters<typeof check>]>([
    ['a correct response', {}, {}],
    ['a 404', {}, notFound('There is no such submission')],
    ['a 401 without a credential', { caller: 'nobody' }, unauthorized],
    ['a public record without a credential', { ...ofClock, caller: 'nobody' }, shownClock, clockPath],
    ['a 400 for a malformed id', {}, { status: 400, text: refusal('400', 'no UUID') }, malformedPath],
    [
      'a 400 for a rule beyond the document',
      {},
      { status: 400, text: refusal('400', 'next and undo must not be given together') },
    ],
  ])('accepts %s', (_, ...exchanged) => {
    expect(check(...exchanged)).toEqual([])
  })

  it.each<[RegExp, ...Parameters<typeof check>]>([
    [/the status is 500/, {}, { status: 500, text: refusal('INTERNAL', 'Internal error') }],
    [/no response: ECONNRESET/, {}, { error: 'ECONNRESET', status: undefined }],
    [/the response took/, {}, { ms: RESPONSE_TIMEOUT_MS + 1 }],
    [/contains a secret/, {}, { head: 'x-debug: a secret of the service' }],
    [/contains internals/, {}, notFound('at read (/srv/dist/app.js:3:14)')],
    [/contains internals/, {}, { text: '{"status":"$argon2id$v=19$m=1"}' }],
    [/contains SQL/, {}, notFound('duplicate key value')],
    [/contains SQL/, {}, notFound('users_name_key')],
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
    expect(check(...exchanged)).toContainEqual(expect.stringMatching(problem))
  })
})

describe('a campaign of the fuzzer', () => {
  const check = (alarms: string[], mebibytes: number) =>
    checkProcess({ takeAlarms: () => alarms, readResidentMebibytes: () => mebibytes })

  it('reports alarms, too much memory, miscounts and too few successful operations', () => {
    expect(check([], 300)).toEqual([])
    expect(check(['an error'], 300)).toEqual(['an error'])
    expect(check([], 2000)).toEqual(['the service uses 2000 MiB'])
    expect(findMiscounts({ member_count: 1, members: ['a'], other_count: 3 })).toEqual([])
    expect(findMiscounts({ member_count: 2, members: ['a'] })).toEqual(['member_count is 2 of 1'])
    expect(findSilence(67, 74)).toBeUndefined()
    expect(findSilence(66, 74)).toBe('only 66 of 74 operations succeeded')
    expect(findSilence(0, 74)).toBeDefined()
  })
})
