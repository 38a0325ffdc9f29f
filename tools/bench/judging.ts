import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findCommand } from '../../packages/worker/src/sandbox/commands.ts'
import { readPeakMebibytes, readResidentMebibytes, resetPeak } from '../local-servers/process-tree.ts'
import { type Bench, type Judged, type JudgingFigure, judge, LIMITS, withWorker } from './judging-bench.ts'
import { measureCost } from './judging-cost.ts'
import {
  CASES,
  customValidation,
  DOUBLE,
  DOUBLE_ALL,
  doubleTests,
  interactiveValidation,
  LARGE_OUTPUT,
  largeTest,
  type ProblemOptions,
  toleranceOptions,
} from './judging-problems.ts'

/** The figures, and the sandbox that the worker used. */
export interface JudgingReport {
  readonly isolation: string
  readonly figures: readonly JudgingFigure[]
}

/** The problems judged once, and empty sandboxes for comparison. */
interface Round {
  readonly bareMs: number
  readonly plain: Judged
  readonly custom: Judged
  readonly interactive: Judged
}

/** Judges submissions with a real worker in its sandbox. Without bubblewrap it isolates nothing. */
export async function runJudging(rounds: number): Promise<JudgingReport> {
  const hasBubblewrap = findCommand('bwrap', process.env.PATH ?? '') !== undefined
  if (!hasBubblewrap)
    console.log('bubblewrap is not installed: programs run WITHOUT a sandbox, and no target applies')
  const mode = hasBubblewrap ? 'bubblewrap' : 'unsandboxed'
  const first = await withWorker(mode, async (bench, isolation) => {
    return { isolation, figures: [...(await measureTimes(bench, rounds)), await measureFetching(bench)] }
  })
  const cost = hasBubblewrap ? await withWorker(mode, (bench) => measureCost(bench, rounds)) : []
  // A worker of its own: memory that earlier judgings left would hide the growth.
  const memory = await withWorker(mode, (bench) => measureMemory(bench, rounds))
  const figures = [...first.figures, ...cost, ...memory]
  return { isolation: first.isolation, figures: hasBubblewrap ? figures : figures.map(withoutTarget) }
}

const withoutTarget = ({ target: _, ...figure }: JudgingFigure): JudgingFigure => figure

/** Judges submissions to one problem; the first one warms the worker. */
async function prepareProblem(bench: Bench, source_code: string, options: ProblemOptions) {
  const add = (other?: string) =>
    bench.service.addSubmission(
      { language: 'C', source_code, ...LIMITS, tests: doubleTests(), options },
      other,
    )
  const first = add()
  await judge(bench, [first])
  return () => judge(bench, [add(first)])
}

/** The problems take turns, so that load on the machine affects all of them. */
async function measureTimes(bench: Bench, rounds: number): Promise<JudgingFigure[]> {
  const judgeDefault = await prepareProblem(bench, DOUBLE, {})
  const judgeCustom = await prepareProblem(bench, DOUBLE, customValidation)
  const judgeInteractive = await prepareProblem(bench, DOUBLE_ALL, interactiveValidation)
  const measured: Round[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const bareMs = await runBareSandboxes()
    const [plain, custom] = [await judgeDefault(), await judgeCustom()]
    const interactive = await judgeInteractive()
    measured.push({ bareMs, plain, custom, interactive })
    const texts = [bareMs, plain.wallMs, custom.wallMs, interactive.wallMs].map((ms) => Math.round(ms))
    console.log(`round ${round}: bare, default, custom, interactive: ${texts.join(', ')} ms`)
  }
  const seconds = (name: string, target: number | undefined, of: (round: Round) => Judged) => ({
    ...{ name, unit: 's' as const, ...(target !== undefined && { target }) },
    values: measured.map((round) => of(round).wallMs / 1000),
    cpuMs: measured.map((round) => of(round).cpuMs),
  })
  return [
    seconds(`${CASES} tests, default comparison`, 1.5, ({ plain }) => plain),
    seconds(`${CASES} tests, warm custom validator`, 3, ({ custom }) => custom),
    seconds(`${CASES} tests, interactive validator`, undefined, ({ interactive }) => interactive),
    {
      ...{ name: 'interactive above custom, per test', unit: 'ms', target: 30 },
      values: measured.map(({ interactive, custom }) => (interactive.wallMs - custom.wallMs) / CASES),
    },
    {
      ...{ name: `${CASES} times bwrap true`, unit: 's' },
      values: measured.map(({ bareMs }) => bareMs / 1000),
    },
  ]
}

/** What empty sandboxes take, one after the other, in ms. */
async function runBareSandboxes(): Promise<number> {
  const startedMs = performance.now()
  for (let count = 0; count < CASES; count += 1)
    await promisify(execFile)('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).catch(
      () => undefined,
    )
  return performance.now() - startedMs
}

/** Counts the requests for tests of a judging whose tests the worker has. */
async function measureFetching(bench: Bench): Promise<JudgingFigure> {
  const judgeAgain = await prepareProblem(bench, DOUBLE, {})
  const { requests, testsResponses } = bench.service
  const [before, responses] = [requests.length, testsResponses.length]
  await judgeAgain()
  const own = requests.slice(before).filter((route) => route.startsWith('GET /v1/problem_description/'))
  const statuses = testsResponses.slice(responses).map(({ status }) => status)
  if (statuses.some((status) => status !== 304))
    throw new Error(`the worker fetched tests again: ${statuses.join(', ')}`)
  return { name: 'requests for known tests, 304', unit: 'requests', target: 1, values: [own.length] }
}

/** The growth of the worker while it fetches the tests and judges, and while it judges again. */
async function measureMemory(bench: Bench, rounds: number): Promise<JudgingFigure[]> {
  const { pid } = bench.worker
  await prepareProblem(bench, DOUBLE, { validation: { type: 'default' } })
  const program = { language: 'C', source_code: LARGE_OUTPUT, ...LIMITS, options: toleranceOptions }
  const first = bench.service.addSubmission({ ...program, tests: [largeTest()] })
  const idle = readResidentMebibytes(pid)
  const measure = async (id: string) => {
    resetPeak(pid)
    const judged = await judge(bench, [id])
    const growth = readPeakMebibytes(pid) - idle
    console.log(`100 MB output: +${Math.round(growth)} MiB, ${Math.round(judged.wallMs)} ms`)
    return { growth, ...judged }
  }
  const fetching = await measure(first)
  const judged = []
  for (let round = 1; round <= rounds; round += 1)
    judged.push(await measure(bench.service.addSubmission(program, first)))
  return [
    {
      ...{ name: 'memory growth, 100 MB output with tolerance', unit: 'MiB', target: 64 },
      values: judged.map(({ growth }) => growth),
    },
    {
      ...{ name: 'memory growth, also fetching 100 MB of tests', unit: 'MiB' },
      values: [fetching.growth],
    },
    {
      ...{ name: '100 MB output with tolerance', unit: 's' },
      values: judged.map(({ wallMs }) => wallMs / 1000),
      cpuMs: judged.map(({ cpuMs }) => cpuMs),
    },
  ]
}
