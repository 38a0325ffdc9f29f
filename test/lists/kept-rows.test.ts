import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCompression } from '../../src/lists/compression.ts'
import { type KeptRows, spliceRows } from '../../src/lists/kept-rows.ts'
import { FIELD_END, ROW_END } from '../../src/lists/rows.ts'

const FORM = { tail: ']}', prefix: (rank: number) => `{"rank":${rank}` }
const PEOPLE = 400

/** A person's score; undefined: the person has gone. */
type Scores = ReadonlyMap<number, number | undefined>

const textOf = (id: number, score: number) => `,"id":${id},"name":"Ünïcode ${id}","score":${score}}`

function read(kept: KeptRows | undefined, changed: Scores, version: number, ofOthers?: KeptRows): KeptRows {
  const rows = [...changed].map(([id, score]) => {
    const rank = String(2000 - (score ?? 0))
    const text = score === undefined ? '' : textOf(id, score)
    return [id, rank, String(id).padStart(4, '0'), text].join(FIELD_END)
  })
  const row = {
    ...{ version: `${version}`, audience: 'everybody', is_kept: kept !== undefined },
    ...{ basis: '', snapshot: `${version}`, head: `{"at":${version},"rows":[` },
    rows: rows.length === 0 ? null : rows.join(ROW_END),
  }
  return spliceRows(kept, row, FORM, ofOthers)
}

/** The whole text, written without any kept row. */
function writeWhole(scores: Scores, version: number): string {
  const people = [...scores].flatMap(([id, score]) => (score === undefined ? [] : [{ id, score }]))
  const ranked = people.sort((a, b) => b.score - a.score || a.id - b.id)
  const rows = ranked.map(({ id, score }) => {
    const rank = 1 + ranked.filter((other) => other.score > score).length
    return `{"rank":${rank}${textOf(id, score)}`
  })
  return `{"at":${version},"rows":[${rows.join()}]}`
}

const someScores = fc.dictionary(
  fc.integer({ min: 0, max: PEOPLE - 1 }).map(String),
  fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
  { maxKeys: 12 },
)

it('writes each version as if it were written as a whole, also compressed in parts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someScores, { minLength: 1, maxLength: 8 }), async (versions) => {
      const compress = createCompression()
      const people = Array.from({ length: PEOPLE }, (_, id): [number, number] => [id, id % 7])
      const all = new Map<number, number | undefined>(people)
      let kept = read(undefined, all, 0)
      for (const [index, changes] of versions.entries()) {
        const changed = new Map(Object.entries(changes).map(([id, score]) => [Number(id), score]))
        for (const [id, score] of changed) all.set(id, score)
        kept = read(kept, changed, index + 1)
        const expected = writeWhole(all, index + 1)
        const { body } = await compress({ 'accept-encoding': 'gzip' }, kept.text)
        expect(gunzipSync(body).toString()).toBe(expected)
        expect((await compress({}, kept.text)).body.toString()).toBe(expected)
      }
    }),
    { numRuns: 30 },
  )
})

it('shares with another audience what is the same, and nothing else', () => {
  const scores = new Map(Array.from({ length: PEOPLE }, (_, id): [number, number] => [id, PEOPLE - id]))
  const live = read(undefined, scores, 0)
  const frozen = read(undefined, scores, 0, live)
  expect(frozen.rows.every((row, place) => row === live.rows[place])).toBe(true)
  expect(frozen.text.parts.slice(1, -1)).toSatisfy((parts: readonly Buffer[]) =>
    parts.every((part, place) => part === live.text.parts[place + 1]),
  )
  // Only the live view sees this change, and then both.
  const change = new Map([[200, PEOPLE - 129.5]])
  const changed = read(live, change, 1, frozen)
  expect(changed.text.toString()).toBe(writeWhole(new Map([...scores, ...change]), 1))
  expect(read(frozen, new Map(), 1, changed).text.toString()).toBe(writeWhole(scores, 1))
  const thawed = read(frozen, change, 2, changed)
  expect(thawed.text.toString()).toBe(writeWhole(new Map([...scores, ...change]), 2))
  expect(thawed.rows.every((row, place) => row === changed.rows[place])).toBe(true)
})
