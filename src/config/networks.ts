import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

export interface Network {
  readonly address: Address
  readonly bits: number
}

/** Bits of an IPv6 address before the IPv4 address in `::ffff:192.0.2.1`. */
const MAPPED_BITS = 96

/** Reads an address in its usual notation; an IPv4 address in IPv6 form is the IPv4 address. */
export function readAddress(text: string): Address | undefined {
  const [address = ''] = text.split('%', 1)
  return isIP(address) === 0 ? undefined : ipaddr.process(address)
}

/** Reads a network in CIDR notation, or an address as a network of one; undefined for other text. */
export function readNetwork(text: string): Network | undefined {
  const [sent = '', bits, ...rest] = text.split('/')
  const address = text.includes('%') ? undefined : readAddress(sent)
  if (address === undefined || rest.length > 0) return undefined
  const allBits = address.kind() === 'ipv4' ? 32 : 128
  if (bits === undefined) return { address, bits: allBits }
  const isMapped = allBits === 32 && isIP(sent) === 6
  const own = /^\d{1,3}$/.test(bits) ? Number(bits) - (isMapped ? MAPPED_BITS : 0) : -1
  return own >= 0 && own <= allBits ? { address, bits: own } : undefined
}

/** Whether the address belongs to the network. */
export function contains(network: Network, address: Address): boolean {
  return address.kind() === network.address.kind() && address.match(network.address, network.bits)
}
