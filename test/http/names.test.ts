import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Schema } from '../support/verification/openapi-operations.ts'
import { openWithRecords, schemaOf } from './right-requests.ts'

const recorded = await openWithRecords({})
const { service, admin, ids, pathOf, bodyOf, credentialOf } = recorded

type Path = readonly (string | number)[]

/** Yields the texts by people in a value of this schema. */
function* writtenTexts(schema: Schema, path: Path = []): Generator<{ path: Path; field: Schema }> {
  const [field = {}] = schema.anyOf ?? [schema]
  if (field['x-text'] === 'written' && field.pattern !== ASCII) yield { path, field }
  if (field.items) yield* writtenTexts(field.items, [...path, 0])
  for (const [name, inner] of Object.entries(field.properties ?? {}))
    yield* writtenTexts(inner, [...path, name])
}

const ASCII = '^[\\x21-\\x7e]+$'

const texts = service.routes.flatMap((route) => {
  const [body, params] = [schemaOf(route.body), schemaOf(route.params)]
  const found = [...writtenTexts(body), ...writtenTexts(params)]
  return found.map(({ path, field }) => ({
    ...{ route, path, field, isInPath: params.properties?.[String(path[0])] !== undefined },
    label: `${route.name} ${path.filter((part) => part !== 0).join('.')}`,
  }))
})
const names = texts.filter(({ field }) => field['x-visible'] !== undefined)

/** Returns a value with another one at this path. */
function replace(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((item) => replace(item, rest, by))
  return { ...Object(value), [key]: replace(Object(value)[key], rest, by) }
}

/** Sends a valid request with this name. */
function send({ route, path, isInPath }: (typeof names)[number], name: string) {
  const url = pathOf(route, isInPath ? { [String(path[0])]: encodeURIComponent(name) } : {})
  const body = isInPath ? bodyOf(route) : replace(bodyOf(route), path, name)
  return service.send({ method: route.method, url, body, token: credentialOf(route, admin.token) })
}

const labels = (some: typeof texts) => some.map(({ label }) => label).sort()

describe('names that others see', () => {
  it('have one rule on every route; these are all other texts that people write (D11)', () => {
    expect(labels(names)).toEqual([])
    expect(labels(texts.filter((one) => !names.includes(one)))).toEqual([])
  })

  it('are refused with invisible, control and direction characters, which the message names (400) (D11)', async () => {
    const hidden = {
      '202E': 'a\u202Eb',
      '200B': 'a\u200Bb',
      '001B': 'a\u001B[2J',
      '000A': 'a\nb',
      '200D': '1\u200D2',
    }
    for (const name of names)
      for (const [code, text] of Object.entries(hidden)) {
        const sent = name.field['x-visible'] === 'e-mail' ? `${text}@example.org` : text
        if (name.field['x-visible'] === 'e-mail' && code === '000A') continue
        const message = expect.stringContaining(`must not contain U+${code}; remove invisible, control`)
        expect(await send(name, sent), `${name.label} ${code}`).toMatchObject({
          status: 400,
          body: { message },
        })
      }
  })

  it('of earlier releases stay as they are, until a write sends them again (400) (D11)', async () => {
    const old = 'Old\u200B \u202Ename'
    const update = (table: string, column: string, id: unknown) =>
      service.database.query(unprepared(`update ${table} set ${column} = $2 where id = $1`), [id, old])
    await update('events', 'title', ids.event_id)
    await update('problems', 'title', ids.problem_id)
    await update('teams', 'name', ids.team_id)
    await update('event_problems', 'label', ids.event_problem_id)
    const within = `/v1/events/${ids.event_id}`
    const problem = `/v1/problems/${ids.problem_id}`
    for (const [url, change, field] of [
      [within, { description: 'Changed' }, 'title'],
      [problem, { source: 'Changed' }, 'title'],
      [`${within}/problems/${ids.event_problem_id}`, { position: 1 }, 'label'],
    ] as const) {
      await admin.put(url, change, 200)
      const read = await admin.get(url)
      expect(read).toMatchObject({ ...change, [field]: old })
      await admin.put(url, { ...change, [field]: read[field] }, 400)
    }
    expect((await admin.get(`${within}/teams/${ids.team_id}`)).name).toBe(old)
  })
})
