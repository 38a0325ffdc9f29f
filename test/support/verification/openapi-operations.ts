import type { VisibleKind } from '@judge-data-layer/runtime/visible-text'
import type { TextKind } from '../../../src/http/routing/schema.ts'
import type { ApiDocument } from '../../../src/openapi/document.ts'

/** The part of JSON Schema that requests use, without references. */
export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly multipleOf?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly 'x-instant'?: true
  readonly 'x-text'?: TextKind
  readonly 'x-max-bytes'?: number
  readonly 'x-visible'?: VisibleKind
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Schema
}

export interface Operation {
  readonly id: string
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: { readonly required: boolean; readonly schema: Schema } | undefined
  readonly takesCsv: boolean
  /** The media type of a body that is a file. */
  readonly upload: string | undefined
  /** The name of its security scheme; `none`, or `token or none` if it needs none. */
  readonly credential: string
}

interface DocumentedOperation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
  readonly security?: readonly object[]
}

export const DOCUMENT_PATH = '/openapi.json'

export async function readDocument(url: string): Promise<ApiDocument> {
  const response = await fetch(url + DOCUMENT_PATH)
  return JSON.parse(await response.text())
}

/** Reads the operations of a document in its order, without references. */
export function readOperations(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      // The document's tests validate it with OpenAPI's own schema.
      const operation = resolveReferences(document, described) as DocumentedOperation
      const { requestBody } = operation
      const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
      const isJson = type === 'application/json'
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        body: requestBody && content && isJson ? { ...content, required: requestBody.required } : undefined,
        takesCsv: 'text/csv' in (requestBody?.content ?? {}),
        upload: isJson ? undefined : type,
        credential: describeCredential(operation.security ?? document.security),
      }
    }),
  )
}

function describeCredential(security: readonly object[]): string {
  const names = security.map((scheme) => Object.keys(scheme)[0] ?? 'none')
  return names.length === 0 ? 'none' : names.join(' or ')
}

/** The value without references: what they name stands in their place. */
export function resolveReferences(document: ApiDocument, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(document, item))
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value) return resolveReferences(document, findAt(document, placeOf(String(value.$ref))))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, resolveReferences(document, inner)]),
  )
}

export const findAt = (document: object, place: readonly string[]): unknown =>
  place.reduce<unknown>(
    (value, name) => Object.getOwnPropertyDescriptor(Object(value), name)?.value,
    document,
  )

/** The place of a reference such as `#/components/schemas/User`. */
export const placeOf = (reference: string) => reference.slice('#/'.length).split('/')
