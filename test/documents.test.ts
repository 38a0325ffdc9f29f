import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const FOLDERS = 'demo|deploy|docs|migrations|packages|scripts|src|test|tools|verification'
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
