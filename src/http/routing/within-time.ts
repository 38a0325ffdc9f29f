import { AppError } from './errors.ts'

/** The response within `timeoutMs`. Throws UNAVAILABLE; the work goes on and may be stored. */
export function withinTime<T>(response: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new AppError('UNAVAILABLE', 'The service has too much to do; try again shortly')),
      timeoutMs,
    )
    response.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
