/** A JSON Schema as the document holds it. */
export interface DocumentSchema {
  readonly [keyword: string]: unknown
}

/** The document's components, collected while its operations are described. */
export interface Components {
  readonly schemas: Map<string, DocumentSchema>
  readonly responses: Map<string, object>
  readonly parameters: Map<string, object>
}

/**
 * Converts a route's schema: keywords of our validator are dropped, and a schema with a `title`
 * becomes a component. Throws if two different schemas have one title.
 */
export function describeSchema(schema: object, components: Components): DocumentSchema {
  const { title, ...described } = describeKeywords(schema, components)
  if (typeof title !== 'string') return described
  const known = components.schemas.get(title)
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(described)) {
    throw new Error(`two schemas are called ${title}`)
  }
  components.schemas.set(title, described)
  return { $ref: `#/components/schemas/${title}` }
}

function describeKeywords(schema: object, components: Components): DocumentSchema {
  const described: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (VALIDATOR_KEYWORDS.has(keyword)) continue
    if (keyword === 'properties') described.properties = describeProperties(value, components)
    else if (keyword === 'items') described.items = describeSchema(value, components)
    else if (keyword === 'patternProperties')
      // Our maps have one pattern for all names. Client generators know the standard form.
      described.additionalProperties = describeSchema(Object.values<object>(value)[0] ?? {}, components)
    else if (keyword === 'anyOf')
      described.anyOf = value.map((one: object) => describeSchema(one, components))
    else described[keyword] = value
  }
  if (Array.isArray(described.enum)) described.type = 'string'
  // The format `date-time` would mean RFC 3339; the service accepts more (D4).
  if ('x-instant' in described)
    described.description = [described.description, INSTANT].filter(Boolean).join(' ')
  return described
}

/** Keywords for the service itself. */
const VALIDATOR_KEYWORDS = new Set(['x-wants', 'x-optional', 'x-lower-case', 'x-media-type'])

const INSTANT = 'Any ISO 8601 date-time, such as `2026-04-01T18:00:00Z`; without an offset it is UTC.'

function describeProperties(properties: object, components: Components): DocumentSchema {
  const entries = Object.entries(properties)
  return Object.fromEntries(entries.map(([name, schema]) => [name, describeSchema(schema, components)]))
}
