import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { serveParent } from '../child.ts'
import type { Answered } from './connection.ts'
import { type Act, type Person, takePart } from './contestant.ts'

/** A contest to be lived through: what happens in the warm-up is not counted. */
export interface ContestQuestion {
  readonly port: number
  readonly people: readonly Person[]
  readonly warmUpMs: number
  readonly durationMs: number
}

export interface ContestAnswer {
  readonly latenciesMs: Readonly<Record<Act, Float64Array>>
  /** What was answered otherwise than with success, or not at all. */
  readonly failures: Readonly<Record<string, number>>
  readonly bytes: number
  readonly cpuMs: number
  /** How late this process itself was, at the 99th percentile: what it measured is off by that. */
  readonly ownLagMs: number
}

const SUCCESSES = new Set([200, 201, 304])

serveParent(async ({ port, people, warmUpMs, durationMs }: ContestQuestion): Promise<ContestAnswer> => {
  const fromMs = performance.now() + warmUpMs
  const untilMs = fromMs + durationMs
  const latencies: Record<Act, number[]> = { submit: [], poll: [], standings: [] }
  const failures: Record<string, number> = {}
  let bytes = 0
  const note = (act: Act, dueMs: number, answer: Answered | undefined): void => {
    if (dueMs < fromMs) return
    bytes += answer?.bytes ?? 0
    if (answer !== undefined && SUCCESSES.has(answer.status)) {
      latencies[act].push(performance.now() - dueMs)
      return
    }
    const failure = `${act}: ${answer?.status ?? 'no answer'}`
    failures[failure] = (failures[failure] ?? 0) + 1
  }
  const everybody = Promise.all(people.map((person) => takePart(person, port, { untilMs, note })))
  await wait(warmUpMs)
  const before = process.cpuUsage()
  const lag = monitorEventLoopDelay({ resolution: 10 })
  lag.enable()
  await everybody
  lag.disable()
  const { user, system } = process.cpuUsage(before)
  return {
    latenciesMs: {
      submit: Float64Array.from(latencies.submit),
      poll: Float64Array.from(latencies.poll),
      standings: Float64Array.from(latencies.standings),
    },
    failures,
    bytes,
    cpuMs: (user + system) / 1000,
    ownLagMs: lag.percentile(99) / 1e6 - 10,
  }
})
