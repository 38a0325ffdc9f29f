import { describe, expect, it } from 'vitest'
import { type PeopleFaults, readPeopleCsv } from '../src/people-csv.ts'

const faults: PeopleFaults = {
  empty: () => new Error('empty'),
  uneven: (line) => new Error(`uneven at ${line}`),
  malformed: (line, reason) => new Error(`malformed at ${line}: ${reason}`),
  repeated: (column) => new Error(`${column} twice`),
  missing: (column) => new Error(`no ${column}`),
  similar: (name, column) => new Error(`${name} for ${column}`),
}
const read = (text: string, mostRows?: number) => readAll(text, mostRows).rows
const readAll = (text: string, mostRows?: number) =>
  readPeopleCsv(text, {
    columns: ['name', 'email', 'password', 'team', 'extra_minutes'],
    ...(mostRows !== undefined && { mostRows }),
    faults,
  })

describe('a CSV file of people', () => {
  it('is read with a BOM, CRLF, quotes, other columns in any order, and empty lines', () => {
    const lines = [
      '\uFEFF"Email",Group, NAME ,team\r\n',
      'ada@example.org,A,"Lovelace, ""Ada""\nCountess",Owls\r\n',
      '\r\n,,,\r\n',
      ' zoe@example.org ,B,Zoë Ω,\r\n',
    ]
    expect(read(lines.join(''))).toEqual([
      { line: 3, cells: { name: 'Lovelace, "Ada"\nCountess', email: 'ada@example.org', team: 'Owls' } },
      { line: 6, cells: { name: 'Zoë Ω', email: ' zoe@example.org ', team: '' } },
    ])
  })

  it.each([',', ';', '\t'])('may have the separator %j, also with others in its cells', (separator) => {
    const text = [
      ['name', 'email'],
      ['"A,;\t"', 'a@example.org'],
    ].map((cells) => cells.join(separator))
    expect(read(text.join('\n'))).toEqual([{ line: 2, cells: { name: 'A,;\t', email: 'a@example.org' } }])
  })

  it('is read up to a number of rows', () => {
    const text = `name,email\n${'A,a@example.org\n'.repeat(4)}uneven\n`
    expect(read(text, 3)).toHaveLength(3)
    expect(() => read(text)).toThrow('uneven at 6')
  })

  it.each([
    ['', 'empty'],
    ['\r\n,\r\n', 'empty'],
    ['email\na@example.org\n', 'no name'],
    ['Name;E-Mail\nA;a@example.org\n', 'E-Mail for email'],
    ['name,email,extra_minute\nA,a@example.org,5\n', 'extra_minute for extra_minutes'],
    ['name,email, Extra Minutes\nA,a@example.org,5\n', 'Extra Minutes for extra_minutes'],
    ['name,email,pasword\nA,a@example.org,5\n', 'pasword for password'],
    ['nane,email\nA,a@example.org\n', 'nane for name'],
    ['name,email,Team,team \nA,a@example.org,,\n', 'team twice'],
    ['name,email\nA,a@example.org\nB,b@example.org,x\n', 'uneven at 3'],
    ['name,email\nA,"a" x\n', /^malformed at 2: Invalid Closing Quote/],
    ['name,email\nA,"a\n', /^malformed at 2: Quote Not Closed/],
  ])('%j is faulty', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  it('may have columns that nobody reads twice', () => {
    expect(read('name,email,x,x\nA,a@example.org,1,2\n')).toHaveLength(1)
  })

  it('names the columns that it ignores, at most ten of them', () => {
    const warningsOf = (others: string) => readAll(`${others},name,email\n`).warnings
    expect(warningsOf('Group')).toEqual(['the column Group is ignored'])
    expect(warningsOf('First name,Date,,#,Seat,First name')).toEqual([
      'the columns First name, Date, #, Seat are ignored',
    ])
    const many = Array.from({ length: 12 }, (_, i) => `x${i}`).join()
    expect(warningsOf(many)).toEqual([
      expect.stringMatching(/^the columns x0, .* x9 and 2 more are ignored$/),
    ])
    expect(warningsOf('team')).toEqual([])
  })
})
