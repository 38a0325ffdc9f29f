import { cpus } from 'node:os'
import { readTreeCpuMs } from '../local-servers/process-tree.ts'
import { type Child, startChild } from './child.ts'
import { addEvent, freezeEvent } from './fill.ts'
import type { Act, ContestLoad, ContestResult, Person, Scoreboard } from './generator/contest-process.ts'
import type { Judging } from './judging-process.ts'
import { sendOnce } from './load.ts'
import { measureShares, percentile } from './measure.ts'
import { type EventSize, withContest } from './sizes.ts'
import type { Stage } from './stage.ts'
import { submissionBody } from './writing-routes.ts'

const HABITS = { submitsEveryMs: 240_000, readsEveryMs: 30_000, pollsEveryMs: 1000 } as const
/** As the page does. */
const SCOREBOARD_POLLS_EVERY_MS = 2000
/** Afterwards everybody has read the standings once and has an entity tag. */
const WARM_UP_MS = HABITS.readsEveryMs
const DURATION_MS = 20_000
const WORKER_CONCURRENCY = 16
const P99_LIMIT_MS = 200
/** The machine should carry so many people. */
export const PEOPLE_TARGET = 6000

export type ContestStep = Awaited<ReturnType<typeof runStep>>

/** What people read of a contest: its standings as they are, or frozen since the middle. */
export const STANDINGS = ['standings', 'frozen'] as const

/** Measures contests of these numbers of people, with each kind of standings, one after another. */
export async function runContest(
  stage: Stage,
  sizes: readonly number[],
  kinds: readonly (typeof STANDINGS)[number][],
): Promise<ContestStep[]> {
  const { worker, judging } = await startJudging(stage)
  let { size } = stage.world
  try {
    const steps: ContestStep[] = []
    for (const [people, kind] of sizes.flatMap((people) => kinds.map((kind) => [people, kind] as const))) {
      const contest = withContest(size, people)
      size = contest.size
      await addEvent(stage.database, size, contest.event)
      if (kind === 'frozen') await freezeEvent(stage.database, contest.event)
      steps.push(await runStep(stage, contest.event, worker, judging))
      console.log(`${people} people, ${kind}: ${JSON.stringify(steps.at(-1))}`)
    }
    return steps
  } finally {
    await worker.end()
  }
}

async function startJudging({ queue, service, world }: Stage) {
  if (queue.url === undefined) throw new Error('The contest test needs RabbitMQ: set BENCH_AMQP_URL')
  const judging: Judging = {
    ...{ amqpUrl: queue.url, queue: queue.name, serviceUrl: service.url },
    ...{ judgeToken: world.judgeToken, concurrency: WORKER_CONCURRENCY },
  }
  const worker = startChild<Judging, number>(import.meta.resolve('./judging-process.ts'))
  try {
    await worker.call(judging)
  } catch (err) {
    await worker.end()
    throw err
  }
  return { worker, judging }
}

async function runStep(stage: Stage, event: EventSize, worker: Child<Judging, number>, judging: Judging) {
  const { service, postgres } = stage
  const people = await peopleOf(stage, event)
  const scoreboard = await openScoreboard(stage, event)
  const generator = startChild<ContestLoad, ContestResult>(
    import.meta.resolve('./generator/contest-process.ts'),
  )
  const readCpuMs = () => ({
    service: readTreeCpuMs(service.pid),
    PostgreSQL: postgres.readCpuMs(),
    worker: readTreeCpuMs(worker.pid),
    'whole machine': readBusyMs(),
  })
  try {
    await worker.call(judging)
    const times = { warmUpMs: WARM_UP_MS, durationMs: DURATION_MS, habits: HABITS }
    const load = { port: service.port, people, scoreboard, ...times }
    const { value: result, shares } = await measureShares(readCpuMs, () => generator.call(load))
    return {
      ...summariseStep(event.people, result),
      judged: await worker.call(judging),
      shares: { ...shares, generator: result.cpuMs / DURATION_MS },
      serviceLagMs: await readEventLoopLagMs(service.metricsPort),
    }
  } finally {
    await generator.end()
  }
}

export function summariseStep(people: number, { latenciesMs, bytes, failures, ownLagMs }: ContestResult) {
  const latencies = Object.values(latenciesMs).flat()
  const p99Ms = percentile(latencies, 99)
  const p99OfAct = (act: Act) => percentile(latenciesMs[act], 99)
  return {
    people,
    requestsPerSecond: latencies.length / (DURATION_MS / 1000),
    mebibytesPerSecond: bytes / 2 ** 20 / (DURATION_MS / 1000),
    p50Ms: percentile(latencies, 50),
    p99Ms,
    p99MsOf: {
      ...{ submit: p99OfAct('submit'), poll: p99OfAct('poll') },
      ...{ standings: p99OfAct('standings'), scoreboard: p99OfAct('scoreboard') },
    },
    failures: Object.values(failures).reduce((sum, count) => sum + count, 0),
    generatorLagMs: ownLagMs,
    holds: Object.keys(failures).length === 0 && latencies.length > 0 && p99Ms < P99_LIMIT_MS,
  }
}

/** The people of a contest. They are neither staff nor judges. */
function peopleOf({ world }: Stage, event: EventSize): Promise<Person[]> {
  const users = Array.from({ length: event.people }, (_, n) => event.firstUser + n)
  return Promise.all(
    users.map(async (user) => ({
      token: await world.tokenOf(user),
      standingsPath: `/v1/events/${event.id}/standings`,
      submission: submissionBody(user, event.firstProblem + (user % event.problems), world, event.id),
    })),
  )
}

async function openScoreboard({ service, world }: Stage, { id }: EventSize): Promise<Scoreboard> {
  const creation = { method: 'POST', path: `/v1/events/${id}/scoreboard_tokens`, body: '{}' } as const
  const token = await world.tokenOf(world.size.users)
  const created = await sendOnce(service.port, { ...creation, token }, [201])
  return {
    token: JSON.parse(created).token,
    paths: [`/v1/scoreboard/${id}/standings`, `/v1/scoreboard/${id}/clock`],
    pollsEveryMs: SCOREBOARD_POLLS_EVERY_MS,
  }
}

const readBusyMs = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)

/** The service's own metric: the 99th percentile since its start. */
export async function readEventLoopLagMs(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000
}
