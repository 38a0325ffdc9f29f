import { succeeds, tryOr } from '../shared/try-or.ts'
import type { Meter } from './meter.ts'
import type { ExceededLimit, Limits } from './sandbox.ts'
import type { GatedStart, Launch, Running } from './start-run.ts'
import type { Streams } from './streams.ts'

/** What is watched, as in `ExecuteRequest`. */
export interface WatchedRun {
  readonly limits: Pick<Limits, 'wallMs' | 'cpuMs'>
  readonly launch: Pick<Launch, 'outerProcesses'>
  readonly meter: Pick<Meter, 'sample' | 'readCpuWaitMs' | 'countProcesses'>
  readonly intervalMs: number
  readonly streams: Pick<Streams, 'isConnected' | 'stop'>
  readonly gatedStart?: GatedStart | undefined
  readonly signal: AbortSignal | undefined
}

/** A longer timer of Node.js ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** After the wall limit, the end of a program without processes must be known within this time. */
const END_KNOWN_WITHIN_MS = 10_000

/**
 * From `begin` on, stops the run at the first exceeded limit. An aborted signal ends it at any
 * time. A program that has ended when its wall limit is checked did not exceed it.
 */
export function watchLimits({ kill }: Pick<Running, 'kill'>, request: WatchedRun) {
  const { limits, launch, meter, intervalMs } = request
  const signals = [request.signal, request.streams.stop].filter((signal) => signal !== undefined)
  let exceeded: ExceededLimit | undefined
  let cpuWaitMs = 0
  let cpuWaitMsBefore = 0
  let lateMs = 0
  let sampledAt = 0
  let hasStarted = request.gatedStart !== undefined
  let hasEnded = false
  const stop = (limit: ExceededLimit) => {
    exceeded ??= limit
    kill()
  }
  const isRunning = () => meter.countProcesses() > launch.outerProcesses
  const measureCpuWait = () => tryOr(() => meter.readCpuWaitMs(), 0)
  // Processes that have ended may no longer count.
  const readCpuWait = () => {
    cpuWaitMs = Math.max(cpuWaitMs, measureCpuWait())
  }
  /** Counts the time until the program has started, and the delay of a sample. */
  const countLateTime = () => {
    const now = performance.now()
    lateMs += hasStarted ? Math.max(0, now - sampledAt - 2 * intervalMs) : now - sampledAt
    sampledAt = now
    hasStarted ||= isRunning()
  }
  const sample = () => {
    countLateTime()
    const usage = meter.sample()
    if (request.streams.isConnected) readCpuWait()
    if (usage.outOfMemory) stop('memory')
    else if (usage.cpuMs >= limits.cpuMs) stop('time')
  }
  const reachWallLimit = () => {
    sample()
    // The end of a program is known late if this process or the launcher waits for a CPU.
    if (hasStarted && !isRunning()) {
      wallTimer = setTimeout(() => {
        lateMs += END_KNOWN_WITHIN_MS
        stop('time')
      }, END_KNOWN_WITHIN_MS)
      return
    }
    readCpuWait()
    stop('time')
  }
  // No program may run unmeasured. The sample after the end throws the reason.
  const orKill = (watch: () => void) => () => {
    if (!succeeds(watch)) kill()
  }
  let wallTimer: NodeJS.Timeout | undefined
  let sampleTimer: NodeJS.Timeout | undefined
  for (const signal of signals) signal.addEventListener('abort', kill)
  if (signals.some((signal) => signal.aborted)) kill()
  return {
    stop,
    exceeded: () => exceeded,
    waited: () => ({ cpuWaitMs: Math.max(0, cpuWaitMs - cpuWaitMsBefore), lateMs }),
    begin() {
      if (hasEnded) return
      // Until now only the making of the sandbox has waited.
      if (request.gatedStart) cpuWaitMsBefore = measureCpuWait()
      sampledAt = performance.now()
      wallTimer = setTimeout(orKill(reachWallLimit), Math.min(limits.wallMs, LONGEST_TIMER_MS))
      sampleTimer = setInterval(orKill(sample), intervalMs)
    },
    end() {
      hasEnded = true
      clearTimeout(wallTimer)
      clearInterval(sampleTimer)
      for (const signal of signals) signal.removeEventListener('abort', kill)
    },
  }
}
