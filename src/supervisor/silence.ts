import { ALIVE_INTERVAL_MS } from '@judge-data-layer/process/judging-pipe'
import type { Logger } from '../queue/outage-log.ts'
import type { Child } from './child.ts'

/** In a row: one silent interval may be this process's own pause. */
const SILENT_INTERVALS = 10

/**
 * Kills a process that sends nothing for 20 seconds: it is frozen, and would respond to nobody for
 * ever.
 */
export function killWhenSilent(child: Child, name: string, logger: Logger): void {
  let silent = 0
  child.pipe.onMessage(() => {
    silent = 0
  })
  const timer = setInterval(() => {
    silent += 1
    if (silent < SILENT_INTERVALS) return
    clearInterval(timer)
    logger.error({ seconds: (silent * ALIVE_INTERVAL_MS) / 1000 }, `${name} does not respond: it is killed`)
    child.kill()
  }, ALIVE_INTERVAL_MS)
  child.gone.addEventListener('abort', () => clearInterval(timer))
}
