import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readLabelledTests, sections } from '../scripts/generated/conformance.ts'
import { ALLOWED_LICENCES, listDependencies } from '../scripts/generated/dependencies.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Files that `npm test` leaves to the larger levels. */
const LARGER = /^(packages|test\/(busy|clients|judged-problems|problem-packages|processes|walks))\//

it('each row of the specification has a labelled test in npm test', async () => {
  const tests = (await readLabelledTests()).filter(({ file }) => !LARGER.test(file))
  const covered = new Set(tests.flatMap(({ labels }) => labels))
  expect(sections.flatMap(([, names]) => names).filter((row) => !covered.has(row))).toEqual([])
})

it('every package that people install has an allowed licence', async () => {
  for (const [part, list] of Object.entries(await listDependencies())) {
    expect(list.length, part).toBeGreaterThan(0)
    expect(
      list.filter(({ licence }) => !ALLOWED_LICENCES.includes(licence)),
      part,
    ).toEqual([])
  }
})

it('the worker, the client and the command line bring no web framework, database or development tool', async () => {
  const { Service: service, ...others } = await listDependencies()
  const names = Object.values(others).flatMap((list) => list.map(({ name }) => name))
  expect(service?.map(({ name }) => name)).toContain('fastify')
  expect(names.filter((name) => /fastify|swagger|pglite|^pg$|^typescript$|vitest/.test(name))).toEqual([])
})

const FOLDERS = 'demo|deploy|docs|migrations|packages|scripts|src|test|tools'
const PATHS = new RegExp(`\`((?:${FOLDERS})/(?!\\d)[\\w./-]+)\`|\\]\\((?!https?:)([\\w./-]+)[^)]*\\)`, 'g')

async function findDocuments(): Promise<string[]> {
  const folders = ['deploy', 'docs', 'packages', 'tools']
  const found = await Promise.all(folders.map((folder) => readdir(join(root, folder), { recursive: true })))
  const names = found.flatMap((files, i) => files.map((file) => join(folders[i] ?? '', file)))
  return ['README.md', 'CONTRIBUTING.md', ...names.filter((name) => /(?<!node_modules.*)\.md$/.test(name))]
}

it('every path and link in the documents leads to a file', async () => {
  const documents = await findDocuments()
  expect(documents.length).toBeGreaterThan(15)
  const broken: string[] = []
  for (const document of documents) {
    const text = await readFile(join(root, document), 'utf8')
    for (const [, path = '', link = path] of text.matchAll(PATHS)) {
      const places = path === '' ? [join(dirname(document), link)] : [path, join(dirname(document), path)]
      if (!places.some((place) => existsSync(join(root, place)))) broken.push(`${document}: ${link}`)
    }
  }
  expect(broken).toEqual([])
})

/** They use the limits of `test/support/limits.ts`, which end tests that hang, and nothing else. */
const WAITING = [
  ...['test/support/until.ts', 'test/clients/browser.ts', 'packages/worker/test/support/wait.ts'],
  'test/repository.test.ts',
]

const FORBIDDEN = [
  // `it('…', () => {…}, 5000)`, on one line or on three.
  /^ *},\s+(\d{4,}|\d+_\d{3}),?\s*\)$/m,
  // `it('…', { timeout: 5000 }, …)`, `expect.poll(read, { timeout: LIMIT })`.
  /\btimeout: (\d{4,}|\d+_\d{3}|(?!WAIT_LIMIT_MS|TEST_LIMIT_MS)[A-Z])/,
  /[wW]ithin(Ms|_MS)\b.*\d{3}/,
  /\b(testTimeout|hookTimeout|setDefaultTimeout)\b/,
  /\bvi\.wait(For|Until)\b/,
]

async function findTests(): Promise<string[]> {
  const folders = ['test', 'deploy', 'packages', 'tools']
  const found = await Promise.all(folders.map((folder) => readdir(join(root, folder), { recursive: true })))
  const files = found.flatMap((names, i) => names.map((name) => join(folders[i] ?? '', name)))
  return files.filter((name) => /(^|\/)test\/.*\.ts$/.test(name) && !name.includes('node_modules'))
}

