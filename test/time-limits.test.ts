import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** They use the limits of `test/support/limits.ts`, which end tests that hang, and nothing else. */
const WAITING = [
  ...['test/support/until.ts', 'test/clients/browser.ts', 'packages/worker/test/support/wait.ts'],
  'test/time-limits.test.ts',
]

const FORBIDDEN = [
  // `it('…', () => {…}, 5000)`, on one line or on three.
  /^ *},\s+(\d{4,}|\d+_\d{3}),?\s*\)$/m,
  // `expect.poll(read, { timeout: 5000 })`, `const WITHIN = { timeout: 5000, interval: 10 }`.
  /\btimeout: (\d{4,}|\d+_\d{3}),? (interval|\})/,
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
