import { onTestFinished } from 'vitest'
import { passOn, startServer } from '../../../client/test/support/troubled-server.ts'

/** Starts a proxy that can lose a request or its response, or let something happen before. */
export async function startLossyProxy(serviceUrl: string) {
  const writes: string[] = []
  let loss: { at: number; when: 'before' | 'after' } | undefined
  let interlude: { at: number; action: () => Promise<unknown> } | undefined
  const { url, close } = await startServer(async (request, response) => {
    const isWrite = request.method !== 'GET'
    if (isWrite) writes.push(`${request.method} ${request.url}`)
    if (isWrite && writes.length === interlude?.at) await interlude.action()
    const isLost = isWrite && writes.length === loss?.at
    if (isLost && loss?.when === 'before') response.socket?.destroy()
    else passOn(serviceUrl, request, response, isLost)
  })
  onTestFinished(close)
  return {
    url,
    /** The writing requests so far, `POST /v1/events`. */
    writes,
    /** Breaks the connection of the n-th write from now: before the service has it, or after. */
    loseWrite: (n: number, when: 'before' | 'after') => {
      loss = { at: writes.length + n, when }
    },
    /** Runs an action before the service gets the n-th writing request from now. */
    beforeWrite: (n: number, action: () => Promise<unknown>) => {
      interlude = { at: writes.length + n, action }
    },
  }
}
