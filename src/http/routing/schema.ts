import Type, { type TProperties, type TSchema, type TSchemaOptions, type TString } from 'typebox'
import { errors } from './errors.ts'

/** Text that a person writes: U+0000 and lone surrogates are refused (D7). `maxBytes` counts UTF-8, `maxLength` characters. */
export function Written(
  options: TSchemaOptions & { minLength?: number; maxLength?: number; maxBytes?: number } = {},
): TString {
  const { maxBytes, ...rest } = options
  return Type.String({
    ...rest,
    'x-text': 'written',
    ...(maxBytes !== undefined && { 'x-max-bytes': maxBytes }),
  })
}

/** Written text that holds more than white space. */
export function Filled(options: Parameters<typeof Written>[0] = {}): TString {
  return Written({ ...options, pattern: '\\S', 'x-wants': 'not be empty' })
}

/** An e-mail address, loosely: something at something. */
export function Email(options: { maxLength?: number } = {}): TString {
  return Written({ ...options, pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$', 'x-wants': 'be an e-mail address' })
}

/** Text that a program printed: what JSON or PostgreSQL cannot carry becomes U+FFFD, never a refusal (D7). */
export function Printed(options: TSchemaOptions = {}): TString {
  return Type.String({ ...options, 'x-text': 'printed' })
}

/** A UUID in canonical text form; upper case is read as lower case. */
export function Uuid(options: TSchemaOptions = {}): TString {
  return Type.String({ ...options, format: 'uuid' })
}

/** An integer id of 32 bits (D2). */
export function IntegerId(options: TSchemaOptions = {}) {
  return Type.Integer({ ...options, minimum: 0, maximum: 2_147_483_647 })
}

/** An instant as it leaves: RFC 3339 in UTC (D4). */
export function Instant(options: TSchemaOptions = {}): TString {
  return Type.String({ ...options, format: 'date-time' })
}

/** An instant as it may be sent: any ISO 8601 date-time, UTC where it names no offset (D4). */
export function DateTime(options: TSchemaOptions = {}): TString {
  return Type.String({ ...options, 'x-instant': true })
}

/** A field that may be absent, or null, which is the same: many clients write what they do not have as null. */
export function Nullable<S extends TSchema>(schema: S) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}

/** A body that may be absent or empty (D3). */
export function OptionalBody<P extends TProperties>(properties: P, options: TSchemaOptions = {}) {
  return Type.Object(properties, { ...options, 'x-optional': true })
}

/** An answer's object: exactly these fields. */
export function ResponseObject<P extends TProperties>(properties: P, options: TSchemaOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false })
}

export const MessageResponse = ResponseObject({ message: Type.String() }, { title: 'Message' })

export const NoFields = Type.Object({})
export const UserPath = Type.Object({ user_id: Uuid() })

const ErrorCode = Type.Enum([...new Set(Object.values(errors).map(({ code }) => code))], {
  title: 'ErrorCode',
})

/** The one error body (D1). */
export const ErrorResponse = ResponseObject(
  {
    error: Type.String({ description: 'What is wrong, and where it helps what would be right.' }),
    code: ErrorCode,
    message: Type.String({ description: 'The same as `error`.' }),
    request_id: Type.Optional(Uuid({ description: 'With a 5xx: the request’s id in the service’s log.' })),
  },
  { title: 'Error' },
)
