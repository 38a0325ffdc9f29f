import { onTestFinished } from 'vitest'

/** Where Node keeps the connections of `fetch`. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')

/** Sets how long `fetch` waits for the head of a response until the end of a test, not 300 s. */
export function shortenHeaderTimeout(milliseconds: number): void {
  // Node makes its dispatcher when it loads `fetch`.
  Reflect.construct(Request, ['http://127.0.0.1'])
  const usual: object = Reflect.get(globalThis, DISPATCHER)
  Reflect.set(
    globalThis,
    DISPATCHER,
    Reflect.construct(Object(usual.constructor), [{ headersTimeout: milliseconds }]),
  )
  onTestFinished(() => void Reflect.set(globalThis, DISPATCHER, usual))
}
