/** A promise, and the function that resolves it. */
export interface Latch {
  readonly opened: Promise<void>
  open(): void
}

export function createLatch(): Latch {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
