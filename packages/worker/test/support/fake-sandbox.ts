import type { RunResult, Sandbox } from '../../src/sandbox/sandbox.ts'

/** The result of a program that ended with 0 and printed nothing, with these changes. */
export const makeRunResult = (changes: Partial<RunResult> = {}): RunResult => ({
  ...{ exitCode: 0, signal: undefined, kernelSignal: undefined, exceeded: undefined },
  ...{ stdout: Buffer.alloc(0), stdoutBytes: 0, stderr: Buffer.alloc(0) },
  ...{ wallMs: 10, cpuMs: 10, cpuWaitMs: 0, lateMs: 0, peakMemoryBytes: 2 ** 20 },
  ...changes,
})

const unused = () => Promise.reject(new Error('unused'))

/** A sandbox that can do nothing but this. */
export const makeFakeSandbox = (methods: Partial<Sandbox>): Sandbox => ({
  ...{ description: '', createFolder: unused, removeFolder: unused, makeSubfolder: unused },
  ...{ innerPath: (path) => path, hasCommand: () => true, run: unused, runPair: unused, close: unused },
  ...methods,
})
