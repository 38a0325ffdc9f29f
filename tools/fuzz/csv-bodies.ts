import fc from 'fast-check'
import type { Body } from './plan.ts'
import { codePoint } from './right-values.ts'

const word = fc.string({ unit: codePoint, minLength: 1, maxLength: 20 })
const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`

const user = fc
  .tuple(fc.uuid(), word, fc.constantFrom('', 'short', 'a long enough password'))
  .map(([id, text, password]) => [`${text} ${id}`, `${id}@fuzz.example`, password].map(quote).join(','))

/** CSV files of a few users; most of them are right. */
export const csvBodies: fc.Arbitrary<Body> = fc
  .record({
    users: fc.array(user, { minLength: 1, maxLength: 3 }),
    header: fc.constantFrom('name,email,password', '\uFEFFName,E-Mail,password', 'name,email,password'),
    lineEnd: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ users, header, lineEnd }) => ({
    as: 'bytes',
    bytes: Buffer.from([header, ...users, ''].join(lineEnd)),
  }))
