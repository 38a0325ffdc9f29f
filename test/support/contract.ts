import { Ajv, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { expect } from 'vitest'
import { errors } from '../../src/http/errors.ts'
import type { Route } from '../../src/http/route.ts'
import { refusalsOf } from '../../src/http/route-table.ts'
import { ErrorAnswer } from '../../src/http/schema.ts'
import type { TestAnswer } from './app.ts'

const ajv = new Ajv({ strict: false, allErrors: true })
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}(\d{3})?)?Z$/)
const validators = new WeakMap<TSchema, ValidateFunction>()

/** Every answer is one that its route declares: the status, the exact fields, the code of a refusal (D1). */
export function holdAgainstContract(routes: readonly Route[], answer: TestAnswer): void {
  const [method, url] = (answer.headers['x-test-route'] ?? '').split(' ')
  const route = routes.find((candidate) => candidate.method === method && candidate.url === url)
  if (answer.status >= 400) {
    expectShape(ErrorAnswer, answer)
    expect(answer.body.message).toBe(answer.body.error)
    const kinds = route === undefined ? (['NOT_FOUND', 'VALIDATION'] as const) : refusalsOf(route)
    const declared = kinds.map((kind) => `${errors[kind].status} ${errors[kind].code}`)
    expect(declared, `${method} ${url}`).toContain(`${answer.status} ${answer.body.code}`)
    return
  }
  expect(Object.keys(route?.schema.answers ?? {}), `${method} ${url}`).toContain(String(answer.status))
  const schema = route?.schema.answers[answer.status]
  if (schema === undefined) expect(answer.text).toBe('')
  else expectShape(schema, answer)
}

function expectShape(schema: TSchema, answer: TestAnswer): void {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  validate(answer.body)
  expect(validate.errors ?? [], answer.text.slice(0, 500)).toEqual([])
}
