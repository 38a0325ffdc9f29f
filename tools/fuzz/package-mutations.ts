import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { ZipFile } from 'yazl'

/** The files of a package by path. */
export type Contents = ReadonlyMap<string, Buffer>

const PACKAGES = fileURLToPath(new URL('../../demo/problems', import.meta.url))

/** The packages of the demo, which the mutations change. */
export async function readPackages(): Promise<Contents[]> {
  const names = (await readdir(PACKAGES, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  return Promise.all(names.map(({ name }) => readFolder(join(PACKAGES, name))))
}

async function readFolder(folder: string): Promise<Contents> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const files = paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path)] as const)
  return new Map(await Promise.all(files))
}

/** Texts of which many in a row have slowed or ended readers. */
const REPEATED = [
  ...[
    '[',
    '{',
    '- ',
    '? ',
    ': ',
    '"\n',
    "'\n",
    '[a, ',
    '{a: ',
    '&a ',
    '*a ',
    '!t ',
    '# \n',
    '---\n',
    '<<: *a\n',
  ],
  ...['a: ', 'a:\n ', '\t', '\n', ' ', ',', '|\n', '>\n', '`', '@', '%\n', '\\', '\\{', '{', '}', '$', '$$ '],
  ...[
    '\\begin{a}',
    '\\end{a}',
    '\\textbf{',
    '\\[',
    '\\(',
    '\\verb|',
    '--',
    '*',
    '**a_',
    '{{a}}',
    '{a,',
    '*/',
  ],
  ...['key = "\n', '@EXPECTED_RESULTS@: ', 'a=', '\0', '\uFEFF', '\uD83D\uDE00', '\x1b[0m', '\u202E', '1e9'],
]

/** Places that readers know. */
const PATHS = [
  ...['problem.yaml', 'domjudge-problem.ini', '.timelimit', '.judge-data-layer.json'],
  ...['statement/problem.en.tex', 'statement/problem.sv.md', 'problem_statement/problem.tex'],
  ...['data/secret/test_group.yaml', 'data/secret/testdata.yaml', 'data/testdata.yaml', 'data/secret/1.yaml'],
  ...['data/secret/1.in', 'data/secret/1.ans', 'data/secret/1.hint', 'data/sample/1.interaction'],
  ...['submissions/submissions.yaml', 'submissions/accepted/a/b.py', 'submissions/mixed/a.cpp'],
  ...['output_validator/build', 'output_validator/run', 'output_validators/v/validate.py'],
  ...['input_validators/v.py', 'attachments/a/b', 'README.md', 'generators/x', 'include/py/y'],
]

/** Beginnings of files whose rest is repeated text. */
const HEADS = [
  ...[
    '',
    'x: ',
    'name: a\n',
    'problem_format_version: 2025-09\nname: a\n',
    'a: &a [',
    '- ',
    '\\section{',
    '$',
  ],
  ...['"', "'", '{"test_groups": ', '\\problemname{', 'accepted/*:\n  ', 'constants: {a: ', 'keywords: ['],
]

const COUNTS = [1, 2, 9, 65, 300, 2000, 16_384, 70_000, 131_072]

export type Mutation =
  | {
      readonly as: 'text'
      readonly path: number
      readonly head: number
      readonly part: number
      readonly count: number
    }
  | {
      readonly as: 'splice'
      readonly file: number
      readonly at: number
      readonly length: number
      readonly times: number
    }
  | { readonly as: 'insert'; readonly file: number; readonly at: number; readonly bytes: Uint8Array }
  | { readonly as: 'move'; readonly file: number; readonly path: number }
  | { readonly as: 'remove'; readonly file: number }
  | { readonly as: 'many'; readonly path: number; readonly count: number; readonly levels: number }

const pick = fc.nat({ max: 1_000_000 })

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ as: fc.constant('text'), path: pick, head: pick, part: pick, count: pick }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      as: fc.constant('splice'),
      file: pick,
      at: pick,
      length: fc.nat({ max: 300 }),
      times: pick,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      as: fc.constant('insert'),
      file: pick,
      at: pick,
      bytes: fc.uint8Array({ maxLength: 20 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ as: fc.constant('move'), file: pick, path: pick }) },
  { weight: 1, arbitrary: fc.record({ as: fc.constant('remove'), file: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      as: fc.constant('many'),
      path: pick,
      count: fc.nat({ max: 1500 }),
      levels: fc.nat({ max: 100 }),
    }),
  },
)

/** A change of the archive itself: other bytes at a place, or its end. */
const damage = fc.record({ at: pick, bytes: fc.uint8Array({ maxLength: 4 }), isCut: fc.boolean() })

/** How a package is made from one of the demo. */
export const packagePlans = fc.record({
  base: pick,
  mutations: fc.array(mutation, { minLength: 1, maxLength: 4 }),
  damages: fc.oneof(
    { weight: 9, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(damage, { minLength: 1, maxLength: 3 }) },
  ),
})

export type PackagePlan = typeof packagePlans extends fc.Arbitrary<infer P> ? P : never

/** The archive of a plan. */
export async function makePackage(packages: readonly Contents[], plan: PackagePlan): Promise<Buffer> {
  let files: Contents = choose(packages, plan.base)
  for (const one of plan.mutations) files = change(files, one)
  const zip = new ZipFile()
  for (const [path, content] of files) zip.addBuffer(content, path)
  zip.end()
  let archive = await buffer(zip.outputStream)
  for (const { at, bytes, isCut } of plan.damages) {
    const place = at % (archive.length + 1)
    const rest = isCut ? Buffer.alloc(0) : archive.subarray(place + bytes.length)
    archive = Buffer.concat([archive.subarray(0, place), bytes, rest])
  }
  return archive
}

function choose<T>(list: readonly T[], place: number): T {
  const chosen = list[place % list.length]
  if (chosen === undefined) throw new Error('there is nothing to choose')
  return chosen
}

function change(files: Contents, mutation: Mutation): Contents {
  if (mutation.as === 'text') {
    const text =
      choose(HEADS, mutation.head) + choose(REPEATED, mutation.part).repeat(choose(COUNTS, mutation.count))
    return new Map([...files, [choose(PATHS, mutation.path), Buffer.from(text)]])
  }
  if (mutation.as === 'many') {
    const folder = choose(PATHS, mutation.path).replace(/[^/]*$/, '') + 'd/'.repeat(mutation.levels)
    const added = Array.from(
      { length: mutation.count },
      (_, i) => [`${folder}${i}`, Buffer.alloc(0)] as const,
    )
    return new Map([...files, ...added])
  }
  if (files.size === 0) return files
  const [path, content] = choose([...files], mutation.file)
  const others = [...files].filter(([other]) => other !== path)
  if (mutation.as === 'remove') return new Map(others)
  if (mutation.as === 'move') return new Map([...others, [choose(PATHS, mutation.path), content]])
  const at = mutation.at % (content.length + 1)
  const inserted =
    mutation.as === 'insert'
      ? [mutation.bytes]
      : Array.from({ length: choose(COUNTS.slice(0, 6), mutation.times) }, () =>
          content.subarray(at, at + mutation.length),
        )
  return new Map([
    ...others,
    [path, Buffer.concat([content.subarray(0, at), ...inserted, content.subarray(at)])],
  ])
}
