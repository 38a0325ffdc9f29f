import { createHash, randomUUID } from 'node:crypto'
import type { Schemas } from '@judge-data-layer/client'
import { zipFiles } from '../local-servers/zip.ts'

/** A version of a package. Every text in it names the version, so that a mix is visible. */
export interface Version {
  /**
   * The tests, files, statement and category that the service must store, as `readPackages` does.
   */
  readonly parts: readonly string[]
  readonly counts: Schemas['ImportedParts']
}

interface Size {
  readonly tests: number
  readonly testBytes: number
  readonly attachments: number
  readonly attachmentBytes: number
}

const SMALL: Omit<Size, 'tests'> = { testBytes: 100, attachments: 1, attachmentBytes: 1000 }
const LEAST_TESTS = 3
const MOST_TESTS = 9
/** 5 MiB; the service stores it with about thirty statements. */
const LARGE: Size = { tests: 1000, testBytes: 3000, attachments: 20, attachmentBytes: 100_000 }

/** A small package with another number of tests than the version before it. */
export const sizeOfSmall = (number: number): Size => ({
  ...SMALL,
  tests: LEAST_TESTS + (number % (MOST_TESTS - LEAST_TESTS + 1)),
})

/** A package of some MiB, which takes long enough to be killed in the middle. */
export const sizeOfLarge = (number: number): Size => ({ ...LARGE, tests: LARGE.tests - (number % 2) * 300 })

/** The title of an imported problem; `key` tells the problems apart. */
export const titleOf = (key: string) => `Package ${key}`

/** Makes a version of the package of `key`. It has no time limit: the service must compute one. */
export async function makeVersion(key: string, size: Size): Promise<Version & { readonly zip: Buffer }> {
  const mark = randomUUID()
  const files: Readonly<Record<string, string>> = {
    'statement/problem.en.md': `Print the line. ${mark}\n`,
    'input_validators/check.py': `# ${mark}\nexit(42)\n`,
    'submissions/accepted/right.py': `# ${mark}\nprint(input())\n`,
    ...makeFiles(size.attachments, (n) => [`attachments/${n}.txt`, fill(mark, n, size.attachmentBytes)]),
  }
  const tests = Array.from({ length: size.tests }, (_, n) => ({
    name: n === 0 ? 'sample/0000' : `secret/${String(n).padStart(4, '0')}`,
    input: fill(mark, n, size.testBytes),
    answer: `${mark} ${n}\n`,
  }))
  const settings = `problem_format_version: 2025-09\nname: ${titleOf(key)}\nuuid: ${key}\nkeywords: [${mark}]\n`
  const ofTests = Object.fromEntries(
    tests.flatMap(({ name, input, answer }) => [
      [`data/${name}.in`, input],
      [`data/${name}.ans`, answer],
    ]),
  )
  const parts = [
    ...tests.map(({ name, input, answer }) => `test ${name} ${hash(input)} ${hash(answer)}`),
    ...Object.entries(files).map(([path, text]) => `file ${path} ${hash(text)}`),
    `prompt ${hash(files['statement/problem.en.md'] ?? '')}`,
    `category ${mark}`,
  ]
  const counts = {
    ...{ test_cases: tests.length, statements: 1, files: Object.keys(files).length },
    ...{ submissions: 1, validators: 1, categories: 1 },
  }
  return {
    parts: parts.sort(),
    counts,
    zip: await zipFiles({ 'problem.yaml': settings, ...files, ...ofTests }),
  }
}

const hash = (text: string) => createHash('md5').update(text).digest('hex')

const fill = (mark: string, number: number, bytes: number) =>
  `${`${mark} ${number} `.padEnd(bytes - 1, '.')}\n`

const makeFiles = (count: number, make: (number: number) => [path: string, text: string]) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => make(n)))
