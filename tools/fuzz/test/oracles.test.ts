import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { openContract } from '../../../verification/contract.ts'
import { readOperations } from '../../../verification/openapi-operations.ts'
import { findSilence } from '../campaign.ts'
import { checkProcess, findMiscounts } from '../check-up.ts'
import { ANSWER_TIMEOUT_MS, type Reply } from '../exchange.ts'
import { openRequestCheck } from '../oracle-document.ts'
import { createOracle } from '../oracles.ts'
import type { Plan } from '../plan.ts'
import type { Rendered } from '../render.ts'

const document = JSON.parse(await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
const operations = readOperations(document)
const oracle = createOracle({
  contract: openContract(document),
  checkRequest: openRequestCheck(),
  secrets: ['a secret of the service'],
  internals: ['users_name_key'],
})

/** A right request for a submission's status, which is answered well. */
function ask(planned: Partial<Plan>, answered: Partial<Reply>, sent: Partial<Rendered> = {}): string[] {
  const operation = operations.find(({ id }) => id === 'readSubmissionStatus')
  if (operation === undefined) throw new Error('there is no operation readSubmissionStatus')
  const submission_id = '019b8d30-1fe0-7396-acdd-6c2077125104'
  const plan: Plan = {
    ...{ operation, isRight: true, caller: 'user', pick: 0, method: 'GET', pathValues: {}, query: [] },
    ...{ otherPath: undefined, headers: [], contentType: '', body: undefined, isChunked: false },
    ...{ fault: undefined, ...planned },
  }
  const target = operation.path.replace('{submission_id}', submission_id)
  const pathValues = { submission_id }
  const rendered = { method: 'GET', target, headers: [], body: undefined, pathValues, ...sent }
  const headers = { 'content-type': 'application/json', 'x-request-id': 'x' }
  const text = JSON.stringify({ id: submission_id, status: 'PENDING' })
  const reply = { status: 200, headers, head: '', text, error: undefined, ms: 5, ...answered }
  return oracle(plan, rendered, reply)
}

const refusal = (code: string, error: string) => JSON.stringify({ code, error, message: error })
const notFound = (error: string) => ({ status: 404, text: refusal('NOT_FOUND', error) })
const malformedPath = { target: '/v1/submissions/x/status', pathValues: { submission_id: 'x' } }

describe('the oracle of the fuzzer', () => {
  it.each<[string, ...Parameters<typeof ask>]>([
    ['an answer', {}, {}],
    ['a refusal', {}, notFound('There is no such submission')],
    ['a stranger’s 401', { caller: 'nobody' }, { status: 401, text: refusal('UNAUTHORIZED', 'Log in') }],
    ['a 400 to a malformed id', {}, { status: 400, text: refusal('400', 'no UUID') }, malformedPath],
    ['a 400 beneath HTTP', { fault: 'bad chunk' }, { headers: {}, text: 'HTTP/1.1 400 Bad Request\r\n' }],
    ['an end without an answer, beneath HTTP', { fault: 'cut short' }, { status: undefined, text: '' }],
  ])('finds nothing wrong with %s', (_, ...exchanged) => {
    expect(ask(...exchanged)).toEqual([])
  })

  it.each<[RegExp, ...Parameters<typeof ask>]>([
    [/the status is 500/, {}, { status: 500, text: refusal('INTERNAL', 'Internal error') }],
    [/the status is 500/, { fault: 'two requests' }, { text: 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 500 No\r\n' }],
    [/there was no answer: ECONNRESET/, {}, { error: 'ECONNRESET', status: undefined }],
    [/the answer took/, {}, { ms: ANSWER_TIMEOUT_MS + 1 }],
    [/holds a secret/, {}, { head: 'x-debug: a secret of the service' }],
    [/shows the inside/, {}, notFound('at read (/srv/dist/app.js:3:14)')],
    [/shows the inside/, {}, { text: '{"status":"$argon2id$v=19$m=1"}' }],
    [/shows its SQL/, {}, notFound('duplicate key value')],
    [/shows its SQL/, {}, notFound('users_name_key')],
    [/418 is not documented/, {}, { status: 418, text: refusal('NOT_FOUND', 'a teapot') }],
    [/text\/html is not documented/, {}, { headers: { 'content-type': 'text/html' } }],
    [/required property 'id'/, {}, { text: '{"status":"PENDING"}' }],
    [/not what error says/, {}, { status: 404, text: '{"code":"NOT_FOUND","error":"a","message":"b"}' }],
    [/the answer is not what it says it is/, {}, { text: '{"status":' }],
    [/without credential \(nobody\) is answered 200/, { caller: 'nobody' }, {}],
    [/answered 200, though submission_id is not/, {}, {}, malformedPath],
    [/answered 404, though/, {}, notFound('There is no such submission'), malformedPath],
    [/refused \(no\), though/, {}, { status: 400, text: refusal('400', 'no') }],
  ])('says %s of what breaks that rule', (problem, ...exchanged) => {
    expect(ask(...exchanged)).toContainEqual(expect.stringMatching(problem))
  })
})

describe('the check-up of the fuzzer', () => {
  const well = { takeAlarms: () => [], ending: () => undefined, readResidentMebibytes: async () => 300 }

  it('finds errors in the log, a process that ended, and too much memory', async () => {
    expect(await checkProcess(well)).toEqual([])
    expect(await checkProcess({ ...well, takeAlarms: () => ['an error'] })).toEqual(['the log says an error'])
    expect(await checkProcess({ ...well, ending: () => 'by 1' })).toEqual(['the service is gone: by 1'])
    const greedy = { ...well, readResidentMebibytes: async () => 2000 }
    expect(await checkProcess(greedy)).toEqual(['the service holds 2000 MiB'])
  })

  it('finds a record that counts what it does not list', () => {
    expect(findMiscounts({ member_count: 1, members: ['a'], other_count: 3 })).toEqual([])
    expect(findMiscounts({ member_count: 2, members: ['a'] })).toEqual(['member_count is 2 of 1'])
  })
})

describe('a campaign', () => {
  it('finds that too few operations ever succeeded', () => {
    expect(findSilence(7, 74)).toBeUndefined()
    expect(findSilence(8, 74)).toBe('only 66 of 74 operations ever succeeded')
    expect(findSilence(74, 74)).toBeDefined()
  })
})
