/** What the queue uses of the service's logger (pino). */
export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Writes one line when something fails (another when it fails differently) and one when it works again. */
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
