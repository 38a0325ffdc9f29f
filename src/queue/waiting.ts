/** A loop waits on it until somebody rings; a ring while nobody waits is kept, many are one. */
export class Bell {
  #isRung = false
  #wake: ((isRung: boolean) => void) | undefined

  ring(): void {
    this.#isRung = true
    this.#wake?.(true)
  }

  clear(): void {
    this.#isRung = false
  }

  /** Resolves true at the next ring (at once if it has rung since it was cleared), false after `timeoutMs`. */
  wait(timeoutMs: number): Promise<boolean> {
    if (this.#isRung) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(false), timeoutMs)
      this.#wake = (isRung) => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve(isRung)
      }
    })
  }
}

/** Milliseconds to wait before try number `failures + 1`: doubling from `baseMs` up to `maxMs`, half of it random. */
export function backOffMs(failures: number, baseMs: number, maxMs: number): number {
  const fullMs = Math.min(maxMs, baseMs * 2 ** Math.max(0, failures - 1))
  return fullMs * (0.5 + Math.random() / 2)
}

/** Says whether `work` settles, one way or the other, within `timeoutMs`. */
export async function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  const settled = work.then(
    () => true,
    () => true,
  )
  const inTime = await Promise.race([settled, timeout])
  clearTimeout(timer)
  return inTime
}
