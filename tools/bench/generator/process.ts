import { serveParent } from '../child.ts'
import { type Load, type LoadResult, runClosedLoop } from './closed-loop.ts'

/** What the generator's process is asked: to hold requests under a name, to send those of a name, or to forget them all. */
export type GeneratorQuestion =
  | { readonly kind: 'requests'; readonly name: string; readonly requests: readonly string[] }
  | { readonly kind: 'load'; readonly name: string; readonly load: Load }
  | { readonly kind: 'forget' }

export type GeneratorResponse = (LoadResult & { readonly cpuMs: number }) | undefined

const held = new Map<string, Buffer[]>()

serveParent(async (question: GeneratorQuestion): Promise<GeneratorResponse> => {
  if (question.kind === 'requests') {
    const requests = question.requests.map((request) => Buffer.from(request))
    held.set(question.name, requests)
    return undefined
  }
  if (question.kind === 'forget') {
    held.clear()
    return undefined
  }
  const before = process.cpuUsage()
  const result = await runClosedLoop(question.load, held.get(question.name) ?? [])
  const { user, system } = process.cpuUsage(before)
  return { ...result, cpuMs: (user + system) / 1000 }
})
