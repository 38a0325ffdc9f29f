import { type LogLevel, openLog } from '@judge-data-layer/runtime/log'

/** The worker's logger; compatible with pino and Fastify's `log`. */
export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * What lines say of an error. Its causes and other properties are left out: errors of a client may
 * have a request's headers or an address with a password.
 */
export const serializers = {
  err: (err: unknown) =>
    err instanceof Error
      ? { type: err.name, message: describeError(err), stack: err.stack }
      : { type: typeof err, message: String(err) },
}

/** Opens the log on the standard output. */
export function openWorkerLog(level: LogLevel): Logger {
  return openLog(level).child({}, { serializers })
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} }

/** The message of an error, or its messages if Node.js has tried several addresses. */
export function describeError(err: unknown): string {
  if (!(err instanceof Error)) return String(err)
  if (err instanceof AggregateError && err.message === '') return err.errors.map(describeError).join('; ')
  return err.message || err.name
}
