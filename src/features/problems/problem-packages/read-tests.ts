import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { PackageError, type PackageFile, type Warnings } from '@judge-data-layer/problem-format/package-files'
import type { PackageTest } from '@judge-data-layer/problem-format/read-package'

/** A test case of a package, with what the service needs to compare it with a stored one. */
export interface TestToStore {
  readonly test: PackageTest
  /** MD5 of the input and of the answer. */
  readonly sums: string
}

const MEBIBYTE = 1024 * 1024
const MOST_BYTES = 256 * MEBIBYTE
const MOST_PUBLIC_BYTES = 64 * MEBIBYTE
const MOST_CASE_BYTES = 64 * MEBIBYTE

/**
 * Reads all test cases once, one after the other: nothing is stored of a package with a damaged
 * one. Warns of texts that programs may not expect. Throws `PackageError` for texts that the
 * service cannot store.
 */
export async function readTests(tests: readonly PackageTest[], warnings: Warnings): Promise<TestToStore[]> {
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

const MARK = Buffer.from('\uFEFF')

/** A test case may have 64 MiB: it is never decoded as a whole. */
async function sumOf(file: PackageFile, warnings: Warnings): Promise<string> {
  const { path } = file
  const content = await file.read()
  if (!isUtf8(content)) throw new PackageError(path, 'the file must be UTF-8')
  const nul = content.indexOf(0)
  if (nul >= 0)
    throw new PackageError(path, 'the file must not contain a NUL character', lineAt(content, nul))
  if (content.subarray(0, MARK.length).equals(MARK))
    warnings.add(path, 'the file begins with a byte-order mark, which programs will read', 1)
  const end = content.indexOf('\r\n')
  if (end >= 0) warnings.add(path, 'the file has line ends of Windows, CR LF', lineAt(content, end))
  return createHash('md5').update(content).digest('hex')
}

/** The line (from 1) of a place. */
function lineAt(content: Buffer, index: number): number {
  let line = 1
  for (let at = content.indexOf(10); at >= 0 && at < index; at = content.indexOf(10, at + 1)) line += 1
  return line
}
