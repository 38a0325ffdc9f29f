import { findCommand } from '../../packages/worker/src/sandbox/commands.ts'
import {
  type JudgeService,
  PASSWORD,
  startJudgeService,
} from '../../packages/worker/test/support/judge-service.ts'
import * as processes from '../local-servers/process-tree.ts'
import { type Child, startChild } from './child.ts'
import * as problems from './judging-problems.ts'
import type { WorkerReply, WorkerRequest } from './judging-worker.ts'

interface JudgingFigure {
  readonly name: string
  readonly unit: 's' | 'ms' | 'MiB' | 'per s'
  readonly values: readonly number[]
  /** The median must be below it. */
  readonly target?: number | undefined
  /** CPU time of the worker and its programs in each round, in ms for each submission. */
  readonly cpuMs?: readonly number[]
}

export interface JudgingReport {
  readonly isolation: string
  readonly figures: readonly JudgingFigure[]
}

type Judged = { readonly wallMs: number; readonly cpuMs: number }

interface Bench {
  readonly service: JudgeService
  readonly worker: Child<WorkerRequest, WorkerReply>
}

const LIMITS = { accept_timeout: 60, execution_timeout: 60, memory_limit: 256 }
/** Tests of a small program, and how many submissions are judged alone and in two slots. */
const SMALL = { tests: 10, alone: 4, together: 16, slots: 2, targetMs: { C: 150, Python: undefined } }

/** Judges submissions with a real worker in its sandbox. Without bubblewrap it isolates nothing. */
export async function runJudging(rounds: number): Promise<JudgingReport> {
  const hasBubblewrap = findCommand('bwrap', process.env.PATH ?? '') !== undefined
  if (!hasBubblewrap)
    console.log('bubblewrap is not installed: programs run WITHOUT a sandbox, and no target applies')
  const mode = hasBubblewrap ? 'bubblewrap' : 'unsandboxed'
  const first = await withWorker(mode, async (bench, isolation) => ({
    isolation,
    figures: [...(await measureTimes(bench, rounds)), ...(await measureSmall(bench, rounds))],
  }))
  // A worker of its own: memory that earlier judgings left would hide the growth.
  const memory = await withWorker(mode, (bench) => measureMemory(bench, rounds))
  const figures = [...first.figures, ...memory]
  const withoutTarget = ({ target: _, ...figure }: JudgingFigure) => figure
  return { isolation: first.isolation, figures: hasBubblewrap ? figures : figures.map(withoutTarget) }
}

async function withWorker<T>(
  mode: 'bubblewrap' | 'unsandboxed',
  use: (bench: Bench, isolation: string) => Promise<T>,
): Promise<T> {
  const service = await startJudgeService()
  const worker = startChild<WorkerRequest, WorkerReply>(import.meta.resolve('./judging-worker.ts'))
  try {
    const settings = { mode, apiUrl: service.url, password: PASSWORD }
    const { isolation = '' } = await worker.call({ type: 'start', ...settings })
    return await use({ service, worker }, isolation)
  } finally {
    await worker.call({ type: 'stop' }).catch(() => undefined)
    await worker.end()
    await service.close()
  }
}

/** Judges submissions, `slots` at a time. Throws unless all are accepted. */
async function judge({ service, worker }: Bench, ids: readonly string[], slots = 1): Promise<Judged> {
  const cpuMs = processes.readTreeCpuMs(worker.pid)
  const { milliseconds: wallMs = Number.NaN } = await worker.call({ type: 'judge', ids, slots })
  for (const id of ids) {
    const verdict = service.submissions.get(id)?.verdicts.at(-1)
    if (verdict?.status !== 'ACCEPTED')
      throw new Error(`the submission got ${verdict?.status}: ${JSON.stringify(verdict)?.slice(0, 1000)}`)
  }
  return { wallMs, cpuMs: processes.readTreeCpuMs(worker.pid) - cpuMs }
}

type Program = Omit<Parameters<JudgeService['addSubmission']>[0], keyof typeof LIMITS>

/** Makes submissions to one problem; the first one warms the worker. */
async function prepareProblem(bench: Bench, program: Program) {
  const add = (other?: string) => bench.service.addSubmission({ ...program, ...LIMITS }, other)
  const first = add()
  await judge(bench, [first])
  return (count = 1, slots = 1) => {
    const ids = Array.from({ length: count }, () => add(first))
    return judge(bench, ids, slots)
  }
}

