import { AppError } from './errors.ts'

export const TOO_MUCH_TO_DO = 'The service has too much to do; try again shortly'

/**
 * The response within `timeoutMs`. Throws UNAVAILABLE: a running statement goes on and may be
 * stored, but no other is started once the 503 is sent.
 */
export function withinTime<T>(response: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError('UNAVAILABLE', TOO_MUCH_TO_DO)), timeoutMs)
    response.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
