import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { settlesWithin } from '../../../background/waiting.ts'
import { type Address, contains, type Network, readAddress, readNetwork } from '../../../config/networks.ts'

/** A resolved address. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Which URLs and addresses webhooks may have. */
export interface TargetRules {
  /** Why webhooks may not have this URL, in words that follow "url"; undefined if they may. */
  findFault(text: string): string | undefined
  /** Whether a delivery to this URL may connect to the address. */
  allows(url: URL, address: string): boolean
}

/**
 * Only `https:` and public addresses; in these networks also `http:` and other addresses. The
 * addresses of a name are checked at each delivery (P26).
 */
export function createTargetRules(networks: readonly string[]): TargetRules {
  const own = networks.map(readNetwork).filter((network) => network !== undefined)
  const allows: TargetRules['allows'] = (url, text) => {
    const address = readAddress(text)
    if (address === undefined) return false
    return isWithin(own, address) || (url.protocol === 'https:' && isPublic(address))
  }
  return {
    allows,
    findFault(text) {
      const url = URL.canParse(text) ? new URL(text) : undefined
      if (url === undefined || !/^[\x21-\x7e]+$/.test(text)) return 'must be a URL, in ASCII'
      if (url.protocol !== 'https:' && (url.protocol !== 'http:' || own.length === 0)) {
        return 'must begin with https://'
      }
      if (url.username !== '' || url.password !== '') return 'must not contain a user or a password'
      if (text.includes('#')) return 'must not contain #'
      const host = hostOf(url)
      if (readAddress(host) !== undefined && !allows(url, host)) {
        return `must have a public address${url.protocol === 'http:' ? ', and begin with https://' : ''}`
      }
      return undefined
    },
  }
}

/** The host of a URL; an IPv6 address without brackets. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

const isWithin = (networks: readonly Network[], address: Address) =>
  networks.some((network) => contains(network, address))

/** Global unicast addresses of IPv6. */
const GLOBAL = { network: '2000::', bits: 3 }

/**
 * No address of a special registry: neither private, shared, reserved nor for documentation. Nor an
 * address that stands for another address, as in NAT64, 6to4 and Teredo.
 */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  const global = readNetwork(`${GLOBAL.network}/${GLOBAL.bits}`)
  return address.kind() === 'ipv4' || (global !== undefined && contains(global, address))
}

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

/**
 * Finds the addresses to which a delivery may connect. None: the name has none, or one to which no
 * webhook may be sent.
 */
export type FindAddresses = (url: URL) => Promise<readonly ResolvedAddress[]>

/** Limits the concurrent look-ups; further ones wait, which does not count as their time. */
export function createLookups(resolve: Resolve, rules: TargetRules): FindAddresses {
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
  return async (url) => {
    const host = hostOf(url)
    const family = isIP(host)
    const found = family === 0 ? await resolveInTurn(host) : [{ address: host, family }]
    return found.every(({ address }) => rules.allows(url, address)) ? found : []
  }
}
