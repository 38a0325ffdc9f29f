import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Operation, readOperations } from '../../../verification/openapi-operations.ts'
import { seedOf } from '../campaign.ts'
import type { Choose } from '../json.ts'
import { openRequestCheck } from '../oracle-document.ts'
import { type Plan, type Rendered, renderPlan } from '../plan.ts'
import { plansOf, rightPlans } from '../plans.ts'

const document = JSON.parse(await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
const operations = readOperations(document)
const withBody = operations.filter(({ body }) => body !== undefined)
const find = (wanted: string) => operations.find(({ id }) => id === wanted) ?? expect.fail(wanted)
/** Compiles each schema once. */
const check = openRequestCheck()
const LARGEST_BODY_BYTES = 2 * 1024 * 1024

const render = (plan: Plan, choose: Choose = ({ fallback }) => fallback) =>
  renderPlan(plan, choose, (caller) => caller)

const sample = (operation: Operation, seed: number, numRuns: number) =>
  fc.sample(plansOf(operation, LARGEST_BODY_BYTES), { seed, numRuns })

/** The requests of a seed to an operation. */
const sent = (seed: number, operation: Operation) =>
  sample(operation, seedOf(seed, operation.id, 0), 20).map((plan) => {
    const { body = Buffer.alloc(0), ...head } = render(plan)
    return [head, createHash('sha256').update(body).digest('hex')]
  })

describe('the valid requests of the fuzzer', () => {
  it.each(operations)('follow the document: $id', (operation) => {
    const property = fc.property(rightPlans(operation), (plan) => {
      expect(plan.isRight).toBe(true)
      expect(check(plan, render(plan))).toEqual([])
    })
    fc.assert(property, { seed: 1, numRuns: 60 })
  })
})

describe('the other requests of the fuzzer', () => {
  it('violate the document in many ways, for every operation with a body', () => {
    for (const operation of withBody) {
      const plans = sample(operation, 1, 150)
      const broken = new Set(plans.flatMap((plan) => check(plan, render(plan))))
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
    for (const text of ['\\ud800', '1e400', '[[[[[[[[']) {
      expect(
        count((_, { body }) => body?.includes(text) === true),
        text,
      ).toBeGreaterThan(2)
    }
  })
})

describe('the seed of the fuzzer', () => {
  it('decides every request, independently for each operation', () => {
    for (const operation of operations) expect(sent(7, operation)).toEqual(sent(7, operation))
    expect(sent(7, find('logIn'))).not.toEqual(sent(8, find('logIn')))
    expect(seedOf(7, 'logIn', 0)).not.toBe(seedOf(7, 'logIn', 1))
    expect(seedOf(7, 'logIn', 0)).not.toBe(seedOf(7, 'register', 0))
  })
})
