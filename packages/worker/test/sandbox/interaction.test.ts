import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import type { Program, Task } from '../../src/programs/program.ts'
import type { PairRequest, PairResult, RunCommand, RunRequest, RunResult } from '../../src/sandbox/sandbox.ts'
import type { Validation } from '../../src/service/judging-options.ts'
import type { CaseContext } from '../../src/validation/case-context.ts'
import { interact } from '../../src/validation/interaction.ts'
import { findProtocol } from '../../src/validation/protocol.ts'
import { Validator } from '../../src/validation/validator.ts'
import { findDefaultLanguage } from '../support/default-languages.ts'
import { makeFakeSandbox, makeRunResult as makeResult } from '../support/fake-sandbox.ts'
import { makeJudgeTools, makeTestCase } from '../support/test-cases.ts'

const LIMITS = { cpuSeconds: 1, wallSeconds: 3, memoryMib: 256 }
const VALIDATION: Validation = { type: 'interactive', files: [] }
const COMMAND: RunCommand = {
  ...{ argv: ['program'], folder: '/nowhere', writable: false, environment: {} },
  limits: {
    ...{ wallMs: 3000, cpuMs: 1000, memoryBytes: 2 ** 28, outputBytes: 2 ** 20 },
    ...{ fileBytes: 2 ** 20, processes: 8 },
  },
}

type End = Partial<RunResult>

const makePair = (program: End, validator: End, endedFirst: PairResult['endedFirst']): PairResult => ({
  ...{ program: makeResult(program), validator: makeResult(validator), endedFirst },
  ...{ transcript: Buffer.alloc(0), isTranscriptCut: false },
})

interface Ends {
  readonly pairs?: readonly PairResult[]
  readonly runs?: readonly RunResult[]
  readonly takeRerun?: () => boolean
  readonly feedback?: string
}

function prepare({ pairs = [], runs = [], takeRerun = () => true, feedback = '/nowhere' }: Ends) {
  const requests: (PairRequest | RunRequest)[] = []
  const makeSubfolder = vi.fn(async () => feedback)
  const end = <T>(ends: readonly T[], request: PairRequest | RunRequest): T => {
    const found = ends[requests.push(request) - 1]
    if (!found) throw new Error('one too many')
    return found
  }
  const sandbox = makeFakeSandbox({
    makeSubfolder,
    run: async (request) => end(runs, request),
    runPair: async (request) => end(pairs, request),
  })
  const task: Task = {
    ...{ sandbox, language: findDefaultLanguage('js'), sourceCode: '', limits: LIMITS, takeRerun },
  }
  const validator = new Validator('/nowhere', () => COMMAND, {
    ...{ stored: { task, folder: '/nowhere' }, limits: undefined, signal: undefined },
    ...{ validation: VALIDATION, protocol: findProtocol(VALIDATION) },
  })
  return { sandbox, task, validator, requests, makeSubfolder }
}

async function judge(pairs: readonly PairResult[], more: Ends = {}) {
  const { sandbox, task, validator, requests } = prepare({ pairs, ...more })
  const program: Program = { run: () => Promise.reject(new Error('unused')), makeCommand: () => COMMAND }
  const context: CaseContext = {
    ...{ task, program, options: { validation: VALIDATION } },
    ...makeJudgeTools(sandbox),
  }
  const result = await interact(context, validator, makeTestCase('', ''))
  const walls = requests.map((request) => 'validator' in request && request.validator.limits.wallMs)
  return { result, alone: requests.map((request) => request.alone), walls }
}

const ACCEPTS = { exitCode: 42 }
const REJECTS = { exitCode: 43 }
const CRASHES = { exitCode: 1 }
const KILLED = { exitCode: undefined, signal: 'SIGKILL' }
const SLOW = { ...KILLED, exceeded: 'time', wallMs: 3000 } as const
const SPENT = { ...SLOW, cpuMs: 1000 }
const BUSY = { ...SLOW, cpuMs: 990, wallMs: 1800 }

