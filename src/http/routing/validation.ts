import {
  DELETED_USER,
  findHidden,
  isVisibleText,
  tidyText,
  type VisibleKind,
  withoutControls,
} from '@judge-data-layer/runtime/visible-text'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { DateTime } from 'luxon'
import type { TSchema } from 'typebox'
import { AppError } from './errors.ts'
import type { TextKind } from './schema.ts'

/** The source of a value: a JSON body, or the text of a path or a query. */
export type Part = 'body' | 'text'

/** Returns the value for the handler, or the error (400) that names the first invalid field. */
export type Validator = (data: unknown) => { value: unknown } | { error: AppError }

/**
 * Makes validators of schemas; each schema is compiled at its first use. Unknown fields are removed
 * (D2), digits, true and false in a path or a query are read, and text is checked or repaired (D7).
 * Nothing else is coerced.
 */
export function createValidatorCompiler(): (schema: TSchema, part: Part) => Validator {
  const ajv = createAjv()
  return (schema, part) => {
    let validate: ValidateFunction | undefined
    const read = part === 'body' ? (data: unknown) => data : textReader(schema)
    return (data) => {
      // Fastify passes an absent body as null.
      if (data === null && 'x-optional' in schema) return { value: {} }
      const value = read(data)
      validate ??= ajv.compile<unknown>(schema)
      if (validate(value)) return { value }
      return { error: new AppError('VALIDATION', describeError(tellingError(validate.errors ?? []), part)) }
    }
  }
}

function createAjv(): Ajv {
  const ajv = new Ajv({
    ...{ removeAdditional: 'all', strict: false, strictNumbers: true, verbose: true },
    // The quotient of two decimals is not exact.
    multipleOfPrecision: 6,
    // Optimised code takes more than twice as long to compile, and is hardly faster.
    code: { optimize: false },
  })
  // The standard keyword counts unknown fields; this one runs after their removal.
  ajv.removeKeyword('minProperties')
  ajv.addKeyword({
    keyword: 'minProperties',
    type: 'object',
    validate: (least: number, fields: object) => Object.keys(fields).length >= least,
  })
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    type: 'string',
    validate: (maxBytes: number, text: string) => Buffer.byteLength(text) <= maxBytes,
  })
  replaceTexts(ajv, 'x-text', (text, by: TextKind) => {
    if (by === 'written') return text.isWellFormed() && !text.includes('\0') ? text : undefined
    const storable = text.toWellFormed().replaceAll('\0', '\uFFFD')
    return by === 'printed' ? storable : withoutControls(storable)
  })
  replaceTexts(ajv, 'x-lower-case', (text) => text.toLowerCase())
  replaceTexts(ajv, 'x-visible', (text, kind: VisibleKind, { maxLength }) =>
    isVisibleText(kind, text, maxLength) ? tidyText(text) : undefined,
  )
  replaceTexts(ajv, 'x-instant', readInstant)
  return ajv
}

interface TextPlace {
  readonly parentData: Record<string | number, unknown>
  readonly parentDataProperty: string | number
}

/** Adds a keyword that replaces texts; without a replacement, the text is not valid. */
function replaceTexts<V>(
  ajv: Ajv,
  keyword: string,
  replace: (text: string, value: V, schema: { readonly maxLength?: number }) => string | undefined,
): void {
  ajv.addKeyword({
    keyword,
    type: 'string',
    modifying: true,
    validate: (value: V, text: string, schema: object = {}, place?: TextPlace) => {
      const replaced = replace(text, value, schema)
      if (replaced !== undefined && place !== undefined) place.parentData[place.parentDataProperty] = replaced
      return replaced !== undefined
    },
  })
}

/** A calendar, week or ordinal date, a time with an optional fraction, and an optional offset. */
const ISO_DATE_TIME =
  /^(\d{4}-?(?:\d\d-?\d\d|W\d\d-?\d|\d{3}))T(\d\d)(?::?(\d\d)(?::?(\d\d))?)?(?:[.,](\d+))?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/i

/**
 * Converts an ISO 8601 date-time to RFC 3339 in UTC (D4), with six decimals so that texts sort by
 * time. PostgreSQL and RFC 3339 share the years 1 to 9999.
 */
