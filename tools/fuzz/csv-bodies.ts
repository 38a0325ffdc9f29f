import fc from 'fast-check'
import type { Body } from './plan.ts'
import { codePoint } from './right-values.ts'

const word = fc.string({ unit: codePoint, minLength: 1, maxLength: 20 })
const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`

type User = Record<'name' | 'email' | 'password' | 'team', string>

/** Headers, with the cells below them. Only imports to an event with teams accept a team. */
const headers: { line: string; columns: (keyof User)[] }[] = [
  { line: 'name,email,password', columns: ['name', 'email', 'password'] },
  { line: '\uFEFFName,E-Mail,password', columns: ['name', 'email', 'password'] },
  { line: 'name,email,password,team', columns: ['name', 'email', 'password', 'team'] },
  { line: 'Team,name,email', columns: ['team', 'name', 'email'] },
]

const user = fc
  .tuple(
    fc.uuid(),
    word,
    fc.constantFrom('', 'short', 'a long enough password'),
    fc.oneof(word, fc.constantFrom('', 'one', 'ONE')),
  )
  .map(([id, text, password, team]): User => {
    return { name: `${text} ${id}`, email: `${id}@fuzz.example`, password, team }
  })

/** CSV files of a few users; most of them are right. */
export const csvBodies: fc.Arbitrary<Body> = fc
  .record({
    users: fc.array(user, { minLength: 1, maxLength: 3 }),
    header: fc.constantFrom(...headers),
    lineEnd: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ users, header: { line, columns }, lineEnd }) => {
    const rows = users.map((cells) => columns.map((name) => quote(cells[name])).join(','))
    return { as: 'bytes', bytes: Buffer.from([line, ...rows, ''].join(lineEnd)) }
  })
