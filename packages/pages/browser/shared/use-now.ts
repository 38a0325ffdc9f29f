import { useEffect, useState } from 'preact/hooks'

/** The local monotonic clock in milliseconds; renders again at every change of this interval. */
export function useNow(intervalMs: number): number {
  const [nowMs, setNowMs] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return nowMs
}
