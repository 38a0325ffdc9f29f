import { type Bench, type JudgingFigure, judge, LIMITS } from './judging-bench.ts'
import { withLoops } from './judging-loops.ts'
import { type CostProblem, costProblems } from './judging-problems.ts'

/** One round of a problem; rates in submissions per second. */
interface Round {
  readonly aloneMs: number
  readonly aloneCpuMs: number
  readonly slotsRate: number
  readonly slotsCpuMs: number
  readonly loopsRate: number
}

const SLOTS = 2
const ALONE = 4
/** Submissions for the slots, and for the loops in turn. */
const TOGETHER = 8
const PARTS = 2
const TARGET_MS = { C: 150, Python: undefined }
const TARGET_RATIO = 0.7

/** The cost of small submissions, beside shell loops that do the same under plain bubblewrap. */
export async function measureCost(bench: Bench, rounds: number): Promise<JudgingFigure[]> {
  const figures: JudgingFigure[] = []
  for (const problem of costProblems()) {
    const measured = await withLoops(problem, (runLoops) => measureRounds(bench, problem, runLoops, rounds))
    figures.push(...listFigures(problem, measured))
  }
  return figures
}

async function measureRounds(
  bench: Bench,
  problem: CostProblem,
  runLoops: (loops: number, submissions: number) => Promise<number>,
  rounds: number,
): Promise<Round[]> {
  const { language, source: source_code, tests } = problem
  const add = (other?: string) =>
    bench.service.addSubmission({ language, source_code, ...LIMITS, tests, options: {} }, other)
  const first = add()
  const judgeMany = (count: number, slots: number) =>
    judge(
      bench,
      Array.from({ length: count }, () => add(first)),
      slots,
    )
  await judge(bench, [first])
  await Promise.all([judgeMany(SLOTS, SLOTS), runLoops(SLOTS, SLOTS)])
  const measured: Round[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const alone = await judgeMany(ALONE, 1)
    let [slotsMs, slotsCpuMs, loopsMs] = [0, 0, 0]
    // In turn, so that load on the machine affects both.
    for (let part = 0; part < PARTS; part += 1) {
      const judged = await judgeMany(TOGETHER, SLOTS)
      slotsMs += judged.wallMs
      slotsCpuMs += judged.cpuMs
      loopsMs += await runLoops(SLOTS, TOGETHER)
    }
    const rate = (ms: number) => (PARTS * TOGETHER) / (ms / 1000)
    measured.push({
      ...{ aloneMs: alone.wallMs / ALONE, aloneCpuMs: alone.cpuMs / ALONE },
      ...{ slotsRate: rate(slotsMs), slotsCpuMs: slotsCpuMs / (PARTS * TOGETHER), loopsRate: rate(loopsMs) },
    })
    const texts = [alone.wallMs / ALONE, rate(slotsMs), rate(loopsMs)].map((value) => value.toFixed(1))
    console.log(`round ${round}: ${language} alone, slots, loops: ${texts.join(', ')} (ms, per s, per s)`)
  }
  return measured
}

function listFigures({ language, tests }: CostProblem, rounds: readonly Round[]): JudgingFigure[] {
  const name = `${language}, ${tests.length} tests`
  const targetMs = TARGET_MS[language]
  return [
    {
      ...{ name: `${name}, alone`, unit: 'ms', ...(targetMs !== undefined && { target: targetMs }) },
      values: rounds.map(({ aloneMs }) => aloneMs),
      cpuMs: rounds.map(({ aloneCpuMs }) => aloneCpuMs),
    },
    {
      ...{ name: `${name}, two slots`, unit: 'per s' },
      values: rounds.map(({ slotsRate }) => slotsRate),
      cpuMs: rounds.map(({ slotsCpuMs }) => slotsCpuMs),
    },
    {
      ...{ name: `${name}, two shell loops under plain bubblewrap`, unit: 'per s' },
      values: rounds.map(({ loopsRate }) => loopsRate),
    },
    {
      ...{ name: `${name}, slots by loops`, unit: 'ratio', target: TARGET_RATIO },
      values: rounds.map(({ slotsRate, loopsRate }) => slotsRate / loopsRate),
    },
  ]
}
