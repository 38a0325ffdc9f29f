import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The imports of every file of the project by path, both relative to the project. */
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

/** The folder that a rule speaks of: a feature, a part of `http`, or a folder of `src`. */
function folderOf(file: string): string {
  const parts = dirname(file).split('/')
  return parts.slice(0, ['features', 'http'].includes(parts[1] ?? '') ? 3 : 2).join('/')
}

/** The nodes that can be reached from themselves. */
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

  it('do not lead from tools to tests or the demo, nor from tests to tools except local-servers', () => {
    const wrong = all.filter(
      ([file, target]) =>
        (file.startsWith('tools/') && /^(test|demo)\//.test(target)) ||
        (file.startsWith('test/') && /^tools\/(?!local-servers\/)/.test(target)),
    )
    expect(wrong).toEqual([])
  })

  it('do not lead from the service to other parts, nor from a feature to the OpenAPI document', () => {
    const wrong = all.filter(
      ([file, target]) =>
        file.startsWith('src/') &&
        (!target.startsWith('src/') ||
          (file.startsWith('src/features/') && target.startsWith('src/openapi/'))),
    )
    expect(wrong).toEqual([])
  })
})
