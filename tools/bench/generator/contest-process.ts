import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveParent } from '../child.ts'
import type { ReceivedResponse } from './connection.ts'
import { type Act, type Person, takePart } from './contestant.ts'

/** The people of a contest. The warm-up is not measured. */
export interface ContestLoad {
  readonly port: number
  readonly people: readonly Person[]
  readonly warmUpMs: number
  readonly durationMs: number
}

export interface ContestResult {
  readonly latenciesMs: Readonly<Record<Act, Float64Array>>
  /** The number of missing responses and of responses by unexpected status. */
  readonly failures: Readonly<Record<string, number>>
  readonly bytes: number
  readonly cpuMs: number
  /** The delay of this process at the 99th percentile: its measurement error. */
  readonly ownLagMs: number
}

const SUCCESSES = new Set([200, 201, 304])

serveParent(async ({ port, people, warmUpMs, durationMs }: ContestLoad): Promise<ContestResult> => {
  const fromMs = performance.now() + warmUpMs
  const untilMs = fromMs + durationMs
  const latencies: Record<Act, number[]> = { submit: [], poll: [], standings: [] }
  const failures: Record<string, number> = {}
  let bytes = 0
  const note = (act: Act, dueMs: number, response: ReceivedResponse | undefined): void => {
    if (dueMs < fromMs) return
    bytes += response?.bytes ?? 0
    if (response !== undefined && SUCCESSES.has(response.status)) {
      latencies[act].push(performance.now() - dueMs)
      return
    }
    const failure = `${act}: ${response?.status ?? 'no response'}`
    failures[failure] = (failures[failure] ?? 0) + 1
  }
  const everybody = Promise.all(people.map((person) => takePart(person, port, { untilMs, note })))
  await sleep(warmUpMs)
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
