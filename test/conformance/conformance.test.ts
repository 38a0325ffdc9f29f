import { readdir, readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { endpoints, otherRows } from './rows.ts'

const root = new URL('../../', import.meta.url)
const document = new URL('docs/conformance.md', root)

interface LabelledTest {
  readonly file: string
  readonly title: string
  readonly labels: readonly string[]
}

/** A title as it stands in a test file: the first text after `it`, `test` and their variants. */
const TITLE = /\b(?:it|test)(?:\.\w+(?:\([^)]*\))?)*\(\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g

async function readLabelledTests(): Promise<LabelledTest[]> {
  const names = await readdir(root, { recursive: true })
  const files = names.filter((name) => /^(test|packages\/\w+\/test)\/.*\.test\.ts$/.test(name)).sort()
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, root), 'utf8')
      return [...text.matchAll(TITLE)].map((match) => {
        const whole = (match[1] ?? match[2] ?? '').replaceAll("\\'", "'")
        const labels = [...whole.matchAll(/\[([^\]]+)\]/g)].map((label) => label[1] ?? '')
        return { file, title: whole.replace(/\s*(\[[^\]]+\]\s*)+$/, ''), labels }
      })
    }),
  )
  return found.flat().filter(({ labels }) => labels.length > 0)
}

function describeRows(tests: readonly LabelledTest[], rows: readonly string[]): string[] {
  return rows.flatMap((row) => {
    const proofs = tests.filter(({ labels }) => labels.includes(row))
    return [`- **${row}**`, ...proofs.map(({ file, title }) => `  - ${title} (\`${file}\`)`)]
  })
}

const sections = Object.entries({ ...endpoints, ...otherRows })

describe('the specification', () => {
  it('has a named test for each of its rows', async () => {
    const tests = await readLabelledTests()
    const proved = new Set(tests.flatMap(({ labels }) => labels))
    const rows = sections.flatMap(([, names]) => names)
    expect(rows.filter((row) => !proved.has(row))).toEqual([])
  })

  it('is ticked off in docs/conformance.md (UPDATE_DOCS=1 writes it anew)', async () => {
    const tests = await readLabelledTests()
    const head = [
      '# Conformance',
      '',
      'Each row of the specification and the tests that prove it, made from the labels in the tests’ own titles and compared by a test.',
      '',
    ]
    const body = sections.flatMap(([section, rows]) => [`## ${section}`, '', ...describeRows(tests, rows), ''])
    const text = [...head, ...body].join('\n')
    if (process.env.UPDATE_DOCS) await writeFile(document, text)
    else expect(await readFile(document, 'utf8')).toBe(text)
  })
})
