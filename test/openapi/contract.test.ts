import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { AppError, type ErrorKind, errorBody } from '../../src/http/routing/errors.ts'
import { openContract } from '../../verification/contract.ts'

const document = JSON.parse(await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
const hold = openContract(document)

/** What the contract says of a refusal that carries these headers. */
function holdRefusal(kind: ErrorKind, headers: string[], url = '/v1/submissions'): string[] {
  const err = new AppError(kind, 'No')
  return hold({
    method: 'POST',
    url,
    status: err.status,
    mediaType: 'application/json',
    headers: new Set(headers),
    text: JSON.stringify(errorBody(err, '019ba73a-1440-72dd-8ac1-1dca7e37a539')),
  })
}

it.each<[ErrorKind, string[], string[]]>([
  ['RATE_LIMIT_EXCEEDED', ['x-request-id', 'retry-after'], []],
  ['RATE_LIMIT_EXCEEDED', ['x-request-id'], ['the header Retry-After is missing']],
  ['UNAVAILABLE', ['x-request-id'], ['the header Retry-After is missing']],
  ['INTERNAL', [], ['the header X-Request-Id is missing']],
  ['VALIDATION', ['x-request-id', 'link'], ['the header Link is not documented']],
])('%s with the headers %j breaks the contract by %j', (kind, headers, found) => {
  expect(holdRefusal(kind, headers)).toEqual(found)
})

it('an answer to no route needs the id of its request as well', () => {
  expect(holdRefusal('NOT_FOUND', ['x-request-id'], '/nothing')).toEqual([])
  expect(holdRefusal('NOT_FOUND', [], '/nothing')).toEqual(['the header X-Request-Id is missing'])
})
