const URL_WITH_HOSTS = /^([a-z][a-z0-9+.-]*:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/is

/**
 * Makes one URL for each host of a URL with several hosts, in their order:
 * `amqp://user@one:5672,two:5673/queues` becomes `amqp://user@one:5672/queues` and
 * `amqp://user@two:5673/queues`. Other text is returned as it is.
 */
export function splitHosts(url: string): [string, ...string[]] {
  const [, scheme = '', user = '', hosts = '', rest = ''] = URL_WITH_HOSTS.exec(url) ?? []
  const [first, ...others] = hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`)
  return first === undefined || others.length === 0 ? [url] : [first, ...others]
}
