import fc from 'fast-check'
import type { Operation, Parameter } from '../../test/support/verification/openapi-operations.ts'
import { csvBodies, damagedPackages, rightPackages } from './bodies.ts'
import { hostileText, mutate, mutation } from './mutations.ts'
import { type Body, type Caller, callers, type Json, type JsonObject, type Plan } from './plan.ts'
import { rightValue } from './right-values.ts'
import { collectionOf, narrowName, ownerIn } from './rows.ts'
import { applyTwist, twist } from './twists.ts'

/** Valid, nearly valid and hostile requests to an operation. */
export function plansOf(operation: Operation, largestBodyBytes: number): fc.Arbitrary<Plan> {
  const right = rightPlans(operation)
  const nearlyRight = nearlyRightPlans(operation)
  const twists = fc.array(twist(largestBodyBytes), { minLength: 1, maxLength: 3 })
  const hostile = fc
    .tuple(fc.oneof(right, nearlyRight), twists)
    .map(([plan, all]) => all.reduce(applyTwist, { ...plan, isRight: false }))
  return fc.oneof(
    { weight: 5, arbitrary: right },
    { weight: 4, arbitrary: nearlyRight },
    { weight: 3, arbitrary: hostile },
  )
}

const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']

/** Requests that the document allows, by any caller. */
export function rightPlans(operation: Operation): fc.Arbitrary<Plan> {
  const { parameters, body, method, path } = operation
  const collection = collectionOf(path.split('/'))
  const toBody = (json: Json): Body => ({ as: 'json', json })
  const none = operation.upload === undefined ? fc.constant(undefined) : rightPackages
  const json = body ? rightValue(body.schema, '', collection).map(toBody) : none
  return fc
    .record({
      caller: callersOf(operation),
      pick: fc.nat(),
      pathValues: rightParameters(parameters, 'path', path),
      query: rightParameters(parameters, 'query', path),
      body: body?.required === false ? fc.option(json, { nil: undefined }) : json,
      isChunked: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
      contentType: fc.constantFrom(...(operation.upload ? [operation.upload] : JSON_TYPES)),
      csv: operation.takesCsv ? fc.option(csvBodies, { nil: undefined }) : fc.constant(undefined),
    })
    .map(({ query, csv, ...rest }) => ({
      ...rest,
      ...(csv && { body: csv, contentType: 'text/csv' }),
      operation,
      isRight: true,
      method,
      otherPath: undefined,
      query: Object.entries(query).map(([name, value]) => ({ name, value })),
      headers: [],
    }))
}

const BASIC: Caller[] = ['e-mail and password']

function callersOf({ credential }: Operation): fc.Arbitrary<Caller> {
  const takesBasic = credential.includes('basic')
  const usual: Record<string, Caller[]> = {
    ...{ bridgeSecret: ['bridge secret'], judgePassword: ['judge password'], none: ['nobody'] },
    scoreboardToken: ['scoreboard token'],
  }
  const among = (names: Caller[]) => fc.constantFrom(...(usual[credential] ?? names))
  return fc.oneof(
    { weight: 4, arbitrary: among(['admin']) },
    { weight: 4, arbitrary: among(['user', 'other user', 'judge', ...(takesBasic ? BASIC : [])]) },
    { weight: 1, arbitrary: fc.constantFrom(...callers) },
  )
}

function rightParameters(
  parameters: readonly Parameter[],
  place: 'path' | 'query',
  path: string,
): fc.Arbitrary<JsonObject> {
  const own = parameters.filter((parameter) => parameter.in === place)
  const arbitraries = own.map(
    ({ name, schema }) => [name, rightValue(schema, narrowName(path, name), ownerIn(path, name))] as const,
  )
  return fc.record(Object.fromEntries(arbitraries), {
    requiredKeys: own.filter(({ required }) => required).map(({ name }) => name),
    noNullPrototype: true,
  })
}

/** Valid requests with one or two changes to the body, or to one parameter. */
function nearlyRightPlans(operation: Operation): fc.Arbitrary<Plan> {
  const { body, parameters } = operation
  const right = rightPlans(operation)
  const ways: fc.Arbitrary<Plan>[] = []
  if (body !== undefined) {
    ways.push(
      fc.tuple(right, fc.array(mutation, { minLength: 1, maxLength: 2 })).map(([plan, mutations]) => {
        if (plan.body?.as !== 'json') return plan
        const json = mutations.reduce((value, change) => mutate(body.schema, value, change), plan.body.json)
        return { ...plan, isRight: false, body: { as: 'json', json } }
      }),
    )
  }
  if (operation.upload) {
    const damaged = fc.tuple(right, damagedPackages)
    ways.push(damaged.map(([plan, broken]) => ({ ...plan, isRight: false, body: broken })))
  }
  if (parameters.length > 0) {
    const wrong = fc.tuple(right, fc.constantFrom(...parameters), wrongParameter)
    ways.push(wrong.map(([plan, parameter, value]) => replaceParameter(plan, parameter, value)))
  }
  return ways.length === 0 ? right : fc.oneof(...ways)
}

const wrongParameter: fc.Arbitrary<Json> = fc.oneof(
  hostileText.filter((text) => text.isWellFormed()),
  fc.constantFrom<Json>(
    ...[-1, -0, 0, 1, 1000, 1001, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1e21, '1e1', '+1', '01', ' 1'],
  ),
)

function replaceParameter(plan: Plan, { name, in: place }: Parameter, value: Json): Plan {
  if (place === 'path') return { ...plan, isRight: false, pathValues: { ...plan.pathValues, [name]: value } }
  const others = plan.query.filter((part) => !('name' in part) || part.name !== name)
  return { ...plan, isRight: false, query: [...others, { name, value }] }
}
