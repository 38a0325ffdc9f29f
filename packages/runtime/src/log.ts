import { type Logger, pino } from 'pino'

/** The values of `LOG_LEVEL`: the lowest level of the lines in the log. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/** The default of `LOG_LEVEL`. */
export const DEFAULT_LOG_LEVEL = 'info'

/**
 * Opens the log on the standard output. Lines are written in batches of some 16, after 100 ms at
 * the latest: single writes took a tenth of the CPU of a status poll. An exit writes the rest.
 */
export function openLog(level: LogLevel): Logger {
  const output = pino.destination({ dest: 1, sync: true, minLength: 4096, periodicFlush: 100 })
  process.on('exit', () => output.flushSync())
  return pino({ level, base: null }, output)
}
