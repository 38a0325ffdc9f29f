import { serveParent } from '../child.ts'
import { type Load, type LoadResult, runClosedLoop } from './closed-loop.ts'

/** Stores requests under a name, sends the requests of a name, or deletes all. */
export type GeneratorRequest =
  | { readonly kind: 'requests'; readonly name: string; readonly requests: readonly string[] }
  | { readonly kind: 'load'; readonly name: string; readonly load: Load }
  | { readonly kind: 'clear' }

export type GeneratorReply = (LoadResult & { readonly cpuMs: number }) | undefined

const stored = new Map<string, Buffer[]>()

serveParent(async (request: GeneratorRequest): Promise<GeneratorReply> => {
  if (request.kind === 'clear') stored.clear()
  if (request.kind === 'requests') {
    const requests = request.requests.map((text) => Buffer.from(text))
    stored.set(request.name, requests)
  }
  if (request.kind !== 'load') return undefined
  const before = process.cpuUsage()
  const result = await runClosedLoop(request.load, stored.get(request.name) ?? [])
  const { user, system } = process.cpuUsage(before)
  return { ...result, cpuMs: (user + system) / 1000 }
})
