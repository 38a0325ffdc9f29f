import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { type Address, readAddress } from '../../config/networks.ts'

/** Bits of an IPv6 address that name a network: one subscriber has all of its addresses. */
const IPV6_NETWORK_BITS = 64

/** Some proxies append the port: `192.0.2.1:5678`, `[2001:db8::1]:5678`. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/

/** Node's request has no socket if the client had gone before its head was read. */
type Sender = Pick<FastifyRequest, 'ip'> & {
  readonly socket: { readonly remoteAddress?: string | undefined } | null
}

/**
 * The client's address, without a port and a zone. The socket's address counts where
 * `X-Forwarded-For` has no address (D14); undefined if both have none.
 */
export function addressOf({ ip, socket }: Sender): Address | undefined {
  return readSender(ip ?? '') ?? readSender(socket?.remoteAddress ?? '')
}

/** Addresses by text: a client sends many requests. */
const MOST_KEPT_LENGTH = 64
const known = new LRUCache<string, Address>({ max: 4096 })

function readSender(text: string): Address | undefined {
  const [, inBrackets, beforePort] = known.has(text) ? [] : (WITH_PORT.exec(text) ?? [])
  const address = known.get(text) ?? readAddress(inBrackets ?? beforePort ?? text)
  if (address !== undefined && text.length <= MOST_KEPT_LENGTH) known.set(text, address)
  return address
}

/** The client's network, which limits by address count: an IPv4 address, or the /64 of IPv6. */
export function networkOf(request: Sender): string {
  const address = addressOf(request)
  if (address === undefined) return ''
  if (address.kind() === 'ipv4') return address.toString()
  const cidr = `${address.toNormalizedString()}/${IPV6_NETWORK_BITS}`
  return `${ipaddr.IPv6.networkAddressFromCIDR(cidr).toString()}/${IPV6_NETWORK_BITS}`
}
