import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readOperations } from '../../../verification/openapi-operations.ts'
import { seedOf } from '../campaign.ts'
import type { Live } from '../json.ts'
import { usedNamesOf } from '../names.ts'
import { openRequestCheck } from '../oracle-document.ts'
import type { Plan } from '../plan.ts'
import { plansOf, rightPlans } from '../plans.ts'
import { type Rendered, renderPlan } from '../render.ts'
import { createRows } from '../rows.ts'

const document = JSON.parse(await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
const operations = readOperations(document)
const withBody = operations.filter(({ body }) => body !== undefined)
const LARGEST_BODY_BYTES = 2 * 1024 * 1024

const render = (plan: Plan, choose: (live: Live) => string | number = (live) => live.fallback) =>
  renderPlan(plan, choose, (caller) => caller)

/** The requests of a seed to an operation. */
const sent = (seed: number, operation = withBody[0]) =>
  operation === undefined
    ? []
    : fc
        .sample(plansOf(operation, LARGEST_BODY_BYTES), { seed: seedOf(seed, operation.id, 0), numRuns: 50 })
        .map((plan) => {
          const { body = Buffer.alloc(0), ...head } = render(plan)
          return [plan.fault, head, createHash('sha256').update(body).digest('hex')]
        })

describe('the valid requests of the fuzzer', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'follow the document: %s',
    (_, operation) => {
      const check = openRequestCheck()
      fc.assert(
        fc.property(rightPlans(operation), (plan) => {
          expect(plan.isRight).toBe(true)
          expect(check(plan, render(plan))).toEqual([])
        }),
        { seed: 1, numRuns: 200 },
      )
    },
  )

  it('use related records of the service', () => {
    const operation = operations.find(({ id }) => id === 'readTeam')
    if (operation === undefined) throw new Error('there is no operation readTeam')
    const rows = createRows(usedNamesOf(operations))
    const teams = [
      { id: '019b8d30-1fe0-7396-acdd-6c2077125104', event_id: 7 },
      { id: '019b8d31-0a40-7212-adc5-29e120202466', event_id: 8 },
    ]
    rows.learn('/v1/events/{event_id}/teams', new Map(), teams)
    const targets = fc
      .sample(rightPlans(operation), { seed: 1, numRuns: 200 })
      .map((plan) => render(plan, rows.chooserFor(plan)).target)
    for (const { id, event_id } of teams) {
      const own = targets.filter((target) => target === `/v1/events/${event_id}/teams/${id}`)
      expect(own.length).toBeGreaterThan(20)
    }
  })
})

describe('the other requests of the fuzzer', () => {
  it('violate the document in many ways, for every operation with a body', () => {
    const check = openRequestCheck()
    for (const operation of withBody) {
      const plans = fc.sample(plansOf(operation, LARGEST_BODY_BYTES), { seed: 1, numRuns: 400 })
      const broken = new Set(plans.flatMap((plan) => check(plan, render(plan))))
      expect(broken.size, operation.id).toBeGreaterThan(5)
    }
  })

  it('break HTTP, leave the routes and exceed every limit', () => {
    const plans = operations.flatMap((operation) =>
      fc.sample(plansOf(operation, LARGEST_BODY_BYTES), { seed: 1, numRuns: 100 }),
    )
    const count = (is: (plan: Plan, rendered: Rendered) => boolean) =>
      plans.filter((plan) => is(plan, render(plan))).length
    expect(new Set(plans.map(({ fault }) => fault)).size).toBe(12)
    expect(new Set(plans.map(({ caller }) => caller)).size).toBe(12)
    expect(new Set(plans.map(({ method }) => method)).size).toBeGreaterThan(20)
    expect(count(({ otherPath }) => otherPath !== undefined)).toBeGreaterThan(50)
    expect(count((_, { headers }) => headers.length > 3)).toBeGreaterThan(5)
    expect(count((_, { body }) => (body?.length ?? 0) >= LARGEST_BODY_BYTES)).toBeGreaterThan(2)
    expect(count((_, { body }) => body?.includes('\\ud800') === true)).toBeGreaterThan(2)
    expect(count((_, { body }) => body?.includes('__proto__') === true)).toBeGreaterThan(10)
    expect(count((_, { body }) => body?.includes('1e400') === true)).toBeGreaterThan(2)
    expect(count((_, { body }) => body?.includes('[[[[[[[[') === true)).toBeGreaterThan(2)
  })
})

describe('the seed of the fuzzer', () => {
  it('decides every request, independently for each operation', () => {
    for (const operation of operations) expect(sent(7, operation)).toEqual(sent(7, operation))
    expect(sent(7)).not.toEqual(sent(8))
    expect(seedOf(7, 'logIn', 0)).not.toBe(seedOf(7, 'logIn', 1))
    expect(seedOf(7, 'logIn', 0)).not.toBe(seedOf(7, 'register', 0))
  })
})
