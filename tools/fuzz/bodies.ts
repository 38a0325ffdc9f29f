import fc from 'fast-check'
import { zipFiles } from '../local-servers/zip.ts'
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

const files: Readonly<Record<string, string>> = {
  'problem.yaml': 'problem_format_version: 2025-09\nname: Echo\nuuid: echo\nkeywords: [fuzz]\n',
  'statement/problem.en.md': 'Print the line.\n',
  'statement/picture.png': 'a picture',
  'attachments/page.html': '<script>1</script>\n',
  'data/sample/1.in': '1\n',
  'data/sample/1.ans': '1\n',
  'data/secret/1.in': '2\n',
  'data/secret/1.ans': '2\n',
  'input_validators/check.py': 'exit(42)\n',
  'submissions/accepted/echo.py': 'print(input())\n',
  'submissions/accepted/parts/main.py': 'import echo\n',
  'submissions/accepted/parts/echo.py': 'print(input())\n',
}

const scoring = {
  ...files,
  'problem.yaml': 'problem_format_version: 2025-09\nname: Points\nuuid: points\ntype: scoring\n',
  'data/secret/test_group.yaml': 'max_score: 7\n',
}

const packages = [await zipFiles(files), await zipFiles(scoring)]

export const rightPackages: fc.Arbitrary<Body> = fc
  .constantFrom(...packages)
  .map((bytes) => ({ as: 'bytes', bytes }))

const damage = fc.record({ place: fc.nat(10_000), byte: fc.nat(255) })

/** Packages with a few wrong bytes, or without their end. */
export const damagedPackages: fc.Arbitrary<Body> = fc
  .tuple(fc.constantFrom(...packages), fc.array(damage, { maxLength: 3 }), fc.option(fc.nat(10_000)))
  .map(([whole, damages, length]) => {
    const bytes = Buffer.from(whole.subarray(0, length === null ? undefined : length % whole.length))
    for (const { place, byte } of damages) if (bytes.length > 0) bytes[place % bytes.length] = byte
    return { as: 'bytes', bytes }
  })
