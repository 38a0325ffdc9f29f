import { isUtf8 } from 'node:buffer'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'secure-json-parse'
import { isVisibleText } from '../../src/http/routing/visible-text.ts'
import type { Parameter, Schema } from '../../verification/openapi-operations.ts'
import type { Plan, Rendered } from './plan.ts'

/** Returns where a request violates the document; nothing if the document does not decide. */
export type RequestCheck = (plan: Plan, rendered: Rendered) => string[]

type Compile = (schema: Schema) => ValidateFunction

export function openRequestCheck(): RequestCheck {
  const compile = createCompiler()
  return (plan, rendered) => {
    const { method, pathValues } = rendered
    if (method !== plan.operation.method || pathValues === undefined) return []
    return [
      ...checkPath(plan, pathValues, compile),
      ...checkQuery(plan, rendered, compile),
      ...checkBody(plan, rendered, compile),
    ]
  }
}

/** Compiles schemas with the document's own keywords. */
function createCompiler(): Compile {
  const ajv = new Ajv2020({ strict: false, strictNumbers: true })
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    validate: (maxBytes: number, text: unknown) =>
      typeof text !== 'string' || Buffer.byteLength(text) <= maxBytes,
  })
  ajv.addKeyword({
    keyword: 'x-text',
    validate: (by: string, text: unknown) =>
      by === 'printed' || typeof text !== 'string' || (text.isWellFormed() && !text.includes('\0')),
  })
  ajv.addKeyword({
    keyword: 'x-visible',
    validate: (as: 'name' | 'e-mail', text: unknown) => typeof text !== 'string' || isVisibleText(as, text),
  })
  const compiled = new Map<Schema, ValidateFunction>()
  return (schema) => {
    const validate = compiled.get(schema) ?? ajv.compile(schema)
    compiled.set(schema, validate)
    return validate
  }
}

function checkPath(
  { operation }: Plan,
  values: Readonly<Record<string, string>>,
  compile: Compile,
): string[] {
  const own = operation.parameters.filter((parameter) => parameter.in === 'path')
  // An empty value makes another path.
  if (own.some(({ name }) => values[name] === '')) return []
  return own.flatMap((parameter) => checkText(parameter, values[parameter.name] ?? '', compile))
}

function checkQuery({ operation }: Plan, { target }: Rendered, compile: Compile): string[] {
  const search = new URLSearchParams(target.split('?').slice(1).join('?'))
  const own = operation.parameters.filter((parameter) => parameter.in === 'query')
  return own.flatMap((parameter) => {
    const [value, ...more] = search.getAll(parameter.name)
    if (value === undefined) return parameter.required ? [`${parameter.name} is missing`] : []
    return more.length > 0 ? [`${parameter.name} comes twice`] : checkText(parameter, value, compile)
  })
}

function checkText({ name, schema }: Parameter, text: string, compile: Compile): string[] {
  return compile(schema)(readValue(schema, text)) ? [] : [`${name} violates its schema`]
}

/** Reads the text of a parameter as the type of its schema. */
function readValue({ type }: Schema, text: string): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}

function checkBody(plan: Plan, { body }: Rendered, compile: Compile): string[] {
  const wanted = plan.operation.body
  // The service decides about compressed bodies and a repeated Content-Type.
  if (wanted === undefined || plan.headers.some(([name]) => /^content-/i.test(name))) return []
  if (body === undefined || body.length === 0) return wanted.required ? ['the body is missing'] : []
  // The document has no schema of the columns.
  if (plan.operation.takesCsv && /^text\/csv\s*(;|$)/i.test(plan.contentType)) return []
  if (!/^application\/json\s*(;|$)/i.test(plan.contentType)) return ['the body is of another type']
  if (!isUtf8(body)) return ['the body is not UTF-8']
  const validate = compile(wanted.schema)
  try {
    // The service removes these keys everywhere, also from objects whose keys are names.
    const options = { protoAction: 'remove', constructorAction: 'remove' } as const
    const value: unknown = parse(body.toString('utf8'), options)
    // Many clients send null for a missing body.
    const isAbsent = value === null && !wanted.required
    if (isAbsent || validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath} ${message}`)
  } catch {
    return ['the body is not JSON']
  }
}