describe('the verdict of an interaction', () => {
  it.each([
    ['the program fails after a rejection', CRASHES, REJECTS, 'validator', 'WRONG_ANSWER'],
    ['the validator fails first', CRASHES, CRASHES, 'validator', 'INTERNAL_ERROR'],
    ['the validator fails after the program', CRASHES, CRASHES, 'program', 'RUNTIME_ERROR'],
    ['the validator fails after the end', {}, CRASHES, 'program', 'INTERNAL_ERROR'],
    ['the program reads nothing', {}, { ...KILLED, signal: 'SIGPIPE' }, 'program', 'WRONG_ANSWER'],
    ['the program waits for ever', SLOW, REJECTS, 'program', 'TIME_LIMIT_EXCEEDED'],
    ['the validator computed meanwhile', SLOW, { ...ACCEPTS, cpuMs: 1500 }, 'program', 'INTERNAL_ERROR'],
    ['the validator computed less', SLOW, { ...ACCEPTS, cpuMs: 1499 }, 'program', 'TIME_LIMIT_EXCEEDED'],
    ['both used much, the program all', SPENT, { ...ACCEPTS, cpuMs: 2000 }, 'program', 'TIME_LIMIT_EXCEEDED'],
    ['the program computed more', BUSY, { ...ACCEPTS, cpuMs: 980 }, 'program', 'TIME_LIMIT_EXCEEDED'],
  ] as const)('when %s', async (_, program, validator, endedFirst, status) => {
    const { result, alone } = await judge([makePair(program, validator, endedFirst)])
    expect([result.status, alone]).toEqual([status, [false]])
  })

  it('tells staff that the validator did not end either', async () => {
    const { result } = await judge([makePair(SLOW, SLOW, 'program')])
    const judgeMessage = 'the validator failed too: it exceeded its time limit'
    expect(result).toMatchObject({ status: 'TIME_LIMIT_EXCEEDED', judgeMessage })
  })

  it('has the score of the validator only if the program did not fail', async () => {
    const feedback = await makeTemporaryFolder()
    await writeFile(join(feedback, 'score.txt'), '5')
    const scored = await judge([makePair({}, ACCEPTS, 'validator')], { feedback })
    const failed = await judge([makePair(CRASHES, ACCEPTS, 'validator')], { feedback })
    expect([scored.result.status, scored.result.score !== undefined]).toEqual(['ACCEPTED', true])
    expect([failed.result.status, failed.result.score]).toEqual(['RUNTIME_ERROR', undefined])
  })

  it('waits for the validator for its own wall time after that of the program', async () => {
    const { walls } = await judge([makePair({}, ACCEPTS, 'program')])
    expect(walls).toEqual([6000])
  })

  it.each([
    ['the program waited for a CPU', { cpuWaitMs: 300 }, {}],
    ['the validator waited for a CPU', {}, { cpuWaitMs: 300 }],
    ['each of them waited for a CPU', { cpuWaitMs: 150 }, { cpuWaitMs: 150 }],
    ['the limits of both were watched late', { lateMs: 300 }, { lateMs: 300 }],
  ])('comes from a second run, alone, when %s', async (_, ofProgram, ofValidator) => {
    const ends = [
      { ...SLOW, ...ofProgram },
      { ...REJECTS, ...ofValidator },
    ] as const
    const [waited, second] = [makePair(...ends, 'program'), makePair({}, ACCEPTS, 'program')]
    const takeRerun = vi.fn(() => true)
    const { result, alone } = await judge([waited, second], { takeRerun })
    expect([result.status, alone]).toEqual(['ACCEPTED', [false, true]])
    expect(takeRerun).toHaveBeenCalledOnce()
  })

  it('is final when they waited for less, or the budget is spent', async () => {
    for (const [ofProgram, ofValidator] of [
      [{ cpuWaitMs: 149 }, { cpuWaitMs: 150 }],
      [{ lateMs: 299 }, { lateMs: 299 }],
    ]) {
      const waited = makePair({ ...SLOW, ...ofProgram }, { ...REJECTS, ...ofValidator }, 'program')
      expect((await judge([waited])).result.status).toBe('TIME_LIMIT_EXCEEDED')
    }
    const longer = makePair({ ...SLOW, cpuWaitMs: 300 }, REJECTS, 'program')
    expect((await judge([longer], { takeRerun: () => false })).result.status).toBe('TIME_LIMIT_EXCEEDED')
  })
})

const right = makeResult(ACCEPTS)
const late = makeResult({ exitCode: undefined, exceeded: 'time', wallMs: 3000, cpuWaitMs: 300 })

it.each([
  ['runs again, alone and with an empty feedback folder, if it waited for a CPU', late, [false, true]],
  ['is at fault if it did not wait for a CPU', { ...late, cpuWaitMs: 0 }, [false]],
])('a validator that took too long %s', async (_, first, expected) => {
  const { validator, requests, makeSubfolder } = prepare({ runs: [first, right] })
  const { judgement } = await validator.check(makeTestCase('', ''), '/nowhere/output')
  expect(judgement.kind).toBe(expected.length === 2 ? 'accepted' : 'broken')
  expect(requests.map(({ alone }) => alone ?? false)).toEqual(expected)
  expect(makeSubfolder).toHaveBeenCalledTimes(expected.length)
})
