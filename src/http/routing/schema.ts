import Type, { type TProperties, type TSchema, type TSchemaOptions, type TString } from 'typebox'
import { codeOf, errorKinds } from './errors.ts'

/** People write a text, a program prints it, or a judge explains a verdict with it. */
export type TextKind = 'written' | 'printed' | 'message'

/** Text by people, without U+0000 and lone surrogates (D7). `maxBytes` counts bytes of UTF-8. */
export function Written(
  options: TSchemaOptions & { minLength?: number; maxLength?: number; maxBytes?: number } = {},
): TString {
  return textOf('written', options)
}

/** Text by people, not only white space. */
export function Filled(options: Parameters<typeof Written>[0] = {}): TString {
  return Written({ ...options, pattern: '\\S', 'x-wants': 'not be empty' })
}

/** A new name that others see: in NFC, without outer white space and hidden characters (D11). */
export function Name(options: TSchemaOptions & { maxLength?: number } = {}): TString {
  return Filled({ ...options, 'x-visible': 'name' })
}

/** The same, but it may be empty. */
export function NameOrNone(options: TSchemaOptions & { maxLength?: number } = {}): TString {
  return Written({ ...options, 'x-visible': 'name' })
}

/** A new name of a user or a team: not `Deleted user` either (D11, D36). */
export function OwnerName(options: { maxLength?: number } = {}): TString {
  return Filled({ ...options, 'x-visible': 'owner' })
}

/** An e-mail address of a new user, in NFC and without hidden characters (D11). */
export function UserEmail(options: { maxLength?: number } = {}): TString {
  return Email({ ...options, 'x-visible': 'e-mail' })
}

/** An e-mail address; only the @ is checked. */
export function Email(options: TSchemaOptions & { maxLength?: number } = {}): TString {
  return Written({ ...options, pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$', 'x-wants': 'be an e-mail address' })
}

/** The output of a program: characters that JSON or PostgreSQL cannot store become U+FFFD (D7). */
export function Printed(options: TSchemaOptions & { maxBytes?: number } = {}): TString {
  return textOf('printed', options)
}

/** A message of a judge: the same, without control and direction characters but \r\n, \n and \t. */
export function Message(options: TSchemaOptions & { maxBytes?: number } = {}): TString {
  return textOf('message', options)
}

function textOf(by: TextKind, { maxBytes, ...rest }: TSchemaOptions & { maxBytes?: number }) {
  const limit = maxBytes !== undefined && { 'x-max-bytes': maxBytes }
  return Type.String({ ...rest, 'x-text': by, ...limit })
}

/** A UUID in canonical text form; in a request, upper case is accepted and becomes lower case. */
export function Uuid(options: TSchemaOptions = {}): TString {
  return Type.String({ ...options, format: 'uuid', 'x-lower-case': true })
}

/** A 32-bit integer id (D2). */
export function IntegerId(options: TSchemaOptions = {}) {
  return Type.Integer({ ...options, minimum: -2_147_483_648, maximum: 2_147_483_647 })
}

/** A time in a response: RFC 3339 in UTC (D4). */
export function Instant(options: TSchemaOptions = {}): TString {
  return Type.String({ ...options, format: 'date-time' })
}

/** A time in a request: any ISO 8601 date-time; without an offset it is UTC (D4). */
export function DateTime(options: TSchemaOptions = {}): TString {
  return Type.String({ ...options, 'x-instant': true })
}

/** A value or null. */
export function OrNull<S extends TSchema>(schema: S, options: TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options)
}

/** An optional field; null is the same as absent, because many clients send null. */
export function Nullable<S extends TSchema>(schema: S, options: TSchemaOptions = {}) {
  return Type.Optional(OrNull(schema, options))
}

/** An optional body (D3). */
export function OptionalBody<P extends TProperties>(properties: P, options: TSchemaOptions = {}) {
  return Type.Object(properties, { ...options, 'x-optional': true })
}

/** The body of an update: any of the fields, at least one (D2). */
export function Update<P extends TProperties>(properties: P, options: TSchemaOptions = {}) {
  return Type.Partial(Type.Object(properties), { ...options, minProperties: 1 })
}

/** A body that is a file of this media type, or of any type. */
export function FileContent(mediaType: string): TString {
  return Type.String({ format: 'binary', 'x-media-type': mediaType })
}

/** An object in a response: exactly these fields. */
export function ResponseObject<P extends TProperties>(properties: P, options: TSchemaOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false })
}

export const MessageResponse = ResponseObject({ message: Type.String() }, { title: 'Message' })

export const NoFields = Type.Object({})

const ErrorCode = Type.Enum([...new Set(errorKinds.map(codeOf))], { title: 'ErrorCode' })

/** The body of every error response (D1). */
export const ErrorResponse = ResponseObject(
  {
    error: Type.String({ description: 'States the fault and how to correct it.' }),
    code: ErrorCode,
    message: Type.String({ description: 'Repeats `error`.' }),
    hint: Type.Optional(
      Type.String({ description: 'Only for a token with `Bearer`: how to send the token.' }),
    ),
    rejudging_id: Type.Optional(Uuid({ description: 'Only with `REJUDGING_OPEN`: the open rejudging.' })),
    request_id: Type.Optional(
      Uuid({ description: 'Only with a 5xx: the request’s id in the service’s log.' }),
    ),
  },
  { title: 'ErrorResponse' },
)

/** The body of error responses of the Contest API (P26). */
export const ContestApiError = ResponseObject(
  {
    code: Type.Integer({ description: 'The status of the response.' }),
    message: Type.String({ description: 'States the fault and how to correct it.' }),
  },
  { title: 'ContestApiError' },
)
