import { pino } from 'pino'
import { type Logger, serializers } from '../../src/logger.ts'

/** The worker's log, which writes its lines to a function. */
export function createLineLogger(write: (line: string) => void): Logger {
  return pino({ base: null, serializers }, { write })
}
