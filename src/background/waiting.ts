export interface BackOff {
  readonly baseMs: number
  readonly maxMs: number
}

/** Milliseconds until the next try: doubles from `baseMs` up to `maxMs`; half of it is random. */
export function backOffMs(failures: number, { baseMs, maxMs }: BackOff): number {
  const fullMs = Math.min(maxMs, baseMs * 2 ** Math.max(0, failures - 1))
  return fullMs * (0.5 + Math.random() / 2)
}

/** Whether `work` resolves or rejects within `timeoutMs`. */
export function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, false)
    const settle = () => {
      clearTimeout(timer)
      resolve(true)
    }
    work.then(settle, settle)
  })
}