/** The problems take turns, so that load on the machine affects all of them. */
async function measureTimes(bench: Bench, rounds: number): Promise<JudgingFigure[]> {
  const prepare = (source_code: string, options: problems.ProblemOptions) =>
    prepareProblem(bench, { language: 'C', source_code, tests: problems.doubleTests(), options })
  const judgeDefault = await prepare(problems.DOUBLE, {})
  const judgeCustom = await prepare(problems.DOUBLE, problems.customValidation)
  const judgeInteractive = await prepare(problems.DOUBLE_ALL, problems.interactiveValidation)
  const measured: Record<'plain' | 'custom' | 'interactive', Judged>[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const [plain, custom] = [await judgeDefault(), await judgeCustom()]
    measured.push({ plain, custom, interactive: await judgeInteractive() })
  }
  const seconds = (name: string, target: number | undefined, kind: keyof (typeof measured)[number]) => ({
    ...{ name: `${problems.CASES} tests, ${name}`, unit: 's' as const, target },
    values: measured.map((round) => round[kind].wallMs / 1000),
    cpuMs: measured.map((round) => round[kind].cpuMs),
  })
  return [
    seconds('default comparison', 1.5, 'plain'),
    seconds('warm custom validator', 3, 'custom'),
    seconds('interactive validator', undefined, 'interactive'),
    {
      ...{ name: 'interactive above custom, per test', unit: 'ms', target: 30 },
      values: measured.map(
        ({ interactive, custom }) => (interactive.wallMs - custom.wallMs) / problems.CASES,
      ),
    },
  ]
}

async function measureSmall(bench: Bench, rounds: number): Promise<JudgingFigure[]> {
  const figures: JudgingFigure[] = []
  for (const program of problems.smallPrograms) {
    const tests = problems.doubleTests().slice(0, SMALL.tests)
    const judgeMany = await prepareProblem(bench, { ...program, tests, options: {} })
    await judgeMany(SMALL.slots, SMALL.slots)
    const alone: Judged[] = []
    const together: Judged[] = []
    for (let round = 1; round <= rounds; round += 1) {
      alone.push(await judgeMany(SMALL.alone))
      together.push(await judgeMany(SMALL.together, SMALL.slots))
    }
    const name = `${program.language}, ${SMALL.tests} tests`
    figures.push(
      {
        ...{ name: `${name}, alone`, unit: 'ms', target: SMALL.targetMs[program.language] },
        values: alone.map(({ wallMs }) => wallMs / SMALL.alone),
        cpuMs: alone.map(({ cpuMs }) => cpuMs / SMALL.alone),
      },
      {
        ...{ name: `${name}, two slots`, unit: 'per s' },
        values: together.map(({ wallMs }) => SMALL.together / (wallMs / 1000)),
        cpuMs: together.map(({ cpuMs }) => cpuMs / SMALL.together),
      },
    )
  }
  return figures
}

/** The growth of the worker while it judges a large output, whose tests it has. */
async function measureMemory(bench: Bench, rounds: number): Promise<JudgingFigure[]> {
  const { pid } = bench.worker
  const small = { language: 'C', source_code: problems.DOUBLE, tests: problems.doubleTests() }
  await prepareProblem(bench, { ...small, options: {} })
  const idle = processes.readResidentMebibytes(pid)
  const options = problems.toleranceOptions
  const large = { language: 'C', source_code: problems.LARGE_OUTPUT, tests: [problems.largeTest()], options }
  const judgeLarge = await prepareProblem(bench, large)
  const judged: (Judged & { readonly growth: number })[] = []
  for (let round = 1; round <= rounds; round += 1) {
    processes.resetPeak(pid)
    judged.push({ ...(await judgeLarge()), growth: processes.readPeakMebibytes(pid) - idle })
  }
  return [
    {
      ...{ name: 'memory growth, 100 MB output with tolerance', unit: 'MiB', target: 64 },
      values: judged.map(({ growth }) => growth),
    },
    {
      ...{ name: '100 MB output with tolerance', unit: 's' },
      values: judged.map(({ wallMs }) => wallMs / 1000),
      cpuMs: judged.map(({ cpuMs }) => cpuMs),
    },
  ]
}
