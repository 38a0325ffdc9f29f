import { expect, it } from 'vitest'
import { statement } from '../../src/db/statement.ts'

it('a statement has the numbers and types of its parameters', () => {
  const params = { id: 'uuid', title: 'text | null', at: 'timestamptz?' } as const
  const sql = 'select :title::text where :id = :id and :at is null'
  expect(statement({ name: 'example', params, sql })).toMatchObject({
    text: 'select $1::text::text where $2::uuid = $2::uuid and $3::timestamptz is null',
    order: ['title', 'id', 'at'],
  })
})

it.each([
  ['uses a parameter that it does not have', { name: 'example', sql: 'select :id' }],
  ['does not use a parameter', { name: 'example', params: { id: 'uuid' } as const, sql: 'select' }],
  ['has a name that PostgreSQL would cut', { name: 'ä'.repeat(32), sql: 'select' }],
])('a statement is refused that %s', (_, definition) => {
  expect(() => statement(definition)).toThrow(/has no parameter :id|does not use :id|is too long/)
})
