import { expect } from 'vitest'
import type { Caller } from './caller.ts'
import { COMMON_RULES } from './contest-api-rules/common.ts'
import { OBJECT_RULES } from './contest-api-rules/objects.ts'
import { RESULT_RULES } from './contest-api-rules/results.ts'
import type { Rules, SeenContest } from './contest-api-rules/rule.ts'

export type { Item, SeenContest } from './contest-api-rules/rule.ts'

const RULES: Rules = { ...COMMON_RULES, ...OBJECT_RULES, ...RESULT_RULES }

export const RULE_TEXTS: readonly string[] = Object.keys(RULES)

/**
 * Relations between properties and between objects that the Contest API requires and a schema of
 * one object cannot express. Returns what is wrong: the rule, and what breaks it.
 */
export const findBrokenRules = (seen: SeenContest): string[] =>
  Object.entries(RULES).flatMap(([text, find]) => find(seen).map((name) => `${text}: ${name}`))

export async function expectRulesKept(
  caller: Caller,
  eventId: number,
  objects: Iterable<readonly [type: string, ofType: Iterable<unknown>]>,
): Promise<void> {
  const base = `/v1/clics/contests/${eventId}`
  const { status, body } = await caller.send('GET', `${base}/scoreboard`)
  expect([200, 403]).toContain(status)
  const lists = [...objects].map(([type, ofType]) => [type, [...ofType].map(Object)] as const)
  const seen = {
    access: await caller.get(`${base}/access`, 200),
    objects: new Map(lists),
    scoreboard: status === 200 ? body : undefined,
  }
  expect(findBrokenRules(seen)).toEqual([])
}
