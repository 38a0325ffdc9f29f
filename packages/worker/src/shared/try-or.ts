/** The result of `attempt`; `otherwise` if it throws. */
export function tryOr<T>(attempt: () => T, otherwise: T): T {
  try {
    return attempt()
  } catch {
    return otherwise
  }
}
