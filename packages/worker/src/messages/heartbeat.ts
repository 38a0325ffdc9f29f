import type { Logger } from '../shared/logger.ts'
import type { JudgeApi } from './judge-api.ts'

interface Judging {
  readonly api: Pick<JudgeApi, 'renewJudging'>
  readonly id: string
  readonly judging: number
  readonly logger: Logger
}

export interface HeartbeatOptions extends Judging {
  /** How long the service waits for a heartbeat. */
  readonly requeueAfterSeconds: number
  /** Called once when the verdict is no longer wanted. */
  readonly onEnd: () => void
}

const BEATS = 3
const LEAST_PAUSE_MS = 100
const MOST_PAUSE_MS = 3_600_000

/**
 * Tells the service three times within `requeueAfterSeconds` that a judging is in progress, first
 * after the first third. Failures are repeated with the next beat. The result stops it.
 */
export function startHeartbeat(options: HeartbeatOptions): () => void {
  const thirdMs = (options.requeueAfterSeconds * 1000) / BEATS
  const pauseMs = Math.min(Math.max(thirdMs, LEAST_PAUSE_MS), MOST_PAUSE_MS)
  let hasStopped = false
  let timer: NodeJS.Timeout
  const beat = async () => {
    const isWanted = await renewJudging(options)
    if (hasStopped) return
    if (isWanted) timer = setTimeout(beat, pauseMs)
    else options.onEnd()
  }
  timer = setTimeout(beat, pauseMs)
  return () => {
    hasStopped = true
    clearTimeout(timer)
  }
}

/** Tells the service once. Returns whether the verdict is still wanted. Never rejects. */
export async function renewJudging({ api, id, judging, logger }: Judging): Promise<boolean> {
  try {
    return (await api.renewJudging(id, judging)) === 'renewed'
  } catch (err) {
    logger.warn({ id, judging, err }, 'the service did not get the heartbeat of a judging')
    return true
  }
}
