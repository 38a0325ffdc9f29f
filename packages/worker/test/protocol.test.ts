import { expect, it } from 'vitest'
import type { RunResult } from '../src/sandbox/sandbox.ts'
import { PROTOCOLS } from '../src/validation/protocol.ts'

type Name = keyof typeof PROTOCOLS

const read = (protocol: Name, exitCode: number | undefined, stderr = '', end: Partial<RunResult> = {}) =>
  PROTOCOLS[protocol].readJudgement({
    ...{ exitCode, signal: undefined, kernelSignal: undefined, exceeded: undefined },
    ...{ stdout: Buffer.alloc(0), stdoutBytes: 0, stderr: Buffer.from(stderr) },
    ...{ wallMs: 1, cpuMs: 1, cpuWaitMs: 0, peakMemoryBytes: 0 },
    ...end,
  })

it.each([
  ['format', 42, { kind: 'accepted' }],
  ['format', 43, { kind: 'wrong' }],
  ['format', 0, { kind: 'broken' }],
  ['format', 1, { kind: 'broken' }],
  ['testlib', 0, { kind: 'accepted' }],
  ['testlib', 1, { kind: 'wrong' }],
  ['testlib', 2, { kind: 'presentation' }],
  ['testlib', 3, { kind: 'broken' }],
  // Extra tokens after a right answer: any program can cause this.
  ['testlib', 4, { kind: 'presentation' }],
  ['testlib', 5, { kind: 'broken' }],
  ['testlib', 7, { kind: 'broken' }],
  ['testlib', 8, { kind: 'presentation' }],
  ['testlib', 42, { kind: 'broken' }],
] as const)('%s: the exit code %s means %o', (protocol, exitCode, judgement) => {
  expect(read(protocol, exitCode)).toMatchObject(judgement)
})

it.each(['format', 'testlib'] as const)('%s: a limit or a signal is a failure', (protocol) => {
  for (const exitCode of [0, 1, 2, 7, 42, 43])
    expect(read(protocol, exitCode, 'points 1', { exceeded: 'output' })).toMatchObject({ kind: 'broken' })
  expect(read(protocol, undefined, '', { signal: 'SIGSEGV' })).toMatchObject({ kind: 'broken' })
})

it.each([
  ['format', ['in', 'ans', 'dir/']],
  ['testlib', ['in', 'out', 'ans']],
] as const)('%s: the arguments are %j', (protocol, expected) => {
  const paths = { input: 'in', answer: 'ans', feedback: 'dir/', output: 'out' }
  expect(PROTOCOLS[protocol].makeArguments(paths)).toEqual(expected)
})

it.each([
  ['points 12.5 good\n', '12.5'],
  // A checker may show the program's output before.
  ['the output is: points 50\npoints 50\npoints 5 partly right', '5'],
])("testlib's points are in the last such line of stderr: %j", (stderr, points) => {
  expect(read('testlib', 7, stderr)).toEqual({ kind: 'accepted', points })
})
