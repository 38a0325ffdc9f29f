import { cpus } from 'node:os'
import { readTreeCpuMs } from '../local-servers/process-tree.ts'
import { type Child, startChild } from './child.ts'
import { addEvent } from './fill.ts'
import type { ContestLoad, ContestResult, Person, Scoreboard } from './generator/contest-process.ts'
import type { Judging } from './judging-process.ts'
import { sendOnce } from './load.ts'
import { difference, joinValues, percentile, round } from './measure.ts'
import type { Options, StandingsKind } from './options.ts'
import type { EventSize } from './sizes.ts'
import type { Stage } from './stage.ts'
import { submissionBody } from './writing-routes.ts'

/** How often people in a contest do something. */
const HABITS = { submitsEveryMs: 240_000, readsEveryMs: 30_000, pollsEveryMs: 1000 } as const
/** As the page does. */
const SCOREBOARD_POLLS_EVERY_MS = 2000
/** Afterwards everybody has read the standings once and has an entity tag. */
const WARM_UP_MS = HABITS.readsEveryMs
const DURATION_MS = 20_000
const WORKER_CONCURRENCY = 16
export const P99_LIMIT_MS = 200
/** The machine should carry so many people. */
export const PEOPLE_TARGET = 6000

/** One step of the contest test. */
export type ContestStep = Awaited<ReturnType<typeof runStep>>

const NEARLY_ALL = 0.85

/** Describes the limit that the first failing step reached; undefined if no step failed. */
export function nameLimit(steps: readonly ContestStep[], cores: number): string | undefined {
  const [first] = steps.filter(({ holds }) => !holds).sort((one, other) => one.people - other.people)
  if (first === undefined) return undefined
  const { service = 0, PostgreSQL = 0, generator = 0, worker = 0, ...others } = first.shares
  const machine = others['whole machine'] ?? 0
  const own = service + PostgreSQL + generator + worker
  if (service >= NEARLY_ALL) return 'the one core that the Node process of the service can use'
  if (machine < NEARLY_ALL * cores) return 'waiting: neither the service nor the machine was busy'
  return own >= NEARLY_ALL * machine
    ? 'the cores of the machine, shared by the service, PostgreSQL, the worker and the generator'
    : `the cores of the machine, of which other programs used ${(machine - own).toFixed(1)}`
}

/**
 * Finds the most people with whom a step holds: doubles them until a step fails, then halves the
 * gap down to a tenth. Returns all steps in their order.
 */
export async function findMost<Step extends Pick<ContestStep, 'holds'>>(
  { first, most }: { readonly first: number; readonly most: number },
  tryWith: (people: number) => Promise<Step>,
): Promise<Step[]> {
  const steps: Step[] = []
  const holdsWith = async (people: number) => {
    const step = await tryWith(people)
    steps.push(step)
    return step.holds
  }
  let holds = 0
  let fails = first
  while (fails <= most && (await holdsWith(fails))) {
    holds = fails
    fails *= 2
  }
  fails = Math.min(fails, most + 1)
  while (fails - holds > Math.max(1, holds / 10)) {
    const middle = Math.round((holds + fails) / 2)
    if (await holdsWith(middle)) holds = middle
    else fails = middle
  }
  return steps
}

/**
 * For each kind of standings, finds the most people in one contest on this machine. With `people`,
 * measures contests of these sizes, and the kinds in turn. Returns every step.
 */
export async function runContest(
  stage: Stage,
  { standings: kinds, people: sizes }: Pick<Options, 'standings' | 'people'>,
): Promise<ContestStep[]> {
  const { worker, judging } = await startJudging(stage)
  let { size } = stage.world
  try {
    const tryWith = async (people: number, standings: StandingsKind) => {
      // Everybody has submitted 30 times.
      const numbers = { people, firstUser: 1, problems: 10, firstProblem: 1, submissions: people * 30 }
      const event = { id: size.events.length + 1, ...numbers, isFrozen: standings === 'frozen' }
      const submissions = size.submissions + event.submissions
      size = { ...size, submissions, events: [...size.events, event] }
      await addEvent(stage.database, size, event)
      const step = await runStep({ stage, event, standings, worker, judging })
      console.log(describeStep(step))
      return step
    }
    const steps: ContestStep[] = []
    for (const people of sizes ?? []) for (const kind of kinds) steps.push(await tryWith(people, kind))
    if (sizes !== undefined) return steps
    const bounds = { first: 125, most: size.users - 1 }
    for (const kind of kinds) steps.push(...(await findMost(bounds, (people) => tryWith(people, kind))))
    return steps
  } finally {
    await worker.end()
  }
}

