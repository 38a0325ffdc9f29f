import { expect, it } from 'vitest'
import type { Task } from '../../src/program.ts'
import type { Limits, RunRequest, RunResult, Sandbox } from '../../src/sandbox/sandbox.ts'
import { PROTOCOLS } from '../../src/validation/protocol.ts'
import { Validator } from '../../src/validation/validator.ts'
import { findDefaultLanguage } from '../support/default-languages.ts'
import { makeTestCase } from '../support/test-cases.ts'

const limits: Limits = {
  ...{ wallMs: 3000, cpuMs: 1000, memoryBytes: 2 ** 28, outputBytes: 2 ** 20, fileBytes: 2 ** 20 },
  processes: 8,
}
const RIGHT: RunResult = {
  ...{ exitCode: 42, signal: undefined, kernelSignal: undefined, exceeded: undefined },
  ...{ stdout: Buffer.alloc(0), stdoutBytes: 0, stderr: Buffer.alloc(0) },
  ...{ wallMs: 10, cpuMs: 10, cpuWaitMs: 0, peakMemoryBytes: 2 ** 20 },
}
const LATE: RunResult = { ...RIGHT, exitCode: undefined, exceeded: 'time', wallMs: 3000, cpuWaitMs: 300 }

/** Checks an output by a validator whose runs end like this. */
async function check(ends: readonly RunResult[]) {
  const requests: RunRequest[] = []
  let emptied = 0
  const unused = () => Promise.reject(new Error('unused'))
  const sandbox: Sandbox = {
    ...{ description: '', createFolder: unused, removeFolder: unused, close: unused, runPair: unused },
    ...{ innerPath: (path) => path, hasCommand: () => true },
    async makeSubfolder() {
      emptied += 1
      return '/nowhere'
    },
    async run(request) {
      requests.push(request)
      const end = ends[requests.length - 1]
      if (!end) throw new Error('one run too many')
      return end
    },
  }
  const task: Task = {
    ...{ sandbox, language: findDefaultLanguage('js'), sourceCode: '', takeRerun: () => true },
    limits: { cpuSeconds: 1, wallSeconds: 3, memoryMib: 256 },
  }
  const command = { argv: ['check'], folder: '/nowhere', writable: false, environment: {}, limits } as const
  const makeCommand = () => ({ ...command, argv: ['check'] as const })
  const validator = new Validator('/nowhere', makeCommand, PROTOCOLS.format, {
    ...{ stored: { task, folder: '/nowhere' }, limits: undefined, signal: undefined },
    validation: { type: 'custom', protocol: 'format', files: [] },
  })
  const { judgement } = await validator.check(makeTestCase('', ''), '/nowhere/output')
  return { kind: judgement.kind, alone: requests.map((request) => request.alone ?? false), emptied }
}

it('a validator that waited for a CPU runs again, alone and with an empty feedback folder', async () => {
  expect(await check([LATE, RIGHT])).toEqual({ kind: 'accepted', alone: [false, true], emptied: 2 })
})

it('a validator that only took long does not run again', async () => {
  expect(await check([{ ...LATE, cpuWaitMs: 0 }])).toEqual({ kind: 'broken', alone: [false], emptied: 1 })
})
