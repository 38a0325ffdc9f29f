import { readdir, readFile } from 'node:fs/promises'
import { endpoints, otherRows } from './conformance-rows.ts'

const root = new URL('../../', import.meta.url)

interface LabelledTest {
  readonly file: string
  readonly labels: readonly string[]
}

/** The title of a test as it stands in a file. */
const TITLE = /^ *(?:it|test)(?:\.\w+(?:\([^)]*\))?)*\(\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/gm

/** The tests whose titles have labels of rows. */
export async function readLabelledTests(): Promise<LabelledTest[]> {
  const names = await readdir(root, { recursive: true })
  const files = names.filter((name) => /^(test|packages\/\w+\/test)\/.*\.test\.ts$/.test(name)).sort()
  const found = await Promise.all(
    files.map(async (file) => readTitles(file, await readFile(new URL(file, root), 'utf8'))),
  )
  return found.flat().filter(({ labels }) => labels.length > 0)
}

function readTitles(file: string, text: string): LabelledTest[] {
  return [...text.matchAll(TITLE)].map(([, plain, template]) => {
    const labels = [...(plain ?? template ?? '').matchAll(/\[([^\]]+)\]/g)].map((label) => label[1] ?? '')
    return { file, labels }
  })
}

/** The rows of the specification by section. */
export const sections = Object.entries({ ...endpoints, ...otherRows })

/** The test files with the rows of the specification that their tests prove. */
export async function describeConformance(): Promise<string> {
  const tests = await readLabelledTests()
  const rows = sections.flatMap(([, names]) => names)
  const lines = [...new Set(tests.map(({ file }) => file))].flatMap((file) => {
    const labels = new Set(tests.flatMap((test) => (test.file === file ? test.labels : [])))
    const proved = rows.filter((row) => labels.has(row))
    return proved.length > 0 ? [`| \`${file}\` | ${proved.join('; ')} |`] : []
  })
  return [...HEAD, ...lines, ''].join('\n')
}

const HEAD = [
  '# Conformance',
  '',
  'The rows of the specification that the tests of each file prove. The titles of these tests end with',
  'the row in brackets: `grep -rn "\\[Error: 409]" test`. `npm run generate` writes this table. A test',
  'fails if a row has no test.',
  '',
  '| tests | rows of the specification |',
  '| --- | --- |',
]
