import { createHash } from 'node:crypto'
import type { PackageFile } from '@judge-data-layer/problem-format/package-files'
import { newIds } from '../../../db/ids.ts'
import { judgingValues } from '../problems/judging-rules.ts'
import { BATCH_BYTES, BATCH_ROWS, type Batch, type StoredTest } from './calls.ts'
import type { ReadPackage } from './package-reader.ts'
import type { TestToStore } from './read-tests.ts'

/**
 * The rows of a package, a part at a time. `stored` are the test cases of the replaced problem:
 * those with the same texts keep their ids.
 */
export async function* makeBatches(
  read: ReadPackage,
  problem_id: number,
  stored: readonly StoredTest[],
): AsyncGenerator<Batch> {
  const [file_id = ''] = newIds(1)
  yield* stage(file_id, describeProblem(read, problem_id))
  yield ['problem', { file_id, public: read.isPublic }]
  const { kept, dropped, added } = placeTests(read.tests, stored)
  for (const ids of split(dropped, () => 0)) yield ['droppedTests', { ids }]
  for (const tests of split(kept, sizeOfRow)) yield ['keptTests', columnsOf(tests)]
  for (const tests of split(added, (test) => sizeOfRow(test) + sizeOfTexts(test), READ_ROWS))
    yield* makeTestBatches(tests)
  yield* makeFileBatches(read)
}

/** The document of a problem, which the statement `fill_imported_problem` reads. */
function describeProblem({ problem, fields }: ReadPackage, problem_id: number): Buffer {
  const { title, identifier, source, difficulty, accept_timeout, execution_timeout, memory_limit } = fields
  const { timeout, timeout_is_provisional, metadata } = problem
  const prompt = problem.prompt === null ? linkToStatement(problem_id, problem) : fields.prompt
  const options: unknown = JSON.parse(judgingValues(fields).judging_options ?? '{}')
  const document = {
    fields: {
      ...{ title: title.trim(), identifier: identifier.trim(), prompt, source, difficulty, timeout },
      ...{ accept_timeout, execution_timeout, timeout_is_provisional, memory_limit },
      judging_options: Object.keys(Object(options)).length === 0 ? null : options,
    },
    metadata: { ...metadata, prompt_hash: hashPrompt(prompt) },
  }
  return Buffer.from(JSON.stringify(document))
}

/** The prompt of a problem whose statement is only a file, or missing. */
function linkToStatement(
  problem_id: number,
  { title, statementFile, files }: ReadPackage['problem'],
): string {
  const statement = files.find(({ file }) => file.path === statementFile)
  return statement?.name
    ? `[${title}](/v1/problems/${problem_id}/files/${encodeURIComponent(statement.name)})\n`
    : `${title} has no statement.\n`
}

/** Identifies the prompt that the stored statements belong to. */
export const hashPrompt = (prompt: string) => createHash('sha256').update(prompt).digest('hex')

/** A test case with its place, from 1, and its id. */
interface PlacedTest extends TestToStore {
  readonly position: number
  readonly id: string
}

function placeTests(tests: readonly TestToStore[], stored: readonly StoredTest[]) {
  const free = new Map<string, string[]>()
  for (const { id, sums } of stored.toReversed()) free.set(sums, [...(free.get(sums) ?? []), id])
  const ids = newIds(tests.length)
  const kept: PlacedTest[] = []
  const added: PlacedTest[] = []
  tests.forEach((test, i) => {
    const id = free.get(test.sums)?.pop()
    const list = id === undefined ? added : kept
    list.push({ ...test, position: i + 1, id: id ?? ids[i] ?? '' })
  })
  return { kept, added, dropped: [...free.values()].flat() }
}

/** Ids, places and sizes of a row. */
const ROW_BYTES = 100
/** Contents are read while the transaction waits, for at most a few seconds. */
const READ_ROWS = 200

