import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { running } from '../support/contests.ts'
import { invalidField } from '../support/refusals.ts'
import type { Schema } from '../support/verification/openapi-operations.ts'
import { openWithRecords, schemaOf } from './right-requests.ts'

const recorded = await openWithRecords({})
const { service, admin, user, problem, ids, language, pathOf, bodyOf, credentialOf } = recorded
const within = `/v1/events/${ids.event_id}`

interface Text {
  readonly path: readonly (string | number)[]
  readonly field: Schema
}

/** The texts by people in a value of this schema. */
function* writtenTexts(schema: Schema, path: Text['path'] = []): Generator<Text> {
  const [field = {}] = schema.anyOf ?? [schema]
  if (field['x-text'] === 'written') yield { path, field }
  if (field.items) yield* writtenTexts(field.items, [...path, 0])
  for (const [name, inner] of Object.entries(field.properties ?? {}))
    yield* writtenTexts(inner, [...path, name])
}

const found = service.routes.flatMap((route) =>
  [...writtenTexts(schemaOf(route.body)), ...writtenTexts(schemaOf(route.params))].map((text) => ({
    ...text,
    route,
    label: `${route.name} ${text.path.filter((part) => part !== 0).join('.')}`,
  })),
)
const names = found.filter(({ field }) => field['x-visible'] !== undefined)
const labelsOf = (some: typeof found) => some.map(({ label }) => label).sort()

/** A value with another one at this path. */
function replace(value: unknown, [key, ...rest]: Text['path'], by: unknown): unknown {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((item) => replace(item, rest, by))
  return { ...Object(value), [key]: replace(Object(value)[key], rest, by) }
}

describe('names that others see', () => {
  it('have one rule on every route; all other texts by people are these (D11)', () => {
    expect(labelsOf(names)).toEqual([])
    expect(labelsOf(found.filter((one) => !names.includes(one)))).toEqual([])
  })

  it('are refused with invisible, control and direction characters, which the message names (400) (D11)', async () => {
    for (const { route, path, label } of names) {
      const isInPath = schemaOf(route.params).properties?.[String(path[0])] !== undefined
      for (const hidden of ['a\u202Eb', 'a\u200Bb', '\u001B[2Ja', 'a\nb', '1\u200D2']) {
        const [code = 0] = /[\u202E\u200B\u001B\n\u200D]/.exec(hidden)?.[0].codePointAt(0) ? [hidden] : []
        const url = pathOf(route, isInPath ? { [String(path[0])]: encodeURIComponent(hidden) } : {})
        const body = isInPath ? bodyOf(route) : replace(bodyOf(route), path, hidden)
        const sent = await service.send({ method: route.method, url, body, token: credentialOf(route, admin.token) })
        const message = expect.stringMatching(/must not contain U\+[0-9A-F]{4}; remove invisible, control/)
        expect(sent, `${label} ${code}`).toMatchObject({ status: 400, body: { message } })
      }
    }
  })
})
