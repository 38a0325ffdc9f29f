import { createServer } from 'node:http'
import { describe, expect } from 'vitest'
import { testUnless } from '../../packages/worker/test/support/requirements.ts'
import { findFreePorts, portOf } from '../../tools/local-servers/free-ports.ts'
import { NotConnectedError, type ProxiedRequest, send } from './support/client.ts'
import { type Kind, missingProxy, type RunningProxy, startProxy } from './support/proxies.ts'
import { startContest } from './support/service.ts'

const KINDS = ['nginx', 'caddy'] as const
const CLIENTS = 4
const ROUNDS = 25
const RELOADS = 4

const { instance: first, contest, start, requests } = await startContest()

describe.each(KINDS)('%s', (kind) => {
  const test = testUnless(missingProxy(kind))

  // Caddy 2.6 cannot repeat a request with a body.
  const [method, ask] = kind === 'nginx' ? (['POST', submit] as const) : (['GET', list] as const)
  test(`sends a ${method} to another instance if the connection is refused`, async () => {
    const [closed] = await findFreePorts(1)
    await withProxy(kind, [`127.0.0.1:${closed}`, first.address], async (proxy) => {
      const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(proxy)))
      expect(new Set(statuses)).toEqual(new Set([method === 'POST' ? 201 : 200]))
    })
  })

  test('does not repeat a POST or PATCH that an instance may have executed', async () => {
    const broken = [await listenAndBreak(), await listenAndBreak()] as const
    const received = () => broken.flatMap(({ requests }) => requests)
    try {
      await withProxy(kind, [broken[0].address, broken[1].address], async (proxy) => {
        for (const method of ['POST', 'PATCH']) {
          const { status } = await send(proxy, { method, path: '/v1/submissions', body: {} })
          expect([status, received()]).toEqual([502, [method]])
          for (const { requests } of broken) requests.length = 0
        }
      })
    } finally {
      for (const { close } of broken) close()
    }
  })
})

// The embedded database has one process, and so one instance.
describe.runIf(process.env.TEST_DATABASE_URL)('two instances', () => {
  describe.each(KINDS)('behind %s', (kind) => {
    const test = testUnless(missingProxy(kind))

    // Otherwise a POST fails that meets a refused connection, and the other instance counts as down.
    const isTakenOut = kind === 'caddy'
    const how = isTakenOut ? 'are taken out of its file, stopped and started' : 'are stopped and started'
    test(`${how} in turn under constant requests, and none fails`, async () => {
      const [one = 0, other = 0] = await findFreePorts(2)
      const instances = [await start(one), await start(other)] as const
      const addresses = [instances[0].address, instances[1].address] as const
      try {
        await withProxy(kind, addresses, async (proxy) => {
          const traffic = startTraffic(proxy)
          await traffic.untilMore(ROUNDS)
          for (const [n, instance] of instances.entries()) {
            const remaining = addresses[1 - n] ?? ''
            if (isTakenOut) {
              await proxy.reload([remaining, remaining])
              await traffic.untilEarlierHaveEnded()
            }
            expect(await instance.end('SIGTERM')).toBe(0)
            await traffic.untilMore(ROUNDS)
            await instance.start()
            if (isTakenOut) await proxy.reload(addresses)
            // The proxy sends requests to it again some seconds later.
            const isServing = () =>
              requests.some(({ route, port }) => route === '/v1/problems' && port === instance.port)
            requests.length = 0
            await expect.poll(isServing).toBe(true)
          }
          expect(await traffic.stop()).toEqual([])
          // A reload of Caddy resets connections that are just being opened.
          expect(traffic.countResets()).toBeLessThanOrEqual(isTakenOut ? RELOADS * CLIENTS : 0)
        })
      } finally {
        await Promise.all(instances.map((instance) => instance.stop()))
      }
    })
  })
})

async function withProxy(
  kind: Kind,
  instances: readonly [string, string],
  use: (proxy: RunningProxy) => Promise<void>,
): Promise<void> {
  const proxy = await startProxy(kind, { instances })
  await use(proxy).finally(() => proxy.stop())
}

async function submit(proxy: RunningProxy): Promise<number> {
  const request = { method: 'POST', path: '/v1/submissions', token: contest.token, body: contest.submission }
  return (await send(proxy, request)).status
}

async function list(proxy: RunningProxy): Promise<number> {
  return (await send(proxy, { path: '/v1/problems', token: contest.token })).status
}

/** An instance that reads whole requests and then closes the connection; it says that it is ready. */
async function listenAndBreak() {
  const requests: string[] = []
  const server = createServer((request, response) => {
    if (request.url === '/ready') return void response.end('{"status":"ready"}')
    request.resume().once('end', () => {
      requests.push(request.method ?? '')
      request.socket.destroy()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { address: `127.0.0.1:${portOf(server.address())}`, requests, close }
}

/** Submits and reads without a pause, with several clients, which repeat what was not sent. */
function startTraffic(proxy: RunningProxy) {
  const failures: string[] = []
  /** By client. */
  const rounds = Array.from({ length: CLIENTS }, () => 0)
  const total = () => rounds.reduce((sum, done) => sum + done, 0)
  let [resets, isStopping] = [0, false]
  const expectStatus = async (expected: number, request: ProxiedRequest) => {
    const { status, text } = await send(proxy, { token: contest.token, ...request })
    if (status !== expected) failures.push(`${request.method ?? 'GET'} ${request.path}: ${status} ${text}`)
  }
  const runClient = async (client: number) => {
    while (!isStopping) {
      try {
        await expectStatus(201, { method: 'POST', path: '/v1/submissions', body: contest.submission })
        await expectStatus(200, { path: '/v1/problems' })
        rounds[client] = (rounds[client] ?? 0) + 1
      } catch (err) {
        if (err instanceof NotConnectedError) resets += 1
        else failures.push(String(err))
      }
    }
  }
  const clients = Promise.all(rounds.map((_, client) => runClient(client)))
  return {
    countResets: () => resets,
    untilMore: (more: number) => {
      const enough = total() + more
      return expect.poll(total).toBeGreaterThanOrEqual(enough)
    },
    /** Waits until each client has ended the round that it is in, and a further one. */
    untilEarlierHaveEnded: () => {
      const before = [...rounds]
      const haveEnded = () => rounds.every((done, client) => done >= (before[client] ?? 0) + 2)
      return expect.poll(haveEnded).toBe(true)
    },
    stop: async () => {
      isStopping = true
      await clients
      return failures
    },
  }
}
