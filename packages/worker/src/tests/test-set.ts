import { link, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { JudgingOptions } from '../service/judging-options.ts'
import { BLOCK_BYTES, isIntact, measureFile, type SavedFile, saveFile } from './saved-file.ts'
import type { CaseSinks, ListedCase } from './tests-api.ts'

/** A test case with its texts on disk, in a folder that only the worker can enter. */
export interface TestCase {
  readonly id: string
  /** In the order of the test cases, from 1. */
  readonly number: number
  readonly hidden: boolean
  readonly inputFile: string
  /** The expected output, or what the problem's validator needs. */
  readonly answerFile: string
  readonly inputBytes: number
  readonly answerBytes: number
}

/** The test cases of a problem, in order, each as two files that are checked when it is read. */
export interface TestSet {
  readonly size: number
  readonly options: JudgingOptions
  /** The test case with a number, from 1. Throws `UnreadableTests`. */
  read(number: number): Promise<TestCase>
}

/** A file on disk is missing or damaged: the test set must be fetched again. */
export class UnreadableTests extends Error {
  constructor(file: string, cause?: unknown) {
    super(`the test case in ${file} cannot be read`, { cause })
    this.name = 'UnreadableTests'
  }
}

/** The texts of a test case on disk. */
export interface SavedTexts {
  readonly input: SavedFile
  readonly answer: SavedFile
}

export interface SavedCase extends SavedTexts, Pick<ListedCase, 'id' | 'hidden' | 'version'> {}

/** A test set on disk. */
export interface SavedTests {
  readonly folder: string
  readonly cases: readonly SavedCase[]
  /** The file of its judging options; undefined if it has none. */
  readonly options: SavedFile | undefined
}

/** Opens a set for a judging. Throws `UnreadableTests` if its options are damaged. */
export async function openTests({ cases, options }: SavedTests): Promise<TestSet> {
  return {
    size: cases.length,
    options: options === undefined ? {} : await readOptionsFile(options),
    async read(number) {
      const found = cases[number - 1]
      if (found === undefined) throw new Error(`there is no test case ${number}`)
      return readCase(number, found)
    },
  }
}

async function readCase(number: number, { id, hidden, input, answer }: SavedCase): Promise<TestCase> {
  await Promise.all([check(input), check(answer)])
  return {
    ...{ id, number, hidden, inputFile: input.path, answerFile: answer.path },
    ...{ inputBytes: input.bytes, answerBytes: answer.bytes },
  }
}

async function readOptionsFile(file: SavedFile): Promise<JudgingOptions> {
  await check(file)
  return JSON.parse(await readFile(file.path, 'utf8'))
}

async function check(file: SavedFile): Promise<void> {
  const isFine = await isIntact(file).catch((err: unknown) => {
    throw new UnreadableTests(file.path, err)
  })
  if (!isFine) throw new UnreadableTests(file.path)
}

/** The size on disk in bytes, with the folder. */
export function measureTests({ cases, options }: Pick<SavedTests, 'cases' | 'options'>): number {
  const files = cases.flatMap(({ input, answer }) => [input, answer])
  return [...files, ...(options ? [options] : [])].reduce((sum, file) => sum + measureFile(file), BLOCK_BYTES)
}

/** The size on disk of the files that two sets share, in bytes. */
export function measureShared(one: SavedTests, other: SavedTests): number {
  const files = new Set(one.cases.map(({ input }) => input.checked))
  const shared = other.cases.filter(({ input }) => files.has(input.checked))
  return shared.reduce((sum, { input, answer }) => sum + measureFile(input) + measureFile(answer), 0)
}

/** Names the texts of a test case. */
export function nameVersion({ id, version }: Pick<ListedCase, 'id' | 'version'>): string {
  return `${id} ${version}`
}

export type TestsFolder = Awaited<ReturnType<typeof makeTestsFolder>>

/** Makes the folder `folder` for a test set, which only the worker can enter. */
export async function makeTestsFolder(folder: string) {
  await mkdir(folder, { mode: 0o700 })
  let count = 0
  const nextPaths = () => {
    count += 1
    return [join(folder, `${count}.in`), join(folder, `${count}.ans`)] as const
  }
  return {
    /** Writes the texts of a test case, which `produce` hands over. */
    async save(produce: (sinks: CaseSinks) => Promise<void>): Promise<SavedTexts> {
      const [inputPath, answerPath] = nextPaths()
      const [input, [answer]] = await saveFile(inputPath, (inputSink) =>
        saveFile(answerPath, (answerSink) => produce({ input: inputSink, answer: answerSink })),
      )
      return { input, answer }
    },
    /** The same texts in this folder as hard links; undefined if their files are damaged. */
    async link({ input, answer }: SavedTexts): Promise<SavedTexts | undefined> {
      const [inputPath, answerPath] = nextPaths()
      try {
        if (!(await isIntact(input)) || !(await isIntact(answer))) return undefined
        await link(input.path, inputPath)
        await link(answer.path, answerPath)
        return { input: { ...input, path: inputPath }, answer: { ...answer, path: answerPath } }
      } catch {
        // The texts are fetched again.
        return undefined
      }
    },
    /** Adds the options; the set is complete. */
    async finish(cases: readonly SavedCase[], options: JudgingOptions): Promise<SavedTests> {
      const text = JSON.stringify(options)
      if (text === '{}') return { folder, cases, options: undefined }
      const [file] = await saveFile(join(folder, 'options.json'), (sink) => sink(Buffer.from(text)))
      return { folder, cases, options: file }
    },
  }
}

/** Deletes the folder of a test set. */
export function removeTests(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
