import Type, { type TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { actorStatement } from '../../src/db/actor-statement.ts'
import type { Transactable } from '../../src/db/database.ts'
import { ActorDatabase } from '../../src/http/routing/actor.ts'
import * as schema from '../../src/http/routing/schema.ts'
import { createValidatorCompiler } from '../../src/http/routing/validation.ts'

const compile = createValidatorCompiler()
const MIXED = Type.Union([Type.Integer(), schema.Uuid()], { 'x-wants': 'be an integer or a UUID' })
const WRONG_EMAILS = ['', 'plain', 'a@', '@b', 'a b@c', 'a@b c', 'a@b@c']
const CASES: readonly [name: string, field: TSchema, wrong: readonly unknown[], message: string][] = [
  ['a string', Type.String(), [null, 7, true, ['text'], {}], 'must be a string'],
  ['an integer', Type.Integer(), [null, '1', 1.5, {}], 'must be an integer'],
  ['a number', Type.Number(), [null, '5', Number.POSITIVE_INFINITY], 'must be a number'],
  ['a boolean', Type.Boolean(), [null, 'true', 0, 1, []], 'must be a boolean'],
  ['an array', Type.Array(Type.String()), [null, {}, 'text'], 'must be an array'],
  ['items', Type.Array(Type.String(), { minItems: 1 }), [[]], 'must have at least 1 item'],
  ['few items', Type.Array(Type.String(), { maxItems: 2 }), [['a', 'b', 'c']], 'must have at most 2 items'],
  ['an object', Type.Object({}), [null, 7, 'text'], 'must be an object'],
  ['one of some', Type.Enum(['EASY', 'HARD']), ['easy', '', null], 'must be one of EASY, HARD'],
  ['a UUID', schema.Uuid(), ['', 'me', '7', '{00000000-0000-7000-8000-000000000000}'], 'must be a UUID'],
  ['an id of 32 bits', schema.IntegerId(), [2 ** 31, 1e300], 'must be <= 2147483647'],
  ['a positive number', Type.Number({ exclusiveMinimum: 0 }), [0, -1], 'must be > 0'],
  ['filled text', schema.Filled(), ['', ' \t\r\n\u00a0\ufeff'], 'must not be empty'],
  ['an e-mail', schema.Email(), WRONG_EMAILS, 'must be an e-mail address'],
  ['long text', schema.Written({ minLength: 6 }), ['short'], 'must have at least 6 characters'],
  ['short text', schema.Written({ maxLength: 3 }), ['😀😀😀😀'], 'must have at most 3 characters'],
  ['few bytes', schema.Written({ maxBytes: 3 }), ['😀'], 'must have at most 3 bytes'],
  [
    ...(['written text', schema.Written(), ['a\0b', 'a\ud800b', '\udc00', '\ude42\ud83d']] as const),
    'must be well-formed Unicode without U+0000',
  ],
  ['a choice', MIXED, ['python', 1.5, null, [1]], 'must be an integer or a UUID'],
]

describe('a field of a body', () => {
  it.each(CASES)('that must be %s gets 400 with its name and this rule', (_, field, wrong, message) => {
    const validate = compile(Type.Object({ outer: Type.Array(Type.Object({ field })) }), 'body')
    for (const value of wrong) {
      expect(validate({ outer: [{ field: value }] }), JSON.stringify(value)).toMatchObject({
        error: { kind: 'VALIDATION', message: `outer.0.field ${message}` },
      })
    }
    expect(validate({ outer: [{}] })).toMatchObject({ error: { message: 'outer.0.field is required' } })
  })

  it('is a name in NFC and without outer spaces, of at most as many characters (D11)', () => {
    const validate = compile(Type.Object({ name: schema.Name({ maxLength: 2 }) }), 'body')
    expect(validate({ name: ' e\u0301 '.trim() })).toEqual({ value: { name: '\u00e9' } })
    // Three characters in NFC.
    expect(validate({ name: '\u{1D160}' })).toMatchObject({
      error: { message: 'name must have at most 2 characters in NFC' },
    })
  })

  it('gets U+FFFD for characters that PostgreSQL cannot store, in the output of a program (D7)', () => {
    const validate = compile(Type.Object({ stdout: schema.Printed() }), 'body')
    expect(validate({ stdout: 'a\0b\ud800' })).toEqual({ value: { stdout: 'a\ufffdb\ufffd' } })
  })
})

const ID = '00000000-0000-7000-8000-000000000001'
const CLAIMS = { id: ID, role: 0, sessionVersion: 3, expiresAtMs: Number.POSITIVE_INFINITY } as const

const statement = actorStatement({
  name: 'read_name',
  params: { name: 'text' },
  columns: { name: 'text' },
  select: 'select :name as name',
})

it('no value of a request replaces those of the actor', async () => {
  const asked: unknown[] = []
  const query = async (...[, values]: readonly unknown[]) => {
    asked.push(values)
    return [{ name: 'Ada', is_found: true }] as never[]
  }
  const database: Transactable = { query, transaction: () => Promise.reject(new Error('not expected')) }
  const forged = { name: 'Ada', actor: '00000000-0000-7000-8000-000000000002', actor_role: 2 }
  await new ActorDatabase(database, CLAIMS).query(statement, forged)
  expect(asked).toEqual([{ name: 'Ada', actor: ID, actor_role: 0, actor_session: 3 }])
})
