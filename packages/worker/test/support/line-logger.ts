import { pino } from 'pino'
import { type Logger, serializers } from '../../src/shared/logger.ts'

/** The worker's log, which keeps its lines as one text. */
export function createTextLog(): { text: string; readonly logger: Logger } {
  const write = (line: string) => {
    log.text += line
  }
  const log = { text: '', logger: pino({ base: null, serializers }, { write }) }
  return log
}