/** Parts of a list that fit into a batch, or have one item. */
function* split<T>(items: readonly T[], sizeOf: (item: T) => number, mostRows = BATCH_ROWS): Generator<T[]> {
  let part: T[] = []
  let bytes = 0
  for (const item of items) {
    const added = sizeOf(item) + ROW_BYTES
    if (part.length === mostRows || (part.length > 0 && bytes + added > BATCH_BYTES)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(item)
    bytes += added
  }
  if (part.length > 0) yield part
}

const sizeOfTexts = ({ test }: PlacedTest) => test.input.bytes + test.answer.bytes

const sizeOfRow = ({ test }: PlacedTest) =>
  Buffer.byteLength(test.name) +
  Buffer.byteLength(test.hint ?? '') +
  Buffer.byteLength(test.description ?? '')

const columnsOf = (tests: readonly PlacedTest[]) => ({
  ids: tests.map(({ id }) => id),
  positions: tests.map(({ position }) => position),
  hidden: tests.map(({ test }) => test.hidden),
  names: tests.map(({ test }) => test.name),
  hints: tests.map(({ test }) => test.hint ?? null),
  descriptions: tests.map(({ test }) => test.description ?? null),
})

async function* makeTestBatches(tests: readonly PlacedTest[]): AsyncGenerator<Batch> {
  const [first] = tests
  if (first !== undefined && sizeOfRow(first) + sizeOfTexts(first) + ROW_BYTES > BATCH_BYTES) {
    const [input_id = '', answer_id = ''] = newIds(2)
    yield* stage(input_id, await first.test.input.read())
    yield* stage(answer_id, await first.test.answer.read())
    yield ['longTest', { ...columnsOf(tests), input_id, answer_id }]
    return
  }
  const contents: Buffer[] = []
  for (const { test } of tests) contents.push(await test.input.read(), await test.answer.read())
  const texts = describeContents(contents)
  const [starts, input_bytes] = [texts.starts, texts.bytes].map((list) => list.filter((_, i) => i % 2 === 0))
  const answer_bytes = texts.bytes.filter((_, i) => i % 2 === 1)
  const { content } = texts
  yield [
    'tests',
    { ...columnsOf(tests), starts: starts ?? [], input_bytes: input_bytes ?? [], answer_bytes, content },
  ]
}

/** Several contents as one, with the place of each, from 1. */
function describeContents(contents: readonly Buffer[]) {
  let start = 1
  const starts = contents.map(({ length }) => {
    start += length
    return start - length
  })
  return { starts, bytes: contents.map(({ length }) => length), content: Buffer.concat(contents) }
}

/** Stores a long content as a file, for a later batch that deletes it. No file has such a path. */
async function* stage(id: string, content: Buffer): AsyncGenerator<Batch> {
  yield ['files', { ids: [id], paths: [`/${id}`], names: [null], bytes: [content.length] }]
  yield* makeParts(id, content)
}

function* makeParts(id: string, content: Buffer): Generator<Batch> {
  for (let number = 0; number * BATCH_BYTES < content.length; number += 1)
    yield [
      'part',
      { id, number, content: content.subarray(number * BATCH_BYTES, (number + 1) * BATCH_BYTES) },
    ]
}

async function* makeFileBatches({ problem: { files } }: ReadPackage): AsyncGenerator<Batch> {
  const ids = newIds(files.length)
  const placed = files.map((stored, i) => ({ ...stored, id: ids[i] ?? '' }))
  for (const part of split(placed, ({ path, name }) => Buffer.byteLength(path) + (name ?? '').length))
    yield [
      'files',
      {
        ids: part.map(({ id }) => id),
        paths: part.map(({ path }) => path),
        names: part.map(({ name }) => name),
        bytes: part.map(({ file }) => file.bytes),
      },
    ]
  const filled = placed.filter(({ file }) => file.bytes > 0)
  for (const part of split(filled, ({ file }) => file.bytes, READ_ROWS)) yield* makeContents(part)
}

async function* makeContents(
  files: readonly { readonly id: string; readonly file: PackageFile }[],
): AsyncGenerator<Batch> {
  const contents: Buffer[] = []
  for (const { file } of files) contents.push(await file.read())
  const [first] = contents
  if (first !== undefined && first.length > BATCH_BYTES) yield* makeParts(files[0]?.id ?? '', first)
  else yield ['contents', { ids: files.map(({ id }) => id), ...describeContents(contents) }]
}
