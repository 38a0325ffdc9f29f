import { cpus } from 'node:os'
import { readTreeCpuMs } from '../local-servers/process-tree.ts'
import { startChild } from './child.ts'
import { addContest } from './fill.ts'
import { SOURCE_CODE } from './fill-values.ts'
import type { ContestLoad, ContestResult } from './generator/contest-process.ts'
import { HABITS, type Person } from './generator/contestant.ts'
import { userId } from './ids.ts'
import type { Judging } from './judging-process.ts'
import { type ContestStep, findMost } from './search-most.ts'
import type { Contest, Size } from './sizes.ts'
import type { Stage } from './stage.ts'
import { difference, joinValues, percentile } from './statistics.ts'
import { round } from './tables.ts'

/** Afterwards everybody has read the standings once and has an entity tag. */
const WARM_UP_MS = HABITS.readsEveryMs
const DURATION_MS = 20_000
const WORKER_CONCURRENCY = 16
const P99_LIMIT_MS = 200

/** Finds the most people in one contest on this machine. Returns every step of the search. */
export async function runContest(stage: Stage): Promise<ContestStep[]> {
  const { queue, service, world } = stage
  if (queue.url === undefined) throw new Error('The contest test needs RabbitMQ: set BENCH_AMQP_URL')
  const judging: Judging = {
    amqpUrl: queue.url,
    queue: queue.name,
    serviceUrl: service.url,
    judgeToken: world.judgeToken,
    concurrency: WORKER_CONCURRENCY,
  }
  const child = startChild<Judging, number>(import.meta.resolve('./judging-process.ts'))
  const worker = { pid: child.pid, takeJudged: () => child.call(judging) }
  let size = world.size
  try {
    await worker.takeJudged()
    return await findMost({ first: 125, most: size.users - 1 }, async (people) => {
      const contest = contestOf(people, size.contests.length + 1)
      const submissions = size.submissions + contest.submissions
      size = { ...size, submissions, contests: [...size.contests, contest] }
      const step = await runStep(stage, size, contest, worker)
      console.log(describeStep(step))
      return step
    })
  } finally {
    await child.end()
  }
}

/** A contest in which everybody has submitted 30 times. */
const contestOf = (people: number, id: number): Contest => ({
  ...{ id, people, firstUser: 1, problems: 10, firstProblem: 1 },
  submissions: people * 30,
})

interface Worker {
  readonly pid: number
  takeJudged(): Promise<number>
}

async function runStep(stage: Stage, size: Size, contest: Contest, worker: Worker): Promise<ContestStep> {
  await addContest(stage.database, size, contest)
  const { service, postgres } = stage
  const people = await Promise.all(
    Array.from({ length: contest.people }, (_, n) => personOf(stage, contest, n + 1)),
  )
  const generator = startChild<ContestLoad, ContestResult>(
    import.meta.resolve('./generator/contest-process.ts'),
  )
  try {
    const readings = () => ({
      node: readTreeCpuMs(service.pid),
      worker: readTreeCpuMs(worker.pid),
      postgres: postgres.readCpuMs(),
      machine: readBusyMs(),
    })
    await worker.takeJudged()
    const before = readings()
    const startedMs = performance.now()
    const load = { port: service.port, people, warmUpMs: WARM_UP_MS, durationMs: DURATION_MS }
    const result = await generator.call(load)
    const seconds = (performance.now() - startedMs) / 1000
    const after = readings()
    const share = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000 / seconds)
    return {
      ...summariseStep(contest.people, result),
      judged: await worker.takeJudged(),
      shares: {
        service: share(after.node - before.node),
        PostgreSQL: share(difference(after.postgres, before.postgres)),
        generator: result.cpuMs / DURATION_MS,
        worker: share(after.worker - before.worker),
        'whole machine': share(after.machine - before.machine),
      },
      serviceLagMs: await readEventLoopLagMs(service.metricsPort),
    }
  } finally {
    await generator.end()
  }
}

function summariseStep(people: number, { latenciesMs, bytes, failures, ownLagMs }: ContestResult) {
  const latencies = joinValues(Object.values(latenciesMs))
  const p99Ms = percentile(latencies, 99)
  return {
    people,
    requestsPerSecond: latencies.length / (DURATION_MS / 1000),
    mebibytesPerSecond: bytes / 2 ** 20 / (DURATION_MS / 1000),
    p50Ms: percentile(latencies, 50),
    p99Ms,
    p99MsOf: {
      submit: percentile(latenciesMs.submit, 99),
      poll: percentile(latenciesMs.poll, 99),
      standings: percentile(latenciesMs.standings, 99),
    },
    failures,
    generatorLagMs: ownLagMs,
    holds: Object.keys(failures).length === 0 && latencies.length > 0 && p99Ms < P99_LIMIT_MS,
  }
}

async function personOf({ world }: Stage, contest: Contest, user: number): Promise<Person> {
  return {
    token: await world.tokenOf(user),
    standingsPath: `/v1/events/${contest.id}/attempts`,
    submission: JSON.stringify({
      user_id: userId(user),
      problem_id: contest.firstProblem + (user % contest.problems),
      language_id: world.languageId,
      source_code: SOURCE_CODE,
      event_id: contest.id,
    }),
  }
}

/** CPU time of all processes of the machine. */
function readBusyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}

/** The service's own metric: the 99th percentile since its start. */
async function readEventLoopLagMs(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000
}

function describeStep(step: ContestStep): string {
  const failures = Object.entries(step.failures).map(([failure, count]) => `${count} ${failure}`)
  const shares = Object.entries(step.shares).map(([name, share]) => `${name} ${round(share) ?? 'unknown'}`)
  return [
    `${step.people} people: ${round(step.requestsPerSecond)} requests/s`,
    `${round(step.mebibytesPerSecond)} MiB/s`,
    `p99 ${round(step.p99Ms)} ms${step.holds ? '' : ' (too many people)'}`,
    ...failures,
    `cores: ${shares.join(', ')}`,
  ].join(', ')
}
