import { createHash } from 'node:crypto'
import {
  decodeText,
  lineAt,
  PackageError,
  type PackageFile,
  type Warnings,
} from '@judge-data-layer/problem-format/package-files'
import type { PackageTest } from '@judge-data-layer/problem-format/read-package'

/** A test case of a package, with what the service needs to compare it with a stored one. */
export interface TestToStore {
  readonly test: PackageTest
  /** MD5 of the input and of the answer. */
  readonly sums: string
}

const MEBIBYTE = 1024 * 1024
const MOST_TEST_CASES = 10_000
const MOST_BYTES = 256 * MEBIBYTE
const MOST_PUBLIC_BYTES = 64 * MEBIBYTE
const MOST_CASE_BYTES = 64 * MEBIBYTE

/**
 * Reads all test cases once, one after the other: nothing is stored of a package with a damaged
 * one. Warns of texts that programs may not expect. Throws `PackageError` for texts that the
 * service cannot store.
 */
export async function readTests(tests: readonly PackageTest[], warnings: Warnings): Promise<TestToStore[]> {
  if (tests.length > MOST_TEST_CASES)
    throw new PackageError('data', `it must have at most ${MOST_TEST_CASES} test cases`)
  let bytes = 0
  let publicBytes = 0
  const read: TestToStore[] = []
  for (const test of tests) {
    const ofCase = test.input.bytes + test.answer.bytes
    bytes += ofCase
    if (!test.hidden) publicBytes += ofCase
    const path = test.input.path
    if (ofCase > MOST_CASE_BYTES)
      throw tooLarge(path, 'the input and the answer of a test case', MOST_CASE_BYTES)
    if (bytes > MOST_BYTES) throw tooLarge(path, 'the test cases up to this one', MOST_BYTES)
    if (publicBytes > MOST_PUBLIC_BYTES)
      throw tooLarge(path, 'the public test cases up to this one', MOST_PUBLIC_BYTES)
    read.push({ test, sums: `${await sumOf(test.input, warnings)}${await sumOf(test.answer, warnings)}` })
  }
  return read
}

const tooLarge = (path: string, texts: string, bytes: number) =>
  new PackageError(path, `${texts} must have at most ${bytes / MEBIBYTE} MiB together`)

async function sumOf(file: PackageFile, warnings: Warnings): Promise<string> {
  const content = await file.read()
  const text = decodeText(file.path, content)
  if (text.startsWith('\uFEFF'))
    warnings.add(file.path, 'the file begins with a byte-order mark, which programs will read', 1)
  const end = text.indexOf('\r\n')
  if (end >= 0) warnings.add(file.path, 'the file has line ends of Windows, CR LF', lineAt(text, end))
  return createHash('md5').update(content).digest('hex')
}
