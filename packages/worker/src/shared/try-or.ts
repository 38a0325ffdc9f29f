/** The result of `attempt`; `otherwise` if it throws. */
export function tryOr<T>(attempt: () => T, otherwise: T): T {
  try {
    return attempt()
  } catch {
    return otherwise
  }
}

/** False if `attempt` throws. */
export function succeeds(attempt: () => unknown): boolean {
  return tryOr(() => {
    attempt()
    return true
  }, false)
}
