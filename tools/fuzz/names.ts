import type { Operation, Parameter, Schema } from '../../verification/openapi-operations.ts'

/** The singular of an English word as paths and fields use it. */
export function singularOf(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '')
}

/** Whose value a field holds: `id` is its owner's, `category_ids` are categories', `user` is a user's id. */
export function liveNameOf(name: string, owner: string, isId: boolean): string {
  if (name === 'id') return `${singularOf(owner)}_id`
  const one = singularOf(name)
  return !isId || one.endsWith('_id') ? one : `${one}_id`
}

/** Whose value a parameter of an operation holds. */
export function liveNameIn({ path }: Operation, { name, schema }: Parameter): string {
  return liveNameOf(name, ownerIn(path, name), isIdLike(schema))
}

/** What a path's parameter is one of: the fixed segment before it, or the last. */
export function ownerIn(path: string, name: string): string {
  return collectionOf((path.split(`{${name}}`, 1)[0] ?? path).split('/'))
}

/** The last fixed segment of a path: what its answer is one of. */
export function collectionOf(segments: readonly string[]): string {
  return segments.findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? ''
}

/** Every name whose values some request can use. */
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
