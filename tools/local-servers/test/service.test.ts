import { expect, it, onTestFinished } from 'vitest'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET } from '../../../test/support/app.ts'
import { freshDatabaseVariables } from '../../../test/support/process-database.ts'
import { type ServerCommand, startServerProcess } from '../server-process.ts'
import { startLocalService } from '../service.ts'

/** A server that is nothing but this script. */
function serve(script: string) {
  return {
    ...{ name: 'a server', command: process.execPath, args: ['-e', script], options: {} },
    ...{ readyWithinMs: 20_000, lastSignal: 'SIGKILL' },
  } as const satisfies Partial<ServerCommand>
}

it('a service whose log is ignored is ready when it is there, and ends in order also when it is frozen', async () => {
  const lines: string[] = []
  const service = await startLocalService({
    variables: {
      ...{ JWT_SIGNING_SECRET, JUDGE_PASSWORD, WEB_BRIDGE_SECRET },
      ...(await freshDatabaseVariables()),
    },
    onLine: (line) => lines.push(line),
    isLogIgnored: true,
  })
  onTestFinished(() => service.killAll())
  expect((await fetch(`${service.url}/ready`)).status).toBe(200)
  service.freeze()
  await service.stop()
  expect(await service.ended).toBe(0)
  expect(lines).toEqual([])
}, 60_000)

it('a server that goes on when it is to end is killed once its time is up', async () => {
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')"
  const server = await startServerProcess({ ...serve(deaf), isReady: (line) => line === 'ready' })
  onTestFinished(() => server.killAll())
  expect(await server.end('SIGTERM', 100)).toBe(null)
  expect(server.isRunning()).toBe(false)
})

it('a server that is asked whether it is ready is asked until it is', async () => {
  let asked = 0
  const askReady = async () => {
    asked += 1
    return asked === 3
  }
  const server = await startServerProcess({ ...serve('setInterval(() => {}, 1000)'), askReady })
  expect(asked).toBe(3)
  await server.killAll()
})

it('a server that is never ready is given up in time, and one that ends at once', async () => {
  let askedOf = 0
  const never = async () => {
    askedOf += 1
    return false
  }
  const lasting = serve('setInterval(() => {}, 1000)')
  await expect(startServerProcess({ ...lasting, readyWithinMs: 200, askReady: never })).rejects.toThrow(
    'a server did not start, and said nothing that was read',
  )
  expect(askedOf).toBeGreaterThan(0)
  await expect(startServerProcess({ ...serve('process.exit(3)'), askReady: never })).rejects.toThrow(
    'a server did not start',
  )
})

it('a server that cannot be started says so', async () => {
  const missing = { ...serve(''), command: '/no/such/program', askReady: async () => false }
  await expect(startServerProcess(missing)).rejects.toThrow('a server cannot be started')
})
