import type { ParsedStatement } from './parsed-statement.ts'
import workerUrl from './statement-worker.ts?worker&url'

/** A statement of a contest takes some milliseconds, on a slow and busy computer a second. */
const LIMIT_MS = 5000

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: () => string },
  ): { readonly createScriptURL: (url: string) => string }
}

/** The policy knows only the address of the worker. Some browsers have no trusted types. */
const trustedTypes: TrustedTypes | undefined = Reflect.get(globalThis, 'trustedTypes')
const policy = trustedTypes?.createPolicy('statement-worker', { createScriptURL: () => workerUrl })

/**
 * Parses a statement in a worker, which has its own thread. Resolves to undefined if it takes too
 * long, fails, or the HTML would be too large. Rejects once the signal is aborted.
 */
export function parseInWorker(text: string, signal: AbortSignal): Promise<ParsedStatement | undefined> {
  const worker = new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: 'module' })
  let timer: ReturnType<typeof setTimeout> | undefined
  return new Promise<ParsedStatement | undefined>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    worker.addEventListener('error', () => resolve(undefined))
    worker.addEventListener('message', ({ data }: MessageEvent<'ready' | ParsedStatement | undefined>) => {
      if (data !== 'ready') return resolve(data)
      worker.postMessage(text)
      timer = setTimeout(resolve, LIMIT_MS, undefined)
    })
  }).finally(() => {
    clearTimeout(timer)
    worker.terminate()
  })
}
