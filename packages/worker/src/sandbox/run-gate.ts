/** Starts runs in order, together with others or alone. */
export function createRunGate() {
  const waiting: { readonly alone: boolean; readonly start: () => void }[] = []
  let running = 0
  let isTaken = false
  const startNext = () => {
    for (let next = waiting[0]; next && !isTaken && !(next.alone && running > 0); next = waiting[0]) {
      waiting.shift()
      running += 1
      isTaken = next.alone
      next.start()
    }
  }
  return {
    async pass<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
      await new Promise<void>((start) => {
        waiting.push({ alone, start })
        startNext()
      })
      try {
        return await work()
      } finally {
        running -= 1
        if (alone) isTaken = false
        startNext()
      }
    },
  }
}
