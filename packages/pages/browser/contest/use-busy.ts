import { useState } from 'preact/hooks'

/** Whether an action runs, and a function that runs one. */
export function useBusy(): [isBusy: boolean, whileBusy: <T>(action: () => Promise<T>) => Promise<T>] {
  const [isBusy, setBusy] = useState(false)
  const whileBusy = async <T>(action: () => Promise<T>) => {
    setBusy(true)
    try {
      return await action()
    } finally {
      setBusy(false)
    }
  }
  return [isBusy, whileBusy]
}
