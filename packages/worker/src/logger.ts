/** The worker's logger; compatible with pino and Fastify's `log`. */
export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Writes one JSON object per line; errors as their messages. */
export function createJsonLogger(write: (line: string) => void): Logger {
  const log = (level: string) => (fields: object, message: string) => {
    const line = { level, time: new Date().toISOString(), message, ...fields }
    write(
      `${JSON.stringify(line, (_key, value) => (value instanceof Error ? describeError(value) : value))}\n`,
    )
  }
  return { info: log('info'), warn: log('warn'), error: log('error') }
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} }

/** The message of an error, or its messages if Node.js has tried several addresses. */
export function describeError(err: unknown): string {
  if (!(err instanceof Error)) return String(err)
  if (err instanceof AggregateError && err.message === '') return err.errors.map(describeError).join('; ')
  return err.message || err.name
}
