import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { sameSecret } from '../../src/http/routing/tokens.ts'
import { JUDGE_PASSWORD, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { openBareApp } from './bare-app.ts'

const timingSafeEqual = vi.spyOn(crypto, 'timingSafeEqual')
syncBuiltinESMExports()
afterAll(() => {
  timingSafeEqual.mockRestore()
  syncBuiltinESMExports()
})

const secret = 'a secret of the service'
const presented = [
  '',
  'a',
  secret.slice(0, -1),
  `${secret}x`,
  'b secret of the service',
  secret,
  'x'.repeat(10_000),
]

/** Takes the pairs that were compared in constant time since the last call. */
function readComparisons(): Buffer[][] {
  return timingSafeEqual.mock.calls.splice(0).map((pair) => pair.map((part) => Buffer.from(Object(part))))
}

describe('a secret', () => {
  it('is compared by digests of one length, in constant time, whatever is presented', () => {
    readComparisons()
    for (const text of presented) {
      expect(sameSecret(text, secret), text).toBe(text === secret)
      const [pair, ...others] = readComparisons()
      expect(others).toEqual([])
      expect(pair?.map(({ length }) => length)).toEqual([32, 32])
      // What is compared tells nothing of how much of it was right.
      for (const part of pair ?? []) expect(part.toString('latin1')).not.toContain('secret')
    }
  })

  it.each([
    ['/v1/login_judge', JUDGE_PASSWORD],
    ['/v1/create_or_login_user', WEB_BRIDGE_SECRET],
  ])(
    'is compared so on %s, as often whether its first or its last character is wrong',
    async (url, right) => {
      const { app } = await openBareApp()
      const wrong = [`x${right.slice(1)}`, `${right.slice(0, -1)}x`, 'x', `${right}x`]
      const counts: number[] = []
      for (const authorization of wrong) {
        readComparisons()
        const { statusCode } = await app.inject({ method: 'POST', url, headers: { authorization } })
        expect(statusCode).toBe(401)
        counts.push(readComparisons().length)
      }
      expect(counts).toEqual([2, 2, 2, 2])
    },
  )
})
