import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Reads the imports of every file of the project; both paths are relative to the project. */
async function readImports(): Promise<Map<string, string[]>> {
  const folders = ['src', 'test', 'tools', 'verification', 'scripts', 'demo']
  const names = await Promise.all(
    folders.map(async (folder) => {
      const files = await readdir(join(root, folder), { recursive: true })
      return files.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file))
    }),
  )
  const entries = names.flat().map(async (file): Promise<[string, string[]]> => {
    const text = await readFile(join(root, file), 'utf8')
    const specifiers = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, name = '']) => name)
    return [file, specifiers.map((name) => join(dirname(file), name))]
  })
  return new Map(await Promise.all(entries))
}

/** Returns the folder of a file for the rules: a feature, a part of `http`, or a folder of `src`. */
function folderOf(file: string): string {
  const parts = dirname(file).split('/')
  return parts.slice(0, ['features', 'http'].includes(parts[1] ?? '') ? 3 : 2).join('/')
}

/** Returns the nodes on a cycle. */
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
    for (const [file, target] of all) {
      const [from, to] = [folderOf(file), folderOf(target)]
      if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
    expect(findCycles(edges)).toEqual([])
  })

  it.each<[string, RegExp, RegExp]>([
    ['of tools never name tests or the demo', /^tools\//, /^(test|demo)\//],
    ['of tests name only local-servers of the tools', /^test\//, /^tools\/(?!local-servers\/)/],
    ['of the service never name other parts', /^src\//, /^(?!src\/)/],
    ['of features never name the OpenAPI document', /^src\/features\//, /^src\/openapi\//],
  ])('%s', (_, from, to) => {
    expect(all.filter(([file, target]) => from.test(file) && to.test(target))).toEqual([])
  })
})
