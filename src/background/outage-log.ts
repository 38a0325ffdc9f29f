/** The part of the logger (pino) that background work uses. */
export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Logs one line for each different failure in a row, and one when the work succeeds again. */
export class OutageLog {
  readonly #logger: Logger
  readonly #level: 'warn' | 'error'
  readonly #recovery: string
  #failure: { readonly message: string; readonly sinceMs: number } | undefined

  constructor(logger: Logger, level: 'warn' | 'error', recovery: string) {
    this.#logger = logger
    this.#level = level
    this.#recovery = recovery
  }

  failed(fields: object, message: string): void {
    if (this.#failure?.message === message) return
    this.#failure = { message, sinceMs: this.#failure?.sinceMs ?? performance.now() }
    this.#logger[this.#level](fields, message)
  }

  works(): void {
    if (this.#failure === undefined) return
    const outageMs = Math.round(performance.now() - this.#failure.sinceMs)
    this.#failure = undefined
    this.#logger.info({ outageMs }, this.#recovery)
  }
}
