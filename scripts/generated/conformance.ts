import { readdir, readFile } from 'node:fs/promises'
import { endpoints, otherRows } from './conformance-rows.ts'

const root = new URL('../../', import.meta.url)

interface LabelledTest {
  readonly file: string
  readonly title: string
  readonly labels: readonly string[]
}

/** A group or a test as it stands in a file: its indentation, what it is, and its title. */
const TITLE =
  /^( *)(describe|it|test)(?:\.\w+(?:\([^)]*\))?)*\(\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/gm

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
  const groups: { indent: number; title: string }[] = []
  return [...text.matchAll(TITLE)].flatMap(([, spaces = '', kind, plain, template]) => {
    const whole = (plain ?? template ?? '').replaceAll("\\'", "'")
    while ((groups.at(-1)?.indent ?? -1) >= spaces.length) groups.pop()
    if (kind === 'describe') {
      groups.push({ indent: spaces.length, title: whole })
      return []
    }
    const labels = [...whole.matchAll(/\[([^\]]+)\]/g)].map((label) => label[1] ?? '')
    const own = whole.replace(/\s*(\[[^\]]+\]\s*)+$/, '')
    return [{ file, title: [...groups.map((group) => group.title), own].join(' › '), labels }]
  })
}

function describeRows(tests: readonly LabelledTest[], rows: readonly string[]): string[] {
  return rows.flatMap((row) => {
    const proofs = tests.filter(({ labels }) => labels.includes(row))
    return [`- **${row}**`, ...proofs.map(({ file, title }) => `  - ${title} (\`${file}\`)`)]
  })
}

/** The rows of the specification by section. */
export const sections = Object.entries({ ...endpoints, ...otherRows })

/** Each row of the specification with the tests that prove it. */
export async function describeConformance(): Promise<string> {
  const tests = await readLabelledTests()
  const head = [
    '# Conformance',
    '',
    'Each row of the specification and the tests that prove it: the titles of the tests have its label.',
    '',
  ]
  const body = sections.flatMap(([section, rows]) => [`## ${section}`, '', ...describeRows(tests, rows), ''])
  return [...head, ...body].join('\n')
}
