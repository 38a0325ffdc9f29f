import { type Logger, pino } from 'pino'

/**
 * Opens the log on the standard output. Its lines are written some 16 at a time, at the latest after 100 ms, and all before the process
 * ends unless it is killed: each by itself cost a tenth of what a status poll costs.
 */
export function openLog(level: string): Logger {
  const output = pino.destination({ dest: 1, sync: true, minLength: 4096, periodicFlush: 100 })
  process.on('exit', () => output.flushSync())
  return pino({ level, base: null }, output)
}
