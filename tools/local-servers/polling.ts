import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 100

/** Polls a condition, which may throw, until it holds. Returns whether it held in time. */
export async function pollUntil(isDone: () => Promise<boolean>, withinMs: number, everyMs = POLL_MS) {
  return poll(isDone, withinMs, everyMs).then(
    () => true,
    () => false,
  )
}

type Look<T> = () => Promise<T | undefined | false>

/** Looks, which may throw, until it finds something; else throws `failure` and the last reason. */
export async function pollFor<T>(
  look: Look<T>,
  withinMs: number,
  failure: string,
  everyMs = POLL_MS,
): Promise<T> {
  try {
    return await poll(look, withinMs, everyMs)
  } catch (cause) {
    throw new Error(`${failure} after ${withinMs / 1000} s`, { cause })
  }
}

async function poll<T>(look: Look<T>, withinMs: number, everyMs: number): Promise<T> {
  const endMs = performance.now() + withinMs
  for (;;) {
    let cause: unknown
    const found = await look().catch((err: unknown) => {
      cause = err
      return undefined
    })
    if (found !== undefined && found !== false) return found
    if (performance.now() > endMs) throw cause ?? new Error('nothing was found')
    await sleep(everyMs)
  }
}
