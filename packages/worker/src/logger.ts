/** What the worker logs to; pino and Fastify's `log` fit. */
export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Logs one JSON object a line through `write`; an `err` field is written as its message. */
export function createJsonLogger(write: (line: string) => void): Logger {
  const log = (level: string) => (fields: object, message: string) => {
    const line = { level, time: new Date().toISOString(), message, ...fields }
    write(
      `${JSON.stringify(line, (_key, value) => (value instanceof Error ? describeError(value) : value))}\n`,
    )
  }
  return { info: log('info'), warn: log('warn'), error: log('error') }
}

/** Logs nothing. */
export const silentLogger: Logger = { info() {}, warn() {}, error() {} }

/** The message of an error, or its messages if Node.js has tried several addresses. */
export function describeError(err: unknown): string {
  if (!(err instanceof Error)) return String(err)
  if (err instanceof AggregateError && err.message === '') return err.errors.map(describeError).join('; ')
  return err.message || err.name
}
