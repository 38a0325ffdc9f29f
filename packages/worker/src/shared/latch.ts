/** A promise with the functions that end it; calls after the first have no effect. */
export function createLatch<T = void>() {
  let open: (value: T) => void = () => {}
  let fail: (reason: unknown) => void = () => {}
  const opened = new Promise<T>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { opened, open, fail }
}
