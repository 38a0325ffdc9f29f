import { describe, expect, test, vi } from 'vitest'
import type { WebhooksOptions } from '../../../src/features/live/webhooks/start.ts'
import { createLookups, createTargetRules } from '../../../src/features/live/webhooks/target.ts'
import { serviceWithContests } from '../../support/contests.ts'
import { until } from '../../support/until.ts'
import { Journal, readState, registerHook, startDeliveries, startReceiver } from '../../support/webhooks.ts'

const judging = await serviceWithContests()
const { service } = judging

const LOOPBACK = [{ address: '127.0.0.1', family: 4 }]
const NOT_ALLOWED = 'The host has no address that is allowed.'

/** Delivers a notification to a new webhook; resolves to its state after the first outcome. */
async function deliver(url: string, options: Partial<WebhooksOptions> = {}) {
  const owner = await service.createPerson()
  const eventId = await judging.createEvent({ staff: [owner.id] })
  const journal = new Journal(service)
  const id = await registerHook(service, owner, url)
  // The first failure is the last.
  const { logger, stop } = startDeliveries(service, journal, { pauseMs: () => 600_000, ...options })
  await journal.add(eventId, ['1'])
  const state = await until(async () => {
    const present = await readState(service, id)
    expect(present?.has_succeeded || present?.is_failing).toBe(true)
    return present
  })
  // It would hold the next webhook too.
  await stop()
  expect(JSON.stringify(logger.lines)).not.toContain('secret-of-the-receiver')
  return state
}

const succeeded = { has_succeeded: true, is_failing: false, last_error: null }
const failed = (last_error: string) => ({ has_succeeded: false, is_failing: true, last_error })

const PUBLIC = ['https://8.8.8.8/', 'https://[2606:4700::1111]:8443/a?b=c', 'https://example.org']

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'must begin with https://': ['http://example.org/', 'ftp://example.org/', 'file:///etc/passwd'],
  'must not contain a user or a password': ['https://user@example.org', 'https://:password@example.org/'],
  'must not contain #': ['https://example.org/#', 'https://example.org/a#b'],
  'must be a URL, in ASCII': [
    ...['', 'example.org', '/hook', 'https://', 'https://a b/', 'https://ex\u00e4mple.org'],
    ...[' https://example.org', 'https://example.org/\n'],
  ],
  'must have a public address': [
    ...'127.0.0.1 0 10.1.2.3 172.16.0.1 192.168.0.1 169.254.169.254 100.64.0.1 224.0.0.1'.split(' '),
    ...'240.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1 0x7f.1 2130706433 017700000001 127.1.'.split(' '),
    ...'[::1] [::] [fe80::1] [fec0::1] [fc00::1] [fd12::1] [ff02::1] [2001:db8::1] [4000::1]'.split(' '),
    ...'[::ffff:127.0.0.1] [::ffff:10.0.0.1] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::1]'.split(' '),
    ...'[2002:7f00:1::] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [::ffff:0:127.0.0.1] [100::1]'.split(' '),
  ].map((host) => `https://${host}/`),
}

describe('the URL of a webhook', () => {
  const rules = createTargetRules([])

  test('may have any name and any public address, with any port', () => {
    for (const url of PUBLIC) expect(rules.findFault(url), url).toBeUndefined()
  })

  test.each(Object.entries(REFUSED))('%s', (fault, urls) => {
    for (const url of urls) expect(rules.findFault(url), url).toBe(fault)
  })

  test('may have other addresses, and http:, only in the networks of WEBHOOK_NETWORKS', () => {
    const own = createTargetRules(['10.0.0.0/8', 'fd00::/8'])
    const hosts = ['https://10.1.2.3/', 'http://10.1.2.3/', 'http://[fd00::1]/', 'http://[::ffff:10.0.0.1]/']
    for (const url of [...hosts, ...PUBLIC]) expect(own.findFault(url), url).toBeUndefined()
    for (const url of ['https://192.168.0.1', 'https://127.0.0.1', 'https://[fc00::1]'])
      expect(own.findFault(url), url).toBe('must have a public address')
    expect(own.findFault('http://8.8.8.8/')).toBe('must have a public address, and begin with https://')
    // The addresses of a name are known at the delivery.
    expect(own.findFault('http://example.org/')).toBeUndefined()
    const allows = (url: string, address: string) => own.allows(new URL(url), address)
    expect(allows('http://example.org/', '8.8.8.8')).toBe(false)
    expect(allows('http://example.org/', '10.0.0.1')).toBe(true)
    expect(allows('https://example.org/', 'fe80::1%eth0')).toBe(false)
    expect(allows('https://example.org/', 'no address')).toBe(false)
  })
})