/** Starts a worker that stores a verdict for each submission at once. */
export async function startJudging({ queue, service, world }: Stage) {
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

interface Step {
  readonly stage: Stage
  readonly event: EventSize
  readonly standings: StandingsKind
  readonly worker: Child<Judging, number>
  readonly judging: Judging
}

/** Measures one contest. */
export async function runStep({ stage, event, standings, worker, judging }: Step) {
  const { service, postgres } = stage
  const people = await peopleOf(stage, event, standings)
  const scoreboard = await openScoreboard(stage, event)
  const generator = startChild<ContestLoad, ContestResult>(
    import.meta.resolve('./generator/contest-process.ts'),
  )
  const readings = () => ({
    node: readTreeCpuMs(service.pid),
    worker: readTreeCpuMs(worker.pid),
    postgres: postgres.readCpuMs(),
    machine: readBusyMs(),
  })
  try {
    await worker.call(judging)
    const before = readings()
    const startedMs = performance.now()
    const times = { warmUpMs: WARM_UP_MS, durationMs: DURATION_MS, habits: HABITS }
    const result = await generator.call({ port: service.port, people, scoreboard, ...times })
    const elapsedMs = performance.now() - startedMs
    const after = readings()
    const postgresMs = difference(after.postgres, before.postgres)
    return {
      ...summariseStep(event.people, result),
      standings,
      /** Verdicts that were stored meanwhile. */
      judged: await worker.call(judging),
      /** CPU time per second: the used share of the machine's cores. */
      shares: {
        service: (after.node - before.node) / elapsedMs,
        PostgreSQL: postgresMs && postgresMs / elapsedMs,
        generator: result.cpuMs / DURATION_MS,
        worker: (after.worker - before.worker) / elapsedMs,
        'whole machine': (after.machine - before.machine) / elapsedMs,
      },
      serviceLagMs: await readEventLoopLagMs(service.metricsPort),
    }
  } finally {
    await generator.end()
  }
}

function summariseStep(people: number, result: ContestResult) {
  const { latenciesMs, latenciesMsBySecond, bytes, failures, ownLagMs } = result
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
      scoreboard: percentile(latenciesMs.scoreboard, 99),
    },
    seconds: latenciesMsBySecond.map((list, second) => ({
      ...{ second, requests: list.length, p50Ms: percentile(list, 50), p99Ms: percentile(list, 99) },
    })),
    failures,
    generatorLagMs: ownLagMs,
    /** Nothing failed, and the responses were fast enough. */
    holds: Object.keys(failures).length === 0 && latencies.length > 0 && p99Ms < P99_LIMIT_MS,
  }
}

/** The path of the standings that the people of a contest poll. */
export const standingsPath = (eventId: number, standings: StandingsKind): string =>
  `/v1/events/${eventId}/${standings === 'attempts' ? 'attempts' : 'standings'}`

/** The people of a contest. They are neither staff nor judges, so a freeze applies to them. */
function peopleOf({ world }: Stage, event: EventSize, standings: StandingsKind): Promise<Person[]> {
  const users = Array.from({ length: event.people }, (_, n) => event.firstUser + n)
  return Promise.all(
    users.map(async (user) => ({
      token: await world.tokenOf(user),
      standingsPath: standingsPath(event.id, standings),
      submission: submissionBody(user, event.firstProblem + (user % event.problems), world, event.id),
    })),
  )
}

/** An admin creates the token of a scoreboard page. */
async function openScoreboard({ service, world }: Stage, { id }: EventSize): Promise<Scoreboard> {
  const creation = { method: 'POST', path: `/v1/events/${id}/scoreboard_tokens`, body: '{}' } as const
  const created = await sendOnce(
    service.port,
    { ...creation, token: await world.tokenOf(world.size.users) },
    [201],
  )
  return {
    token: JSON.parse(created).token,
    paths: [`/v1/scoreboard/${id}/standings`, `/v1/scoreboard/${id}/clock`],
    pollsEveryMs: SCOREBOARD_POLLS_EVERY_MS,
  }
}

/** CPU time of all processes of the machine. */
const readBusyMs = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)

/** The service's own metric: the 99th percentile since its start. */
export async function readEventLoopLagMs(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000
}

function describeStep(step: ContestStep): string {
  const failures = Object.entries(step.failures).map(([failure, count]) => `${count} ${failure}`)
  const shares = Object.entries(step.shares).map(([name, share]) => `${name} ${round(share) ?? 'unknown'}`)
  return [
    `${step.people} people, ${step.standings}: ${round(step.requestsPerSecond)} requests/s`,
    `${round(step.mebibytesPerSecond)} MiB/s`,
    `p99 ${round(step.p99Ms)} ms${step.holds ? '' : ' (too many people)'}`,
    ...failures,
    `cores: ${shares.join(', ')}`,
  ].join(', ')
}
