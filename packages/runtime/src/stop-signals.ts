/** At Ctrl-C npm passes SIGINT on to a program that the terminal has already sent it. */
const REPEATED_MS = 1000

/**
 * Calls `stop` at the first SIGTERM or SIGINT. Another one, at least a second later, ends the
 * process with exit code 1.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let firstAt: number | undefined
  const listener = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (firstAt === undefined) {
      firstAt = now
      stop(signal)
    } else if (now - firstAt >= REPEATED_MS) process.exit(1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, listener)
}
