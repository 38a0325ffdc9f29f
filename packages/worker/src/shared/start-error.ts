const LONGEST_MESSAGE = 500

/** Why a worker cannot start: one line with the variable to correct and without secrets. */
export class StartError extends Error {
  constructor(
    variable:
      | ('JUDGE_PASSWORD' | 'JUDGE_API_URL' | 'AMQP_URL' | 'AMQP_QUEUE')
      | ('METRICS_PORT' | 'WORKER_METRICS_PORT'),
    problem: string,
    cause?: unknown,
  ) {
    // A server wrote part of the text: it must not add lines or control a terminal.
    const text = `${variable}: ${problem}`
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, LONGEST_MESSAGE)
    super(`the judge worker cannot start: ${text}`, { cause })
    this.name = 'StartError'
  }
}
