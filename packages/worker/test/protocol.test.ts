import { expect, it } from 'vitest'
import type { RunResult } from '../src/sandbox/sandbox.ts'
import { PROTOCOLS } from '../src/validation/protocol.ts'
import { makeRunResult } from './support/fake-sandbox.ts'

type Name = keyof typeof PROTOCOLS

const read = (protocol: Name, exitCode: number | undefined, stderr = '', end: Partial<RunResult> = {}) =>
  PROTOCOLS[protocol].readJudgement(makeRunResult({ exitCode, stderr: Buffer.from(stderr), ...end }))

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