it('no test has a time limit of its own: a busy machine may make it slow, never make it fail', async () => {
  const files = (await findTests()).filter((file) => !WAITING.includes(file))
  expect(files.length).toBeGreaterThan(200)
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(join(root, file), 'utf8')]))
  const limited = texts.flatMap(([file, text = '']) =>
    FORBIDDEN.flatMap((pattern) => pattern.exec(text)?.[0].trim() ?? []).map((limit) => `${file}: ${limit}`),
  )
  expect(limited).toEqual([])
})

/**
 * Reads the imports of every file of the project; both paths are relative to the project. An import
 * of a package by its name is a file `*` in the folder of the package.
 */
async function readImports(): Promise<Map<string, string[]>> {
  const folders = ['src', 'packages', 'test', 'tools', 'deploy', 'scripts', 'demo']
  const names = await Promise.all(
    folders.map(async (folder) => {
      const files = await readdir(join(root, folder), { recursive: true })
      return files.filter((file) => /\.tsx?$/.test(file)).map((file) => join(folder, file))
    }),
  )
  const ours = names.flat().filter((file) => !/\/(node_modules|dist)\//.test(file))
  const entries = ours.map(async (file): Promise<[string, string[]]> => {
    const text = await readFile(join(root, file), 'utf8')
    const found = text.matchAll(/(?:from|import\()\s*'(?:(\.[^']+)|@judge-data-layer\/([\w-]+)[^']*)'/g)
    return [
      file,
      [...found].map(([, path, name]) => (path ? join(dirname(file), path) : `packages/${name}/*`)),
    ]
  })
  return new Map(await Promise.all(entries))
}

/** The folder of a file for the rules: a feature, a part of `http` or of a package, or another. */
function folderOf(file: string): string {
  const parts = dirname(file).split('/')
  const levels = { features: 4, http: 3 }[parts[1] ?? ''] ?? 2
  return parts.slice(0, parts[0] === 'packages' ? 4 : levels).join('/')
}

/** A package contains its folders, apart from its tests. */
function packagesOf(file: string): [string, string][] {
  const [, folder] = /^(packages\/[^/]+)\/(?!test\/)/.exec(file) ?? []
  return folder === undefined ? [] : [[folder, folderOf(file)]]
}

function findCycles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of edges.get(from) ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      reach(next, seen)
    }
    return seen
  }
  return [...edges.keys()].filter((node) => reach(node).has(node))
}

const imports = await readImports()
const all = [...imports].flatMap(([file, targets]) => targets.map((target) => [file, target] as const))

