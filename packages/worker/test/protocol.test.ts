import { expect, it } from 'vitest'
import { PROTOCOLS } from '../src/validation/protocol.ts'

const read = (protocol: keyof typeof PROTOCOLS, exitCode: number, stderr = '') =>
  PROTOCOLS[protocol].readJudgement({
    ...{ exitCode, signal: undefined, kernelSignal: undefined, exceeded: undefined },
    ...{ stdout: Buffer.alloc(0), stdoutBytes: 0, stderr: Buffer.from(stderr) },
    ...{ wallMs: 1, cpuMs: 1, cpuWaitMs: 0, peakMemoryBytes: 0 },
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

it("testlib's points are on stderr", () => {
  expect(read('testlib', 7, 'points 12.5 good\n')).toEqual({ kind: 'accepted', points: '12.5' })
})
