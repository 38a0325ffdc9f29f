import type { Operation, Parameter, Schema } from '../../verification/openapi-operations.ts'

/** The singular of a word in a path or a field. */
export function singularOf(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '')
}

/** The kind of value in a field, for example `category_id` for `category_ids`. */
export function liveNameOf(name: string, owner: string, isId: boolean): string {
  if (name === 'id') return `${singularOf(owner)}_id`
  const one = singularOf(name)
  return !isId || one.endsWith('_id') ? one : `${one}_id`
}

/** The kind of value in a parameter. */
export function liveNameIn({ path }: Operation, { name, schema }: Parameter): string {
  return liveNameOf(name, ownerIn(path, name), isIdLike(schema))
}

/** The collection of a path's parameter: the fixed segment before it, or the last. */
export function ownerIn(path: string, name: string): string {
  return collectionOf((path.split(`{${name}}`, 1)[0] ?? path).split('/'))
}

/** The last fixed segment of a path. */
export function collectionOf(segments: readonly string[]): string {
  return segments.findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? ''
}

/** The kinds of values that requests use. */
export function usedNamesOf(operations: readonly Operation[]): Set<string> {
  const names = operations.flatMap((operation) => [
    ...operation.parameters.map((parameter) => liveNameIn(operation, parameter)),
    ...(operation.body === undefined
      ? []
      : namesWithin(operation.body.schema, '', collectionOf(operation.path.split('/')))),
  ])
  return new Set(names)
}

function namesWithin(schema: Schema, name: string, owner: string): string[] {
  const fields = Object.entries(schema.properties ?? {})
  return [
    ...(name === '' ? [] : [liveNameOf(name, owner, isIdLike(schema))]),
    ...fields.flatMap(([field, inner]) => namesWithin(inner, field, name === '' ? owner : name)),
    ...(schema.anyOf ?? []).flatMap((part) => namesWithin(part, name, owner)),
    ...(schema.items === undefined ? [] : namesWithin(schema.items, name, owner)),
  ]
}

const isIdLike = ({ format, type }: Schema) => format === 'uuid' || type === 'integer'
