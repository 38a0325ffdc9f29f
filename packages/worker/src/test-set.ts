import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestCase } from './judge.ts'

/** The test cases of a problem, in order. Those on disk are read one at a time. */
export interface TestSet extends AsyncIterable<TestCase> {
  readonly size: number
}

/** A file on disk is missing or damaged: the test set must be fetched again. */
export class UnreadableTests extends Error {
  constructor(file: string, cause?: unknown) {
    super(`the test case in ${file} cannot be read`, { cause })
    this.name = 'UnreadableTests'
  }
}

interface SavedCase {
  readonly id: string
  readonly hidden: boolean
  /** The file with the input, followed by the expected output. */
  readonly name: string
  readonly inputBytes: number
  readonly digest: string
}

/** The usual size of a file system's block. */
const BLOCK_BYTES = 4096
const WRITTEN_AT_ONCE = 16

/** The size of a test set on disk, in bytes. */
export function measureTests(testCases: readonly TestCase[]): number {
  const sizes = testCases.map(({ input, expectedOutput }) => {
    const bytes = Buffer.byteLength(input) + Buffer.byteLength(expectedOutput)
    return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES
  })
  return sizes.reduce((sum, bytes) => sum + bytes, BLOCK_BYTES)
}

/** A test set in memory. */
export function holdTests(testCases: readonly TestCase[]): TestSet {
  return {
    size: testCases.length,
    async *[Symbol.asyncIterator]() {
      yield* testCases
    },
  }
}

/**
 * Writes a test set to the new folder `folder`, which appears when it is complete. Reading the set
 * throws `UnreadableTests` if a file has changed.
 */
export async function saveTests(folder: string, testCases: readonly TestCase[]): Promise<TestSet> {
  const unfinished = nameUnfinished(folder)
  await mkdir(unfinished, { mode: 0o700 })
  const saved: SavedCase[] = []
  for (let first = 0; first < testCases.length; first += WRITTEN_AT_ONCE) {
    const group = testCases.slice(first, first + WRITTEN_AT_ONCE)
    saved.push(...(await Promise.all(group.map((one, place) => writeCase(unfinished, first + place, one)))))
  }
  await rename(unfinished, folder)
  return { size: saved.length, [Symbol.asyncIterator]: () => readCases(folder, saved) }
}

/** The name of an incomplete folder. */
export function nameUnfinished(folder: string): string {
  return `${folder}.unfinished`
}

async function writeCase(
  folder: string,
  place: number,
  { id, hidden, input, expectedOutput }: TestCase,
): Promise<SavedCase> {
  const inputBytes = Buffer.from(input)
  const bytes = Buffer.concat([inputBytes, Buffer.from(expectedOutput)])
  const name = String(place + 1)
  await writeFile(join(folder, name), bytes, { mode: 0o600 })
  return { id, hidden, name, inputBytes: inputBytes.length, digest: hash(bytes) }
}

async function* readCases(folder: string, saved: readonly SavedCase[]): AsyncGenerator<TestCase, void, void> {
  for (const savedCase of saved) yield await readCase(folder, savedCase)
}

async function readCase(
  folder: string,
  { id, hidden, name, inputBytes, digest }: SavedCase,
): Promise<TestCase> {
  const file = join(folder, name)
  const bytes = await readFile(file).catch((err: unknown) => {
    throw new UnreadableTests(file, err)
  })
  if (hash(bytes) !== digest) throw new UnreadableTests(file)
  return {
    id,
    hidden,
    input: bytes.toString('utf8', 0, inputBytes),
    expectedOutput: bytes.toString('utf8', inputBytes),
  }
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
