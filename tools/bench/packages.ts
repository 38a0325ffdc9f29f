import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { ZipFile } from 'yazl'
import { measureSteps, type TestsReading } from './large-tests.ts'
import type { Stage } from './stage.ts'

const TEST_CASES = 200
const CASE_BYTES = 100_000
const SMALL_PACKAGES = 100

const COMMAND = fileURLToPath(new URL('../../packages/cli/bin/judge.js', import.meta.url))

/**
 * Imports, replaces and exports a package with 200 test cases of 100 kB, and imports 100 small
 * packages by the command line. Returns the readings of each step.
 */
export async function runPackages(stage: Stage): Promise<TestsReading[]> {
  const { pid, url } = stage.service
  const token = await stage.world.tokenOf(stage.world.size.users)
  const { readings, measure } = measureSteps(pid)
  const send = async (method: string, path: string, body?: Buffer): Promise<Buffer> => {
    const headers = { authorization: token, ...(body && { 'content-type': 'application/zip' }) }
    const response = await fetch(`${url}/v1/problem_packages${path}`, {
      method,
      headers,
      ...(body && { body }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${bytes.toString().slice(0, 200)}`)
    return bytes
  }
  const large = await zip(contentsOf('large', TEST_CASES, CASE_BYTES))
  let id = 0
  await measure('import 200 test cases of 100 kB', async () => {
    id = JSON.parse((await send('POST', '', large)).toString()).problem_id
    return 1
  })
  await measure('replace it by the same package', async () => {
    await send('PUT', `/${id}`, large)
    return 1
  })
  let exported: Buffer = Buffer.alloc(0)
  await measure('export it', async () => {
    exported = await send('GET', `/${id}`)
    return 1
  })
  await measure('import the export', async () => {
    await send('POST', '', exported)
    return 1
  })
  await withSmallPackages(async (folders) => {
    await measure('import 100 packages by the command line', async () => {
      await runCommand(['problem', 'import', ...folders], { JUDGE_URL: url, JUDGE_USER_TOKEN: token })
      return folders.length
    })
  })
  return readings
}

/** The files of a package with random test cases. */
function contentsOf(name: string, cases: number, bytes: number): Map<string, string> {
  const files = new Map([
    [
      'problem.yaml',
      `problem_format_version: 2025-09\nname: ${name}\nuuid: ${name}\nlimits:\n  time_limit: 1\n`,
    ],
    ['statement/problem.en.md', 'Print the answer.\n'],
    ['submissions/accepted/right.py', 'print(7)\n'],
  ])
  for (let i = 0; i < cases; i += 1) {
    const folder = i === 0 ? 'sample' : 'secret'
    const test = `data/${folder}/${String(i).padStart(4, '0')}`
    files.set(
      `${test}.in`,
      `${randomBytes(Math.ceil(bytes / 2))
        .toString('hex')
        .slice(0, bytes - 1)}\n`,
    )
    files.set(`${test}.ans`, '7\n')
  }
  return files
}

async function zip(files: ReadonlyMap<string, string>): Promise<Buffer> {
  const archive = new ZipFile()
  for (const [path, content] of files) archive.addBuffer(Buffer.from(content), `package/${path}`)
  archive.end()
  return buffer(archive.outputStream)
}

async function withSmallPackages(use: (folders: string[]) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'bench-packages-'))
  try {
    const folders: string[] = []
    for (let i = 0; i < SMALL_PACKAGES; i += 1) {
      const folder = join(root, `small${i}`)
      for (const [path, content] of contentsOf(`small${i}`, 10, 100)) {
        await mkdir(join(folder, path, '..'), { recursive: true })
        await writeFile(join(folder, path), content)
      }
      folders.push(folder)
    }
    await use(folders)
  } finally {
    await rm(root, { recursive: true })
  }
}

async function runCommand(args: readonly string[], variables: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`judge ended with ${code}`)
}
