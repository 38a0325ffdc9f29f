import { randomInt } from 'node:crypto'
import { splitHosts } from './server-hosts.ts'

/** Seconds: without a sign of life the library closes a connection after 8 to 10 s. */
const HEARTBEAT = 4
/** A lost machine sends no refusal: the next host is tried after this time. */
const CONNECTION_TIMEOUT_MS = 3000

/**
 * Options of `rabbitmq-client` for a URL with one or several hosts. It tries the hosts in turn; each
 * process begins with a random one, so that they share the servers of a cluster. Parameters of the
 * URL, such as `heartbeat`, win.
 */
export function connectionOptions(url: string) {
  const urls = splitHosts(url)
  const first = urls.length === 1 ? 0 : randomInt(urls.length)
  const hosts = [...urls.slice(first), ...urls.slice(0, first)].map((one) => new URL(one).host)
  return {
    url: urls[0],
    // A single host may be an IPv6 address, which the list of hosts cannot contain.
    ...(urls.length > 1 && { hosts, connectionTimeout: CONNECTION_TIMEOUT_MS }),
    heartbeat: HEARTBEAT,
  }
}
