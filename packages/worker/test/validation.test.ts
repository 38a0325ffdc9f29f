import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { compareOutputs } from '../src/judging/compare.ts'
import type { RunResult } from '../src/sandbox/sandbox.ts'
import { readFeedbackFile } from '../src/validation/feedback.ts'
import { parseFlags } from '../src/validation/flags.ts'
import { JudgeError } from '../src/validation/judge-error.ts'
import { findProtocol } from '../src/validation/protocol.ts'
import { makeRunResult } from './support/fake-sandbox.ts'

const text = fc.string({ unit: fc.constantFrom('a', '#', ' ', '\t', '\n', '\r', '\f', '\v', '😀', '\u00a0') })

function compareByDefinition(actual: string, expected: string) {
  const lines = (whole: string) => {
    const trimmed = whole.split('\n').map((line) => line.replace(/[ \t\r\f\v]+$/, ''))
    while (trimmed.at(-1) === '') trimmed.pop()
    return trimmed.join('\n')
  }
  const ink = (whole: string) => whole.replace(/[ \t\r\f\v\n]+/g, '')
  if (lines(actual) === lines(expected)) return 'same'
  return ink(actual) === ink(expected) ? 'presentation' : 'different'
}

describe('comparing outputs', () => {
  const compare = (actual: string, expected: string) =>
    compareOutputs(Buffer.from(actual), Buffer.from(expected))

  it.each([
    ['1 2\n', '1 2', 'same'],
    ['1 2', '1 2\n\n', 'same'],
    ['1 2  \r\n3\t\n\n \n', '1 2\n3', 'same'],
    ['', ' \n', 'same'],
    ['1\n\n2', '1\n2', 'presentation'],
    ['1  2', '1 2', 'presentation'],
    [' 1 2', '1 2', 'presentation'],
    ['12', '1 2', 'presentation'],
    ['1 2 3', '1 2', 'different'],
    ['', '1', 'different'],
    ['1', '', 'different'],
    ['a', 'A', 'different'],
    ['1\u00a02', '1 2', 'different'],
  ] as const)('output %j, expected %j: %s', (actual, expected, comparison) => {
    expect(compare(actual, expected)).toBe(comparison)
  })

  it('compares bytes: a byte that is no UTF-8 is not U+FFFD', () => {
    expect(compareOutputs(Buffer.from([0xff]), Buffer.from('\ufffd'))).toBe('different')
    expect(compareOutputs(Buffer.from([0xff, 10]), Buffer.from([0xfe, 10]))).toBe('different')
    expect(compareOutputs(Buffer.from([0xff, 32, 10]), Buffer.from([0xff, 10]))).toBe('same')
  })

  it('follows the simple definition for any two texts', () => {
    fc.assert(
      fc.property(text, text, (actual, expected) => {
        expect(compare(actual, expected)).toBe(compareByDefinition(actual, expected))
      }),
      { numRuns: 2000 },
    )
  })

  it('takes linear time for a million spaces', () => {
    const spaces = ' '.repeat(1_000_000)
    const lines = '\n'.repeat(1_000_000)
    expect(compare(`${spaces}x`, `${spaces}y`)).toBe('different')
    expect(compare(`${lines}x`, 'x')).toBe('presentation')
    expect(compare(`x${spaces}${lines}${spaces}`, 'x')).toBe('same')
  })
})

