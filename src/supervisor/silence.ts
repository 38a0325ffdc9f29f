import { ALIVE_INTERVAL_MS } from '@judge-data-layer/runtime/judging-pipe'
import type { Logger } from '../background/outage-log.ts'
import type { Child } from './child.ts'

/** In a row: one silent interval may be this process's own pause. */
const SILENT_INTERVALS = 10
/** Ten minutes: a start that takes longer does not end. */
const START_INTERVALS = 300

/** What has become of a process since the last interval. */
export interface Sign {
  readonly sentMessage: boolean
  readonly isReady: boolean
  /** True also if the system hides it. */
  readonly usedCpu: boolean
}

/** Kills a process that hangs. `ready` is settled once the process has started. */
export function killWhenSilent(child: Child, ready: Promise<void>, name: string, logger: Logger): void {
  const signs = watchSigns(child, ready)
  const isHanging = createHangRule()
  const timer = setInterval(() => {
    if (!isHanging(signs())) return
    clearInterval(timer)
    logger.error({}, `${name} does not respond: it is killed`)
    child.kill()
  }, ALIVE_INTERVAL_MS)
  child.gone.addEventListener('abort', () => clearInterval(timer))
}

/**
 * Returns a function that says at the end of each interval whether the process hangs. A process
 * hangs if it sends nothing for ten intervals. While it starts it may send nothing as long as it
 * uses CPU time, for at most 300 intervals.
 */
export function createHangRule(): (sign: Sign) => boolean {
  let silent = 0
  let starting = 0
  return ({ sentMessage, isReady, usedCpu }) => {
    silent = sentMessage || (!isReady && usedCpu) ? 0 : silent + 1
    starting = sentMessage || isReady ? 0 : starting + 1
    return silent >= SILENT_INTERVALS || starting >= START_INTERVALS
  }
}

/** Returns a function that tells what a process has done since the last call. */
export function watchSigns(child: Child, ready: Promise<void>): () => Sign {
  let [sentMessage, isReady] = [false, false]
  let ticks = 0
  child.pipe.onMessage(() => {
    sentMessage = true
  })
  void ready.then(() => {
    isReady = true
  })
  return () => {
    const now = child.readCpuTicks()
    const sign = { sentMessage, isReady, usedCpu: now === undefined || now > ticks }
    sentMessage = false
    ticks = now ?? ticks
    return sign
  }
}
