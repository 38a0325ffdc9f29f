import type { JudgeApi } from './judge-api.ts'
import type { Logger } from './logger.ts'

export interface HeartbeatOptions {
  readonly api: Pick<JudgeApi, 'renewJudging' | 'readSubmission'>
  readonly id: string
  readonly judging: number
  /** How long the service waits for a heartbeat. */
  readonly requeueAfterSeconds: number
  readonly logger: Logger
  /** Called once when the verdict is no longer wanted. */
  readonly onEnd: () => void
}

const BEATS = 3
const LEAST_PAUSE_MS = 100

/**
 * Tells the service three times within `requeueAfterSeconds` that a judging is in progress, first
 * after the first third. Failures are repeated with the next beat. The result stops it.
 */
export function startHeartbeat(options: HeartbeatOptions): () => void {
  const pauseMs = Math.max((options.requeueAfterSeconds * 1000) / BEATS, LEAST_PAUSE_MS)
  let hasStopped = false
  let timer: NodeJS.Timeout
  const beat = async () => {
    const isWanted = await renew(options)
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

/** Returns whether the verdict is still wanted. Never rejects. */
async function renew({ api, id, judging, logger }: HeartbeatOptions): Promise<boolean> {
  try {
    const outcome = await api.renewJudging(id, judging)
    if (outcome !== 'gone') return outcome === 'renewed'
    // An older instance of the service has no heartbeat; it also responds 404.
    return (await api.readSubmission(id))?.judging === judging
  } catch (err) {
    logger.warn({ id, judging, err }, 'the service did not get the heartbeat of a judging')
    return true
  }
}