function readInstant(sent: string): string | undefined {
  const [, date, hour, minute, second, fraction = '', offset = ''] = ISO_DATE_TIME.exec(sent) ?? []
  if (date === undefined || hour === undefined) return undefined
  if (hour === '24' && /[1-9]/.test(fraction)) return undefined
  const unitSeconds = second !== undefined ? 1 : minute !== undefined ? 60 : 3600
  const microseconds = Math.floor((Number(fraction.slice(0, 12).padEnd(12, '0')) * unitSeconds) / 1e6)
  const text = `${date}T${hour}:${minute ?? '00'}:${second ?? '00'}${offset}`
  const whole = DateTime.fromISO(text.toUpperCase(), { zone: 'utc' })
  const instant = whole.plus({ seconds: Math.floor(microseconds / 1e6) })
  if (!instant.isValid || instant.year < 1 || instant.year > 9999) return undefined
  return `${instant.toISO().slice(0, 19)}.${String(microseconds % 1e6).padStart(6, '0')}Z`
}

/** Converts the texts of integers and booleans; other text fails the validation. */
function textReader(schema: TSchema): (data: unknown) => unknown {
  const properties: Record<string, { type?: string }> =
    'properties' in schema ? Object(schema.properties) : {}
  const typed = Object.entries(properties)
  return (data) => {
    const fields: Record<string, unknown> = Object(data)
    for (const [name, { type }] of typed) {
      const value = fields[name]
      if (type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value))
        fields[name] = Number(value)
      if (type === 'boolean' && (value === 'true' || value === 'false')) fields[name] = value === 'true'
    }
    return data
  }
}

/** The first error; for a choice with its own message, the choice rather than its first branch. */
function tellingError(found: readonly ErrorObject[]): ErrorObject | undefined {
  return (
    found.find(({ keyword, parentSchema }) => keyword === 'anyOf' && 'x-wants' in Object(parentSchema)) ??
    found[0]
  )
}

function describeError(error: ErrorObject | undefined, part: Part): string {
  if (error === undefined) return 'The request is not valid'
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  if (error.keyword === 'required') {
    const missing = String(error.params.missingProperty)
    return `${path === '' ? missing : `${path}.${missing}`} is required`
  }
  if (path === '') return part === 'body' ? describeBody(error) : 'The request is not valid'
  return `${path} ${describeWanted(error)}`
}

function describeBody({ parentSchema }: ErrorObject): string {
  const { minProperties, properties = {} }: { minProperties?: number; properties?: object } =
    Object(parentSchema)
  if (minProperties === undefined) return 'The body must be a JSON object'
  return `The body must be a JSON object with at least one of ${Object.keys(properties).join(', ')}`
}

function describeWanted({ keyword, params, message, schema, parentSchema, data }: ErrorObject): string {
  switch (keyword) {
    case 'enum':
      return `must be one of ${[params.allowedValues].flat().join(', ')}`
    case 'format':
      return params.format === 'uuid' ? 'must be a UUID' : `must be a ${params.format}`
    case 'type':
      if (params.type === 'null') return `must ${parentSchema?.['x-wants'] ?? 'be absent'}`
      return `must be ${/^[aeiou]/.test(params.type) ? 'an' : 'a'} ${[params.type].flat().join(' or ')}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minItems':
      return `must have at least ${params.limit} ${params.limit === 1 ? 'item' : 'items'}`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'multipleOf':
      return `must be a multiple of ${schema}`
    case 'x-max-bytes':
      return `must have at most ${schema} bytes`
    case 'x-instant':
      return 'must be an ISO 8601 date-time, for example 2026-04-01T18:00:00Z'
    case 'x-text':
      return 'must be well-formed Unicode without U+0000'
    case 'x-visible':
      return describeHidden(tidyText(String(data)), Number(parentSchema?.maxLength))
    case 'anyOf':
    case 'pattern':
      return `must ${parentSchema?.['x-wants'] ?? `match ${params.pattern}`}`
    default:
      return message ?? 'is not valid'
  }
}

function describeHidden(text: string, maxLength: number): string {
  const hidden = findHidden(text)
  if (hidden !== undefined)
    return `must not contain ${hidden}; remove invisible, control and direction characters`
  if ([...text].length > maxLength) return `must have at most ${maxLength} characters in NFC`
  return `must not be "${DELETED_USER}", the name of deleted users; choose another name`
}