describe('the flags of the default output validator', () => {
  it('may be absent, come in any order and be separated by any white space', () => {
    expect(parseFlags(' \n')).toEqual({ caseSensitive: false, spaceChangeSensitive: false })
    const settings = parseFlags(
      '\tfloat_relative_tolerance 1E-3\n case_sensitive  float_absolute_tolerance .5',
    )
    expect(settings).toMatchObject({ caseSensitive: true, spaceChangeSensitive: false })
    expect(settings.absoluteTolerance?.estimate).toBe(0.5)
    expect(settings.relativeTolerance?.estimate).toBe(0.001)
    expect(parseFlags('float_tolerance 2')).toMatchObject({
      absoluteTolerance: { estimate: 2 },
      relativeTolerance: { estimate: 2 },
    })
  })

  it.each([
    ['exact', 'unknown flag "exact"'],
    ['CASE_SENSITIVE', 'unknown flag "CASE_SENSITIVE"'],
    ['case_sensitive 1', 'unknown flag "1"'],
    ['float_tolerance', 'float_tolerance needs a number'],
    ['float_tolerance case_sensitive', 'float_tolerance needs a decimal number, not "case_sensitive"'],
    ['float_tolerance nan', 'float_tolerance needs a decimal number, not "nan"'],
    ['float_tolerance inf', 'float_tolerance needs a decimal number, not "inf"'],
    ['float_tolerance 0x1', 'float_tolerance needs a decimal number, not "0x1"'],
    ['float_tolerance 1e999', 'float_tolerance is too large: "1e999"'],
    ['float_absolute_tolerance -1', 'float_absolute_tolerance must not be negative: "-1"'],
    ['float_tolerance 1 float_tolerance 1', 'float_tolerance is given twice'],
    ['float_relative_tolerance 1 float_relative_tolerance 2', 'float_relative_tolerance is given twice'],
    ['float_absolute_tolerance 1 float_absolute_tolerance 1', 'float_absolute_tolerance is given twice'],
    ['float_tolerance 1 float_relative_tolerance 1', 'float_tolerance sets both tolerances'],
    ['float_absolute_tolerance 1 float_tolerance 1', 'float_tolerance sets both tolerances'],
  ])('%j are refused', (flags, error) => {
    expect(() => parseFlags(flags)).toThrow(new RegExp(`^the flags of the default validator .+${error}`))
  })
})

const read = (protocol: string, exitCode: number | undefined, stderr = '', end: Partial<RunResult> = {}) =>
  findProtocol({ type: 'custom', protocol }).readJudgement(
    makeRunResult({ exitCode, stderr: Buffer.from(stderr), ...end }),
  )

it.each([
  ['format', 'accepted', [42]],
  ['format', 'wrong', [43]],
  ['format', 'broken', [0, 1]],
  ['testlib', 'accepted', [0]],
  ['testlib', 'wrong', [1]],
  // 4: extra tokens after a right answer, which any program can cause.
  ['testlib', 'presentation', [2, 4, 8]],
  ['testlib', 'broken', [3, 5, 7, 42]],
] as const)('%s: %s is the meaning of the exit codes %j', (protocol, kind, exitCodes) => {
  for (const exitCode of exitCodes) expect(read(protocol, exitCode)).toMatchObject({ kind })
})

it.each(['format', 'testlib'] as const)('%s: a limit or a signal is a failure', (protocol) => {
  for (const exitCode of [0, 1, 2, 7, 42, 43])
    expect(read(protocol, exitCode, 'points 1', { exceeded: 'output' })).toMatchObject({ kind: 'broken' })
  expect(read(protocol, undefined, '', { signal: 'SIGSEGV' })).toMatchObject({ kind: 'broken' })
})

it.each([
  ['points 12.5 good\n', '12.5'],
  // A checker may show the program's output before.
  ['the output is: points 50\npoints 50\npoints 5 partly right', '5'],
])("testlib's points are in the last such line of stderr: %j", (stderr, points) => {
  expect(read('testlib', 7, stderr)).toEqual({ kind: 'accepted', points })
})

it('the package format has the default protocol', () => {
  expect(findProtocol({ type: 'interactive' })).toBe(findProtocol({ type: 'custom', protocol: 'format' }))
})

it.each([
  [{ type: 'oracle' }, 'oracle'],
  [{ type: 'custom', protocol: 'next' }, 'custom with the protocol next'],
])('the validation %j of a newer service is named', (validation, name) => {
  const message = `this judge worker does not know the validation "${name}"`
  expect(() => findProtocol(validation)).toThrow(new JudgeError(message))
})

const folder = await makeTemporaryFolder()

it('reads a text up to the limit, without half a character at its end; replaces invalid UTF-8', async () => {
  const file = join(folder, 'text')
  const read = (limitBytes: number) => readFeedbackFile(folder, 'text', limitBytes)
  await writeFile(file, 'a€b')
  expect(await read(5)).toBe('a€b')
  expect(await read(3)).toBe('a\n[cut]')
  await writeFile(file, Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82]))
  expect(await read(100)).toBe('a\ufffdb\ufffd')
  await writeFile(file, '')
  expect(await read(5)).toBe('')
  await writeFile(file, 'start')
  await truncate(file, 2 ** 40)
  expect(await read(5)).toBe('start\n[cut]')
})