describe('a delivery', () => {
  test('connects to the address that was checked, and resolves the name once', async () => {
    const receiver = await startReceiver()
    // The second look-up would lead to another server.
    const resolve = vi.fn(async (_name: string) => [{ address: '127.0.0.2', family: 4 }])
    resolve.mockResolvedValueOnce(LOOPBACK)
    const state = await deliver(`http://rebinding.example.org:${receiver.port}/`, { resolve })
    expect(state).toMatchObject(succeeded)
    expect(resolve.mock.calls).toEqual([['rebinding.example.org']])
    expect(receiver.received[0]?.headers.host).toBe(`rebinding.example.org:${receiver.port}`)
  })

  test.each([
    ['a private address', LOOPBACK],
    ['a public and a private address', [{ address: '8.8.8.8', family: 4 }, ...LOOPBACK]],
    ['the loopback address of IPv6', [{ address: '::1', family: 6 }]],
    ['no address', []],
  ])('refuses a name with %s, without a connection', async (_, addresses) => {
    const receiver = await startReceiver(undefined, true)
    const config = { webhookNetworks: [] }
    const resolve = async () => addresses
    const state = await deliver(`https://private.example.org:${receiver.port}/`, { config, resolve })
    expect(state).toMatchObject(failed(NOT_ALLOWED))
    expect(receiver.connections()).toBe(0)
  })

  test('refuses an address that was allowed at the registration, and a name that does not resolve', async () => {
    const receiver = await startReceiver()
    const config = { webhookNetworks: ['10.0.0.0/8'] }
    expect(await deliver(receiver.url, { config })).toMatchObject(failed(NOT_ALLOWED))
    expect(receiver.connections()).toBe(0)
    const resolve = () => Promise.reject(new Error('ENOTFOUND'))
    expect(await deliver('https://unknown.example.org/', { resolve })).toMatchObject(failed(NOT_ALLOWED))
  })

  test('resolves two names at a time, so that slow name servers leave threads to the rest', async () => {
    let running = 0
    let most = 0
    const resolve = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return []
    }
    const urls = Array.from({ length: 8 }, (_, i) => `https://slow-${i}.example.org/`)
    const findAddresses = createLookups(resolve, createTargetRules([]))
    await Promise.all(urls.map((url) => findAddresses(new URL(url))))
    expect(most).toBe(2)
  })

  test('does not follow a redirect', async () => {
    const target = await startReceiver()
    const receiver = await startReceiver((response) => {
      response.writeHead(307, { location: target.url }).end()
    })
    const state = await deliver(receiver.url)
    expect(state).toMatchObject(failed('The response had the status 307; redirects are not followed.'))
    expect(target.connections()).toBe(0)
  })

  test('needs a certificate of a known authority, for the name', async () => {
    const receiver = await startReceiver(undefined, true)
    const resolve = async () => LOOPBACK
    const url = `https://hooks.example.org:${receiver.port}/`
    const untrusted = failed('The certificate is not valid.')
    expect(await deliver(url, { resolve })).toMatchObject(untrusted)
    const { ca } = receiver
    const otherName = `https://other.example.org:${receiver.port}/`
    expect(await deliver(otherName, { resolve, ca })).toMatchObject(untrusted)
    expect(receiver.received).toEqual([])
    expect(await deliver(url, { resolve, ca })).toMatchObject(succeeded)
    expect(receiver.received).toHaveLength(1)
  })

  test('fails without a response in time, with a broken response, and without a server', async () => {
    const silent = await startReceiver(() => {})
    const times = { requestMs: 200, connectMs: 100 }
    expect(await deliver(silent.url, { times })).toMatchObject(failed('There was no response within 0.2 s.'))
    const broken = await startReceiver((response) => void response.socket?.end('no HTTP\r\n\r\n'))
    expect(await deliver(broken.url)).toMatchObject(failed('The response was not HTTP.'))
    const closing = await startReceiver((response) => void response.socket?.destroy())
    expect(await deliver(closing.url)).toMatchObject(failed('The connection failed.'))
    const noTls = await deliver((await startReceiver()).url.replace('http:', 'https:'))
    expect(noTls).toMatchObject(failed('There was no TLS connection.'))
    expect(await deliver('http://127.0.0.1:1/')).toMatchObject(failed('The connection was refused.'))
  })

  test('reads 16 KiB of a response at most, counts its status if the rest never comes, and shows nothing of it', async () => {
    let sentBytes = 0
    const onClose = vi.fn()
    const endless = await startReceiver((response) => {
      response.on('close', onClose)
      response.writeHead(200)
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000))) sentBytes += 10_000
      }
      response.on('drain', write)
      write()
    })
    expect(await deliver(endless.url)).toMatchObject(succeeded)
    await until(() => expect(onClose).toHaveBeenCalled())
    // The rest was in buffers of the system.
    expect(sentBytes).toBeLessThan(16 * 1024 * 1024)
    const halting = await startReceiver((response) => void response.writeHead(202).write('x'))
    expect(await deliver(halting.url, { times: { requestMs: 100 } })).toMatchObject(succeeded)
    const telling = await startReceiver((response) => {
      response.writeHead(500, 'A reason of the peer', { 'x-secret': 'of the peer' }).end('the peer')
    })
    expect(await deliver(telling.url)).toMatchObject(failed('The response had the status 500.'))
  })
})
