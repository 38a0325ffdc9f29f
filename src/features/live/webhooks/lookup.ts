import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { settlesWithin } from '../../../background/waiting.ts'
import { hostOf, type ResolvedAddress, type TargetRules } from './target.ts'

/** Resolves a name to all of its addresses. */
export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>

/** As other programs on the machine do, with its file of hosts. */
export const resolveByMachine: Resolve = (name) => lookup(name, { all: true, order: 'verbatim' })

/**
 * A look-up by the machine occupies one of the four threads that also compute password hashes, for
 * many seconds if the name's servers are slow.
 */
const MOST_LOOKUPS = 2
const LOOKUP_MS = 5000

/** Finds the addresses to which a delivery may connect. */
export interface Lookups {
  /** The addresses, or none: the name has none, or one to which no webhook may be sent. */
  find(url: URL): Promise<readonly ResolvedAddress[]>
}

/** Limits the concurrent look-ups; further ones wait, which does not count as their time. */
export function createLookups(resolve: Resolve, rules: TargetRules): Lookups {
  let running = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    running -= 1
    waiting.shift()?.()
  }
  const resolveInTurn = async (name: string) => {
    while (running >= MOST_LOOKUPS) await new Promise<void>((enter) => waiting.push(enter))
    running += 1
    const found = resolve(name).finally(leave)
    return (await settlesWithin(found, LOOKUP_MS)) ? found.catch(() => []) : []
  }
  return {
    async find(url) {
      const host = hostOf(url)
      const family = isIP(host)
      const found = family === 0 ? await resolveInTurn(host) : [{ address: host, family }]
      return found.every(({ address }) => rules.allows(url, address)) ? found : []
    },
  }
}
