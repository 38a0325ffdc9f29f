import { createHash } from 'node:crypto'
import { decodeText } from '@judge-data-layer/problem-format/package-files'
import type { PackageProblem } from '@judge-data-layer/problem-format/read-package'
import { newIds } from '../../../db/ids.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import * as sql from './import-sql.ts'
import type { TestToStore } from './read-tests.ts'

/** A statement of an import carries about this many bytes of texts. */
const BATCH_BYTES = 4 * 1024 * 1024
/** The files of 10,000 tests take 8 s to read: the database ends transactions that idle so long. */
const BATCH_TESTS = 200
const PART_BYTES = 1024 * 1024

/** The ids of the categories of these names, which are created where they do not exist. */
export async function newCategoryIds(tx: ActorDatabase, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  await tx.query(sql.createCategories, { ids: newIds(names.length), names })
  return (await tx.query(sql.readCategoryIds, { names })).map(({ id }) => id)
}

/** A test case with its place, from 1, and its id. */
interface PlacedTest extends TestToStore {
  readonly position: number
  readonly id: string
}

/** Stores the test cases. Test cases of a replaced problem with the same texts keep their ids. */
export async function storeTests(
  tx: ActorDatabase,
  problem_id: number,
  tests: readonly TestToStore[],
  isReplaced: boolean,
): Promise<void> {
  const stored = new Map<string, string[]>()
  if (isReplaced) {
    for (const { id, sums } of await tx.query(sql.readTestSums, { problem_id }))
      stored.set(sums, [...(stored.get(sums) ?? []), id])
  }
  const ids = newIds(tests.length)
  const kept: PlacedTest[] = []
  const added: PlacedTest[] = []
  tests.forEach((test, i) => {
    const id = stored.get(test.sums)?.shift()
    const list = id === undefined ? added : kept
    list.push({ ...test, position: i + 1, id: id ?? ids[i] ?? '' })
  })
  if (isReplaced) await tx.query(sql.keepTestCases, { problem_id, ...columnsOf(kept) })
  for (const batch of batchesOf(added)) {
    const inputs: string[] = []
    const expected_outputs: string[] = []
    for (const { test } of batch) {
      inputs.push(decodeText(test.input.path, await test.input.read()))
      expected_outputs.push(decodeText(test.answer.path, await test.answer.read()))
    }
    await tx.query(sql.insertTestCases, { problem_id, ...columnsOf(batch), inputs, expected_outputs })
  }
}

const columnsOf = (tests: readonly PlacedTest[]) => ({
  ids: tests.map(({ id }) => id),
  positions: tests.map(({ position }) => position),
  hidden: tests.map(({ test }) => test.hidden),
  names: tests.map(({ test }) => test.name),
  hints: tests.map(({ test }) => test.hint ?? null),
  descriptions: tests.map(({ test }) => test.description ?? null),
})

function* batchesOf(tests: readonly PlacedTest[]): Generator<PlacedTest[]> {
  let batch: PlacedTest[] = []
  let bytes = 0
  for (const test of tests) {
    const added = test.test.input.bytes + test.test.answer.bytes
    const isFull = batch.length === BATCH_TESTS || bytes + added > BATCH_BYTES
    if (batch.length > 0 && isFull) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(test)
    bytes += added
  }
  if (batch.length > 0) yield batch
}

/** Stores the settings and files of a package, in place of earlier ones. */
export async function storeFiles(
  tx: ActorDatabase,
  problem_id: number,
  { files, metadata, prompt, timeout, timeout_is_provisional }: PackageProblem & { prompt: string },
  isReplaced: boolean,
): Promise<void> {
  const stored = { ...metadata, prompt_hash: hashPrompt(prompt) }
  const times = { timeout, timeout_is_provisional }
  await tx.query(sql.storePackage, { problem_id, metadata: JSON.stringify(stored), ...times })
  if (isReplaced) await tx.query(sql.deleteFiles, { problem_id })
  const ids = newIds(files.length)
  const columns = {
    paths: files.map(({ path }) => path),
    names: files.map(({ name }) => name),
    bytes: files.map(({ file }) => file.bytes),
  }
  await tx.query(sql.insertFiles, { problem_id, ids, ...columns })
  for (const [i, { file }] of files.entries()) {
    const content = await file.read()
    for (let number = 0; number * PART_BYTES < content.length; number += 1) {
      const part = content.subarray(number * PART_BYTES, (number + 1) * PART_BYTES)
      await tx.query(sql.insertFilePart, { file_id: ids[i] ?? '', number, content: part })
    }
  }
}

/** Identifies the prompt that the stored statements belong to. */
export const hashPrompt = (prompt: string) => createHash('sha256').update(prompt).digest('hex')
