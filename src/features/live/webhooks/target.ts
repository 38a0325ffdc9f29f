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