describe('imports', () => {
  it('form no cycle between files', () => {
    expect(findCycles(new Map([...imports].map(([file, targets]) => [file, new Set(targets)])))).toEqual([])
  })

  it('form no cycle between folders', () => {
    const edges = new Map<string, Set<string>>()
    const named = all.map(([file, target]) => [folderOf(file), folderOf(target)] as const)
    for (const [from, to] of [...named, ...[...imports.keys()].flatMap(packagesOf)]) {
      if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
    expect(findCycles(edges)).toEqual([])
  })

  it('form no cycle between groups of features', () => {
    const groupOf = (file: string) => /^src\/features\/([^/]+)/.exec(file)?.[1] ?? ''
    const edges = new Map<string, Set<string>>()
    for (const [from, to] of all.map(([file, target]) => [groupOf(file), groupOf(target)] as const)) {
      if (from !== '' && to !== '' && from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
    expect(edges.size).toBeGreaterThan(3)
    expect(findCycles(edges)).toEqual([])
  })

  it.each<[string, RegExp, RegExp]>([
    [
      'of tools name only verification of the tests',
      /^tools\//,
      /^(test\/(?!support\/verification\/)|demo\/)/,
    ],
    ['of tests name only local-servers of the tools', /^test\//, /^tools\/(?!local-servers\/)/],
    [
      'of the service name packages by their names, and no other part',
      /^src\//,
      /^(?!src\/|packages\/[\w-]+\/\*)/,
    ],
    ['of packages never name other parts', /^packages\/[\w-]+\/(?!test\/)/, /^(?!packages\/)/],
    [
      'of problem-format name no other package than runtime',
      /^packages\/problem-format\/src\//,
      /^(?!packages\/(?:problem-format\/src|runtime)\/)/,
    ],
    ['of the rules of contests name nothing else', /^src\/standings\//, /^(?!src\/standings\/)/],
    ['of the recount never name these rules', /^test\/support\/verification\//, /^src\/standings\//],
    ['of deploy/test name only local-servers of the tools', /^deploy\//, /^tools\/(?!local-servers\/)/],
    ['of features never name the OpenAPI document', /^src\/features\//, /^src\/openapi\//],
  ])('%s', (_, from, to) => {
    expect(all.filter(([file, target]) => from.test(file) && to.test(target))).toEqual([])
  })
})

/** The modules that a file imports at run time: names of packages, or paths. */
async function readRuntimeImports(file: string): Promise<string[]> {
  const text = await readFile(join(root, file), 'utf8')
  const found = text.matchAll(
    /^(?:import|export)\s+(?!type\b)([^'"]*?)\bfrom\s+'([^']+)'|import\('([^']+)'\)/gm,
  )
  return [...found].flatMap(([, names = '', from, lazily = '']) => {
    // A list of types only leaves no import.
    const [, list] = /^\{([^}]*)\}\s*$/.exec(names.trim()) ?? []
    const isOfTypes = list?.split(',').every((name) => /^\s*(type\s|$)/.test(name)) ?? false
    return isOfTypes ? [] : [from ?? lazily]
  })
}

const FORMAT = '@judge-data-layer/problem-format/'

/** The modules that a program loads: our files and the packages of others. */
async function findModules(program: string): Promise<Set<string>> {
  const text = await readFile(join(root, 'packages/problem-format/package.json'), 'utf8')
  const parts: Readonly<Record<string, { readonly source: string }>> = JSON.parse(text).exports
  const seen = new Set<string>()
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return
    seen.add(file)
    for (const name of await readRuntimeImports(file)) {
      if (name.startsWith('.')) await visit(join(dirname(file), name))
      else if (name.startsWith(FORMAT))
        await visit(join('packages/problem-format', parts[`./${name.slice(FORMAT.length)}`]?.source ?? name))
      else seen.add(name)
    }
  }
  await visit(program)
  return seen
}

describe('parsers of packages', () => {
  const PARSERS =
    /^(yaml|@unified-latex\/.*)$|problem-format\/src\/(?!package\/|statements\/statement-names|submissions\/(expectations|glob-pattern|time-limit)|validators\/validator-program)|\/package\/(yaml|own-settings)/
  /** Zips of submissions over the Contest API: small, and bounded by a test of their own. */
  const PROGRAM_ZIP = 'src/features/live/contest-api/read-program-zip.ts'

  it('are imported only by the process that reads packages', async () => {
    const service = [...(await findModules('src/main.ts'))]
    expect(service).toContain(PROGRAM_ZIP)
    expect(service.filter((name) => PARSERS.test(name))).toEqual([])
    const reader = [...(await findModules('src/package-process.ts'))]
    expect(reader.filter((name) => PARSERS.test(name))).toEqual(
      expect.arrayContaining([
        ...['yaml', '@unified-latex/unified-latex-util-parse', 'packages/problem-format/src/zip-files.ts'],
        ...[
          'packages/problem-format/src/package/yaml-file.ts',
          'packages/problem-format/src/read-package.ts',
        ],
      ]),
    )
  })

  it('of zips are imported besides only for programs of the Contest API', async () => {
    const service = await findModules('src/main.ts')
    const files = [...service].filter((name) => name.endsWith('.ts'))
    const users = await Promise.all(
      files.map(async (file) => [file, await readRuntimeImports(file)] as const),
    )
    expect(users.flatMap(([file, names]) => (names.includes('yauzl') ? [file] : []))).toEqual([PROGRAM_ZIP])
  })
})
